// SPDX-License-Identifier: Apache-2.0
// Back to a recorded step: the run ends and begins there anew, which for the page is an end of its
// connection like any other.

import { whyNot } from './access.js';
import { announce } from './announce.js';
import { id, show } from './dom.js';
import { valueOf } from './submit.js';

export function rewindPanel(run) {
  const reply = id('rewind-reply');
  let goes = false;
  const tell = (words, isError) => {
    if (reply.textContent === words) return;
    reply.classList.toggle('error', isError);
    show(reply, words);
    announce(words);
  };
  id('rewind-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    tell('', false);
    try {
      const params = { by_s: valueOf(id('rewind-by')) };
      const { to_s } = await run.connection.call('rewind', params);
      goes = true;
      tell(`Goes back to ${to_s.toFixed(3)} s, once its state is found`, false);
    } catch (error) {
      tell(error.message, true);
    }
  });
  let why = '';
  run.on('rights', (rights) => (why = whyNot(rights, 'rewind')));
  run.on('status', ({ state, rewinding }) => {
    id('rewind').disabled = why !== '' || state !== 'frozen' || rewinding?.looking === true;
    id('rewind').title = why;
    if (rewinding?.error) tell(rewinding.error, true);
    if (goes && rewinding === null) tell('Went back, and is held there', false);
    goes &&= rewinding?.looking === true;
  });
}
