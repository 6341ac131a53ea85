// SPDX-License-Identifier: Apache-2.0
// A list of what is in force, each with a button that ends it.

import { id, make, showIf } from './dom.js';
import { onSubmit } from './submit.js';

/// A function that shows entries [{key, name, what}] in the list `list`; `end(key)` asks for the
/// end of one, `button` is the word for it and `ended` that for what happened. `none` is shown when
/// there is nothing; the focus goes to `next` when its button goes away with the last one.
export function activeList({ list, none, next, button, end, ended }) {
  let shown = '';
  return (entries) => {
    const shape = JSON.stringify(entries);
    if (shape === shown) return;
    shown = shape;
    const focused = id(list).contains(document.activeElement);
    id(list).replaceChildren(
      ...entries.map(({ key, name, what }) => {
        const form = make(
          'form',
          { class: 'active', id: `${list}-${key}` },
          make('span', {}, make('strong', { text: name }), ` ${what}`),
          make('button', { text: button, 'aria-label': `${button} ${name}` }),
        );
        onSubmit(form, { change: () => end(key), done: () => `${name} ${ended}` });
        return make('li', {}, form);
      }),
    );
    showIf(id(none), entries.length === 0);
    if (focused) (id(list).querySelector('button') ?? id(next)).focus();
  };
}
