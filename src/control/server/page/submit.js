// SPDX-License-Identifier: Apache-2.0
// Forms that ask for a change: what was asked is told with the frame it took effect at, an error
// at the field it is about.

import { announce } from './announce.js';
import { make, show } from './dom.js';
import { count } from './format.js';

/// Calls `change` (a promise of {frame, time_s}, or of neither where it is not of one frame) when
/// `form` is submitted, once at a time; `done` are the words for what happened. An error is told at the field whose name it begins with.
export function onSubmit(form, { change, done }) {
  const reply = form.querySelector('.reply') ?? form.appendChild(make('p', { class: 'reply' }));
  reply.id ||= `${form.id}-reply`;
  form.noValidate = true;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (form.dataset.busy) return;
    form.dataset.busy = 'true';
    clearError(form, reply);
    try {
      const effect = await change(event.submitter);
      const { frame, time_s: time } = effect;
      const at = frame === undefined ? '' : ` at frame ${count(frame)}`;
      const words = `${done(event.submitter)}${at}`;
      show(reply, frame === undefined ? words : `${words} (${time.toFixed(3)} s)`);
      announce(words);
    } catch (error) {
      showError(form, reply, error.message);
    } finally {
      delete form.dataset.busy;
    }
  });
}

function clearError(form, reply) {
  reply.classList.remove('error');
  show(reply, '');
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}

function showError(form, reply, message) {
  reply.classList.add('error');
  show(reply, message);
  announce(message);
  const [name, first] = message.match(/^(\w+)[\w.]*/) ?? ['', ''];
  const field = form.elements.namedItem(name) ?? form.elements.namedItem(first);
  if (field === null) return;
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
