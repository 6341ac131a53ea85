// SPDX-License-Identifier: Apache-2.0
// The signals of the run with their newest values, and which of them are plotted.

import { id, make, show } from './dom.js';
import { steady, unit } from './format.js';
import { traceSwatch } from './swatch.js';

const kinds = [
  ['output', 'outputs', 'Outputs'],
  ['input', 'inputs', 'Inputs'],
  ['state', 'states', 'States'],
];
const first = 4; // outputs plotted where nothing was chosen before

/// `chosen`, an event, tells of `this.chosen`: name as `output:NAME`, unit, place among all.
export class Signals extends EventTarget {
  chosen = [];
  #all = [];
  #values = new Map();
  #differs = new Map(); // what the line carries instead, and why
  #model = '';

  constructor(run) {
    super();
    run.on('list', (list) => {
      const all = kinds.flatMap(([kind, key]) =>
        list[key].map((s) => ({ name: `${kind}:${s.name}`, label: s.name, kind, unit: s.unit })),
      );
      all.forEach((s, place) => (s.place = place));
      if (JSON.stringify(all) !== JSON.stringify(this.#all))
        this.#offer(all, run.status?.model ?? '');
      for (const [kind, key] of kinds) {
        for (const s of list[key]) {
          const name = `${kind}:${s.name}`;
          show(this.#values.get(name), steady(s.value));
          show(this.#differs.get(name), inWords(s.differs));
        }
      }
    });
  }

  #offer(all, model) {
    this.#all = all;
    this.#model = model;
    this.#values.clear();
    this.#differs.clear();
    const kept =
      this.#recall() ??
      all
        .filter((s) => s.kind === 'output')
        .slice(0, first)
        .map((s) => s.name);
    id('signal-list').replaceChildren(
      ...kinds.map(([kind, , title]) =>
        make(
          'fieldset',
          {},
          make('legend', { text: title }),
          ...all.filter((s) => s.kind === kind).map((s) => this.#entry(s, kept.includes(s.name))),
        ),
      ),
    );
    this.#choose();
  }

  #entry(s, checked) {
    const value = make('span', { class: 'value' });
    const differs = make('span', { class: 'differs' });
    this.#values.set(s.name, value);
    this.#differs.set(s.name, differs);
    const box = make('input', {
      type: 'checkbox',
      name: s.name,
      checked,
      onchange: () => this.#choose(),
    });
    return make(
      'div',
      { class: 'signal' },
      make('label', {}, box, traceSwatch(s.place), make('span', { text: s.label })),
      value,
      make('span', { class: 'unit', text: unit(s.unit) }),
      differs,
    );
  }

  #choose() {
    const checked = new Set(
      [...id('signal-list').querySelectorAll(':checked')].map((box) => box.name),
    );
    this.chosen = this.#all.filter((s) => checked.has(s.name));
    try {
      localStorage.setItem(`hild.signals.${this.#model}`, JSON.stringify([...checked]));
    } catch {
      // A browser without storage forgets.
    }
    this.dispatchEvent(new Event('chosen'));
  }

  #recall() {
    try {
      return JSON.parse(localStorage.getItem(`hild.signals.${this.#model}`));
    } catch {
      return null;
    }
  }
}

function inWords(differs) {
  if (!differs) return '';
  const line = differs.line === null ? '' : `line ${steady(differs.line)}, `;
  return `${line}plant ${steady(differs.plant)}: ${differs.why}`;
}
