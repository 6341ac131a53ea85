// SPDX-License-Identifier: Apache-2.0
// The dialog that asks for the fields of a tile.

import { announce } from './announce.js';
import { isSignal } from './catalogue.js';
import { id, make, show } from './dom.js';
import { fieldOf, tileKinds, wrongWith } from './tile_kinds.js';

/// `open(tile, done)` asks, and calls `done(tile)` with the fields as they were given.
export function tileForm(signals) {
  const dialog = id('tile-dialog');
  const form = id('tile-form');
  let tile = null;
  let done = null;

  id('tile-no').addEventListener('click', () => dialog.close());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const given = { ...tile, ...read(tileKinds[tile.kind].fields) };
    const somewhere = { x: 0, y: 0, w: 1, h: 1 }; // a new one has no place yet
    const wrong = wrongWith({ ...somewhere, ...given }) || unknownIn(given);
    show(id('tile-reply'), wrong);
    if (wrong) {
      announce(wrong);
      form.elements.namedItem(wrong.match(/^\w+/)[0])?.focus();
      return;
    }
    dialog.close();
    Object.assign(tile, given);
    done(tile);
  });

  function unknownIn(given) {
    const known = new Set(signals.all.map((item) => item.name));
    for (const { name, type, of, optional } of tileKinds[given.kind].fields) {
      if (type !== 'name' && type !== 'names') continue;
      if (optional && (given[name] ?? '') === '') continue;
      const missing = [given[name]].flat().find((n) => !known.has(n));
      if (missing !== undefined)
        return `${name}: found "${missing}", expected the name of a ${of === 'any' ? 'signal or parameter' : of}, as the list offers them`;
    }
    return '';
  }

  function read(fields) {
    return Object.fromEntries(
      fields.map(({ name, type, usual }) => {
        const text = form.elements.namedItem(name).value.trim();
        if (type === 'number') return [name, text === '' ? usual : Number(text.replace('−', '-'))];
        if (type === 'names') return [name, text.split(/[\s,]+/).filter(Boolean)];
        return [name, text];
      }),
    );
  }

  function makeField(field) {
    const { name, words, type, of, choices } = field;
    const value = fieldOf(tile, name);
    const attributes = { name, id: `tile-field-${name}`, autocomplete: 'off', spellcheck: 'false' };
    const text = Array.isArray(value) ? value.join('\n') : String(value ?? '');
    let input;
    if (type === 'choice') {
      input = make(
        'select',
        attributes,
        ...choices.map((c) => make('option', { value: c, text: c, selected: c === value })),
      );
    } else if (type === 'long' || type === 'names') {
      input = make('textarea', { ...attributes, rows: 4, text });
    } else {
      const list = type === 'name' ? `names-${of}` : undefined;
      const inputmode = type === 'number' ? 'decimal' : undefined;
      input = make('input', { ...attributes, value: text, list, inputmode });
    }
    const hint = type === 'names' ? ', one a line; or check them in the list of signals' : '';
    return make('label', { class: 'field' }, words + hint, input);
  }

  /// Made when it is needed: of a thousand names it is long.
  function offer(of) {
    const wanted = { signal: isSignal, parameter: (i) => i.kind === 'parameter' }[of];
    const items = wanted ? signals.all.filter(wanted) : signals.all.filter((i) => i.kind !== 'fault');
    const options = items.map((i) => make('option', { value: i.name }));
    return make('datalist', { id: `names-${of}` }, ...options);
  }

  return (its, then) => {
    [tile, done] = [its, then];
    const { fields, words } = tileKinds[tile.kind];
    show(id('tile-title'), words);
    show(id('tile-reply'), '');
    const lists = new Set(fields.filter((f) => f.type === 'name').map((f) => f.of));
    id('tile-fields').replaceChildren(...fields.map(makeField), ...[...lists].map(offer));
    dialog.showModal();
  };
}
