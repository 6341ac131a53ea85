// SPDX-License-Identifier: Apache-2.0
// Stimuli: signals made by the loop, added to inputs or put in their place.

import { activeList } from './active.js';
import { id, make, options, show, showIf } from './dom.js';
import { unit, words } from './format.js';
import { onSubmit, valueOf } from './submit.js';
import { readTable } from './table.js';

const fields = [
  { name: 'amplitude', label: 'Amplitude' }, // in the unit of the input, as is the offset
  { name: 'offset', label: 'Offset' },
  { name: 'frequency_hz', label: 'Frequency', unit: 'Hz' },
  { name: 'frequency_end_hz', label: 'Frequency at the end', unit: 'Hz' },
  { name: 'phase_rad', label: 'Phase', unit: 'rad' },
  { name: 'over_s', label: 'Over', unit: 's' },
  { name: 'table', label: 'Table, a CSV file', type: 'file', accept: '.csv,.tsv,.txt,text/csv' },
  { name: 'duration_s', label: 'Lasts', unit: 's', placeholder: 'until stopped' },
];
const field = (name) => id(`stimulus-${name}`);
const used = {
  step: ['amplitude'],
  ramp: ['amplitude', 'over_s', 'offset'],
  sine: ['amplitude', 'frequency_hz', 'phase_rad', 'offset'],
  chirp: ['amplitude', 'frequency_hz', 'frequency_end_hz', 'over_s', 'phase_rad', 'offset'],
  playback: ['table', 'amplitude', 'offset'],
};

export function stimuliPanel(run) {
  const input = id('stimulus-input');
  const shape = id('stimulus-shape');
  let units = new Map();
  let offered = '';

  id('stimulus-fields').append(...fields.map(makeField));
  const isUsed = (name) => name === 'duration_s' || used[shape.value].includes(name);
  const showFields = () => {
    for (const { name } of fields) showIf(field(name).closest('.field'), isUsed(name));
    const signal = unit(units.get(input.value));
    show(id('stimulus-offset-unit'), signal);
    show(id('stimulus-amplitude-unit'), shape.value === 'playback' ? 'times' : signal);
  };
  const valuesOf = async () => {
    const entries = fields
      .filter(({ name }) => isUsed(name) && name !== 'table')
      .map(({ name }) => [name, valueOf(field(name))]);
    if (isUsed('table')) entries.push(['table', await readTable(field('table').files[0])]);
    return Object.fromEntries(entries);
  };
  input.addEventListener('change', showFields);
  shape.addEventListener('change', showFields);

  onSubmit(id('stimulus-form'), {
    change: async () =>
      run.change('stimulate', {
        input: input.value,
        shape: shape.value,
        replace: id('stimulus-replace').checked,
        ...(await valuesOf()),
        restart: id('restart').checked,
      }),
    done: () => `${input.value}: ${shape.value} started`,
  });

  run.on('list', ({ inputs }) => {
    units = new Map(inputs.map((s) => [s.name, s.unit]));
    if ([...units.keys()].join() === offered) return;
    offered = [...units.keys()].join();
    options(
      input,
      inputs.map((s) => make('option', { value: s.name, text: s.name })),
    );
    showFields();
  });

  const showActive = activeList({
    list: 'stimulus-list',
    none: 'no-stimuli',
    next: 'stimulus-input',
    button: 'Stop',
    end: (name) => run.change('quiet', { input: name, restart: id('restart').checked }),
    ended: 'left alone',
  });
  run.on('status', ({ stimuli }) =>
    showActive(stimuli.map((s) => ({ key: s.input, name: s.input, what: words(s.shape) }))),
  );
}

function makeField({ name, label, unit: u, type, ...rest }) {
  const key = `stimulus-${name}`;
  const input = make('input', { id: key, name, size: 8, type, ...rest });
  const shown = make('span', { class: 'unit', id: `${key}-unit`, text: u });
  return make('label', { class: 'field' }, label, make('span', { class: 'entry' }, input, shown));
}
