// SPDX-License-Identifier: Apache-2.0
// What is done to the run as a whole: arm, disarm, freeze, step, resume, save, restore, reset, stop.

import { announce } from './announce.js';
import { id, make, options, show, showIf } from './dom.js';
import { unit } from './format.js';
import { onSubmit, valueOf } from './submit.js';
import { topic } from './verdict.js';

export function controlsPanel(run) {
  onSubmit(id('freeze-form'), {
    change: (button) =>
      button?.value === 'resume'
        ? run.change('resume')
        : run.change('freeze', {
            outputs: id('freeze-outputs').value,
            values: id('freeze-outputs').value === 'declared' ? declared() : undefined,
          }),
    done: (button) => (button?.value === 'resume' ? 'Resumed' : 'Frozen'),
  });
  onSubmit(id('step-form'), {
    change: () => run.change('step', { frames: valueOf(id('step-frames')) }),
    done: () => 'Stepped',
  });
  onSubmit(id('states-form'), {
    change: (button) =>
      run.change(button.value, {
        slot: button.value === 'reset' ? undefined : Number(id('slot').value),
        parameters: button.value === 'save' ? undefined : id('parameters-too').checked,
      }),
    done: (button) => ({ save: 'Saved', restore: 'Restored', reset: 'Reset' })[button.value],
  });
  arming(run);
  stopping(run);

  id('freeze-outputs').addEventListener('change', () =>
    showIf(id('declared'), id('freeze-outputs').value === 'declared'),
  );
  run.on('status', (status) => {
    const { state } = status;
    const outputs = topic(status, 'outputs');
    id('freeze').disabled = state !== 'running' && state !== 'stepping';
    id('step').disabled = state !== 'frozen';
    id('resume').disabled = state !== 'frozen' && state !== 'stepping';
    id('arm').disabled = outputs?.is !== 'disarmed';
    id('disarm').disabled = outputs?.is !== 'armed';
    show(id('outputs-are'), outputs ? `outputs are ${outputs.words}` : '');
  });
  run.on('list', offer);
}

let offered = '';

function offer({ outputs, slots }) {
  const shape = JSON.stringify([outputs.map((o) => o.name), slots]);
  if (shape === offered) return;
  offered = shape;
  options(
    id('slot'),
    Array.from({ length: 8 }, (_, slot) =>
      make('option', { value: slot, text: slots.includes(slot) ? `${slot}, filled` : `${slot}` }),
    ),
  );
  id('declared').replaceChildren(
    ...outputs.map((o) =>
      make(
        'label',
        { class: 'field' },
        o.name,
        make(
          'span',
          { class: 'entry' },
          make('input', {
            name: `values.${o.name}`,
            'data-output': o.name,
            size: 8,
            autocomplete: 'off',
          }),
          make('span', { class: 'unit', text: unit(o.unit) }),
        ),
      ),
    ),
  );
}

function declared() {
  const given = [...id('declared').querySelectorAll('input')].map((i) => [
    i.dataset.output,
    valueOf(i),
  ]);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

const begun = {
  arm: 'Arming: outputs ramp to the plant',
  disarm: 'Disarming: outputs take their safe actions',
};

// Both are asked twice: one drives what is wired, the other lets go of it.
function arming(run) {
  for (const method of ['arm', 'disarm']) {
    const dialog = id(`${method}-dialog`);
    id(`${method}-no`).addEventListener('click', () => dialog.close());
    id(`${method}-yes`).addEventListener('click', async () => {
      dialog.close();
      const reply = id('arm-reply');
      try {
        await run.change(method);
        reply.classList.remove('error');
        show(reply, begun[method]);
      } catch (error) {
        reply.classList.add('error');
        show(reply, error.message);
      }
      announce(reply.textContent);
    });
  }
  id('arm-form').addEventListener('submit', (event) => {
    event.preventDefault();
    id(`${event.submitter.value}-dialog`).showModal();
  });
}

function stopping(run) {
  const dialog = id('stop-dialog');
  id('stop').addEventListener('click', () => dialog.showModal());
  id('stop-no').addEventListener('click', () => dialog.close());
  id('stop-yes').addEventListener('click', async () => {
    dialog.close();
    try {
      await run.connection.call('stop');
      announce('Stopping; outputs take their safe values');
    } catch (error) {
      id('stop-reply').textContent = error.message;
      announce(error.message);
    }
  });
}
