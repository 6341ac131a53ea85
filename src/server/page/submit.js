// SPDX-License-Identifier: Apache-2.0
// Forms that ask for a change: what was asked is told with the frame it took effect at, an error at
// the field it is about.

import { announce } from './announce.js';
import { make, show } from './dom.js';
import { count } from './format.js';

/// Calls `change` (a promise of {frame, time_s}) when `form` is submitted, once at a time. `field` is
/// where an error is told, `done` the words for what happened.
export function onSubmit(form, { field, change, done }) {
  const reply = form.querySelector('.reply') ?? form.appendChild(make('p', { class: 'reply' }));
  reply.id ||= `${form.id || field.id}-reply`;
  form.noValidate = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = 'true';
    clearError(field, reply);
    try {
      const effect = await change(event.submitter);
      const words = `${done(event.submitter)} at frame ${count(effect.frame)}`;
      show(reply, `${words} (${effect.time_s.toFixed(3)} s)`);
      announce(words);
    } catch (error) {
      showError(field, reply, error.message);
    } finally {
      delete form.dataset.busy;
    }
  });
}

function clearError(field, reply) {
  reply.classList.remove('error');
  show(reply, '');
  field?.removeAttribute('aria-invalid');
  field?.removeAttribute('aria-errormessage');
}

function showError(field, reply, message) {
  reply.classList.add('error');
  show(reply, message);
  announce(message);
  if (!field) return;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', reply.id);
  field.focus();
}

/// A number, or the text as it is: `0.02 kg m2` is the server's to read. Undefined when empty.
export function valueOf(input) {
  const text = input.value.trim().replace('\u2212', '-');
  if (text === '') return undefined;
  const value = Number(text);
  return Number.isNaN(value) ? text : value;
}
