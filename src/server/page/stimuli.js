// SPDX-License-Identifier: Apache-2.0
// Stimuli: signals made by the loop, added to inputs or put in their place.

import { activeList } from './active.js';
import { id, make, options, show, showIf } from './dom.js';
import { unit, words } from './format.js';
import { onSubmit, valueOf } from './submit.js';
import { readTable } from './table.js';

const fields = ['amplitude', 'offset', 'frequency_hz', 'frequency_end_hz', 'phase_rad', 'over_s',
  'duration_s'];
const used = {
  step: ['amplitude'],
  ramp: ['amplitude', 'over_s', 'offset'],
  sine: ['amplitude', 'frequency_hz', 'phase_rad', 'offset'],
  chirp: ['amplitude', 'frequency_hz', 'frequency_end_hz', 'over_s', 'phase_rad', 'offset'],
  playback: ['amplitude', 'offset'],
};

export function stimuliPanel(run) {
  const input = id('stimulus-input');
  const shape = id('stimulus-shape');
  let units = new Map();
  let offered = '';

  const isUsed = (name) => name === 'duration_s' || used[shape.value].includes(name);
  const showFields = () => {
    for (const name of fields) showIf(id(`stimulus-${name}`).closest('.field'), isUsed(name));
    showIf(id('stimulus-table').closest('.field'), shape.value === 'playback');
    const signal = unit(units.get(input.value));
    show(id('stimulus-offset-unit'), signal);
    show(id('stimulus-amplitude-unit'), shape.value === 'playback' ? 'times' : signal);
  };
  input.addEventListener('change', showFields);
  shape.addEventListener('change', showFields);

  onSubmit(id('stimulus-form'), {
    change: async () => run.change('stimulate', {
      input: input.value,
      shape: shape.value,
      replace: id('stimulus-replace').checked,
      ...Object.fromEntries(fields.filter(isUsed).map((name) => [name, valueOf(id(`stimulus-${name}`))])),
      table: shape.value === 'playback' ? await readTable(id('stimulus-table').files[0]) : undefined,
      restart: id('restart').checked,
    }),
    done: () => `${input.value}: ${shape.value} started`,
  });

  run.on('list', ({ inputs }) => {
    units = new Map(inputs.map((s) => [s.name, s.unit]));
    if ([...units.keys()].join() === offered) return;
    offered = [...units.keys()].join();
    options(input, inputs.map((s) => make('option', { value: s.name, text: s.name })));
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
    showActive(stimuli.map((s) => ({ key: s.input, name: s.input, what: words(s.shape) }))));
}
