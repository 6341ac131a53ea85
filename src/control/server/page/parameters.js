// SPDX-License-Identifier: Apache-2.0
// The parameters of the plant: their values now, at the start, their limits, and a field for each.

import { id, make, show } from './dom.js';
import { number, unit, withUnit } from './format.js';
import { onSubmit, valueOf } from './submit.js';
import { Seen } from './values.js';

export function parametersPanel(run, values) {
  let known = '';
  let shown = new Map(); // by name: where its value stands
  const seen = new Seen();

  const showValue = (name) => {
    const value = values.of(`parameter:${name}`);
    // One that came into view since was not asked for: what the list told of it stands.
    if (value !== undefined) show(shown.get(name), number(value, 6));
  };
  const visible = () => seen.all.map((element) => element.dataset.parameter);
  values.watch(() => visible().map((name) => `parameter:${name}`));
  values.addEventListener('values', () => {
    for (const name of visible()) showValue(name);
  });

  run.on('list', ({ parameters }) => {
    const shape = JSON.stringify(parameters.map(({ value, ...rest }) => rest));
    if (shape !== known) {
      known = shape;
      shown = new Map();
      for (const element of id('parameter-list').children) seen.forget(element);
      id('parameter-list').replaceChildren(...parameters.map((p) => form(run, p, shown)));
      for (const element of id('parameter-list').children) seen.watch(element);
    }
    for (const p of parameters) show(shown.get(p.name), number(p.value, 6));
  });
}

function form(run, p, shown) {
  const key = `parameter-${p.name}`;
  const now = make('span', { class: 'value' });
  shown.set(p.name, now);
  const input = make('input', {
    id: key,
    name: `values.${p.name}`,
    autocomplete: 'off',
    spellcheck: 'false',
    size: 10,
    'aria-describedby': `${key}-facts`,
  });
  const element = make(
    'form',
    {
      class: 'parameter',
      id: `${key}-form`,
      'aria-label': p.name,
      'data-parameter': p.name,
    },
    make('label', { for: key, text: p.name }),
    make('p', { class: 'now' }, now, make('span', { class: 'unit', text: unit(p.unit) })),
    make(
      'div',
      { class: 'entry' },
      input,
      make('button', { text: 'Set', 'aria-label': `Set ${p.name}` }),
    ),
    make('p', { class: 'aside', id: `${key}-facts`, text: facts(p) }),
    make('p', { class: 'reply', id: `${key}-reply` }),
  );
  onSubmit(element, {
    change: async () => {
      const effect = await run.change('set', {
        values: { [p.name]: valueOf(input) ?? '' },
        restart: id('restart').checked,
      });
      input.value = '';
      return effect;
    },
    done: () => `${p.name} set`,
  });
  input.addEventListener('keydown', (event) => event.key === 'Escape' && (input.value = ''));
  return element;
}

function facts(p) {
  const start = `start ${withUnit(number(p.start, 6), p.unit)}`;
  const [low, high] = [p.low, p.high].map((v) => (v === null || v === undefined ? v : number(v)));
  if (low && high) return `${start}; ${low} to ${high}`;
  if (low) return `${start}; at least ${low}`;
  if (high) return `${start}; at most ${high}`;
  return start;
}
