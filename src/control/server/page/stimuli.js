// SPDX-License-Identifier: Apache-2.0
// Stimuli: signals made by the loop, added to inputs or put in their place.

import { activeList } from './active.js';
import { changeForm } from './change_form.js';
import { id } from './dom.js';
import { words } from './format.js';

export function stimuliPanel(run) {
  changeForm(run, {
    method: 'stimulate',
    prefix: 'stimulus',
    done: ({ input, shape }) => `${input}: ${shape} started`,
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
