// SPDX-License-Identifier: Apache-2.0
// Who has control of the run: taken, given back, and taken over when that is meant.

import { announce } from './announce.js';
import { id, show, showIf } from './dom.js';

// Others are told this name, and one page is told from another by it.
const me = `live page ${crypto.getRandomValues(new Uint16Array(1))[0].toString(16)}`;

export function ownerPanel(run) {
  const dialog = id('take-dialog');
  let owner = null;

  run.on('status', ({ control }) => {
    const before = owner;
    owner = control?.owner ?? null;
    const { line, button, banner } = words(owner, control);
    show(id('control-owner'), line);
    show(id('take'), button);
    show(id('owned-words'), banner);
    showIf(id('owned'), banner !== '');
    if (owner !== before) announce(banner || `Control: ${line}`);
  });

  async function ask(method, params) {
    show(id('take-reply'), '');
    try {
      await run.connection.call(method, params);
      await run.refresh('status');
    } catch (error) {
      show(id('take-reply'), error.message);
      announce(error.message);
    }
  }

  id('take').addEventListener('click', () => {
    if (owner === me) ask('give', {});
    else if (owner === null) ask('take', { owner: me });
    else {
      show(id('take-title'), `Take control from ${owner}?`);
      dialog.showModal();
    }
  });
  id('take-no').addEventListener('click', () => dialog.close());
  id('take-yes').addEventListener('click', () => {
    dialog.close();
    ask('take', { owner: me, over: true });
  });
}

function words(owner, control) {
  if (owner === null) {
    return { line: 'nobody has it, so all may change the run', button: 'Take control', banner: '' };
  }
  if (owner === me) {
    const left = Math.ceil(control.left_s / 60);
    const line = `this page has it, for ${left} min more without a change`;
    return { line, button: 'Give control back', banner: '' };
  }
  return {
    line: `${owner} has it`,
    button: 'Take over…',
    banner: `${owner} has control: nobody else may change the run, but all may freeze and stop it.`,
  };
}
