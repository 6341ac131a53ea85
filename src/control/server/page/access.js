// SPDX-License-Identifier: Apache-2.0
// Who may: the token where the server wants one, and what cannot be changed when nobody may write.

import { id, showIf } from './dom.js';

const key = 'hild.token';

export function storedToken() {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/// Why a client with these `rights`, as the run tells them, may not use a method; '' where it may.
export function whyNot(rights, method) {
  if (!rights.writes) return rights.why;
  if (rights.may === null || method in rights.may) return '';
  return `the role ${rights.role} may not ${method}`;
}

/// What tiles show is of `moment`: while that is in the past, a person who presses there would change
/// what is now by what was, so nothing can be pressed.
export function accessPanel(run, moment) {
  const lock = () => {
    for (const set of document.querySelectorAll('fieldset.writes'))
      set.disabled = !run.writable || (moment.at !== null && set.closest('.tile') !== null);
  };
  run.on('status', lock);
  moment.addEventListener('moment', lock);
  run.on('connection', (state) => {
    lock();
    showIf(id('token-form'), state === 'unauthorised');
    if (state === 'unauthorised') {
      showIf(id('token-refused'), storedToken() !== '');
      id('token').focus();
    }
  });
  id('token-form').addEventListener('submit', (event) => {
    event.preventDefault();
    const token = id('token').value.trim();
    try {
      sessionStorage.setItem(key, token);
    } catch {
      // Kept until the page is left.
    }
    id('token').value = '';
    run.connection.retry(token);
  });
}
