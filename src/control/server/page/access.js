// SPDX-License-Identifier: Apache-2.0
// Who may: the token where the server wants one or has roles, what its role may, and what cannot be
// changed.

import { announce } from './announce.js';
import { id, show, showIf } from './dom.js';

const key = 'hild.token';
const linkKey = 'token';

export function storedToken() {
  try {
    return sessionStorage.getItem(key) ?? '';
  } catch {
    return '';
  }
}

function keepToken(token) {
  try {
    if (token === '') sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, token);
  } catch {
    // Kept until the page is left.
  }
}

/// The token in what stands after # in an address, and that without it; null: there is none.
export function readLink(hash) {
  const parts = hash.replace(/^#/, '').split('&');
  const given = parts.find((part) => part.startsWith(`${linkKey}=`));
  if (given === undefined) return null;
  const rest = parts.filter((part) => part !== given).join('&');
  let token = '';
  try {
    token = decodeURIComponent(given.slice(linkKey.length + 1)).trim();
  } catch {
    // What is no text is no token.
  }
  return { token, rest: rest === '' ? '' : `#${rest}` };
}

/// Takes the token out of the address of the page, where it came by a link, and keeps it; null: it did
/// not. A browser sends what stands after # to nobody, and the address is not to be seen or kept with it.
export function linkedToken() {
  const link = readLink(location.hash);
  if (link === null) return null;
  history.replaceState(null, '', location.pathname + link.rest);
  if (link.token !== '') keepToken(link.token);
  return link.token || null;
}

/// What a client with these `rights` may do, in words.
export function rightsWords(rights) {
  if (!rights.writes) return `You may look on only: ${rights.why}.`;
  if (rights.may === null) return 'You may do everything.';
  const may = Object.entries(rights.may).map(([method, names]) =>
    names === 'all' ? method : `${method} ${names.join(' or ')}`,
  );
  const also = may.length > 0 ? `${may.join('; ')}; and ` : '';
  return `Your role is ${rights.role}. It may ${also}freeze, disarm and stop, and see everything.`;
}

const ofEverybody = ['disarm', 'freeze', 'stop']; // what makes a run safe

/// Why a client with these `rights`, as the run tells them, may not use a method, of `name` where that
/// is given; '' where it may.
export function whyNot(rights, method, name = null) {
  if (!rights.writes) return rights.why;
  if (rights.may === null || ofEverybody.includes(method)) return '';
  const of = rights.may[method];
  if (of === undefined) return `the role ${rights.role} may not ${method}`;
  if (of === 'all' || name === null || of.includes(name)) return '';
  return `the role ${rights.role} may not ${method} ${name}`;
}

/// Of what may be pressed: data-method, and in tiles data-name, what it does to what.
function mayPress(set, rights) {
  const { method, name } = set.dataset;
  if (!method || rights === null) return '';
  return whyNot(rights, method, name ?? null);
}

/// What tiles show is of `moment`: while that is in the past, a person who presses there would change
/// what is now by what was, so nothing can be pressed.
export function accessPanel(run, moment) {
  let rights = null;
  const lock = () => {
    for (const set of document.querySelectorAll('fieldset.writes')) {
      const why = mayPress(set, rights);
      set.disabled =
        !run.writable || why !== '' || (moment.at !== null && set.closest('.tile') !== null);
      if (set.title !== why) set.title = why;
    }
  };
  run.on('rights', (its) => {
    rights = its;
    const words = rightsWords(its);
    if (id('rights').textContent !== words) announce(words);
    show(id('rights'), words);
    lock();
  });
  run.on('status', lock);
  moment.addEventListener('moment', lock);
  run.on('connection', (state) => {
    lock();
    if (state === 'open') showIf(id('token-form'), false);
    if (state !== 'unauthorised') return;
    openForm('');
    showIf(id('token-refused'), storedToken() !== '');
  });

  function openForm(words) {
    show(id('token-reply'), words);
    showIf(id('token-refused'), false);
    showIf(id('token-form'), true);
    // Without one there is nothing to go back to.
    const open = run.open;
    showIf(id('token-no'), open);
    showIf(id('token-forget'), open && storedToken() !== '');
    id('token').focus();
  }

  function use(token) {
    keepToken(token);
    show(id('rights'), '');
    run.connection.reopen(token);
  }

  id('other-role').addEventListener('click', () => openForm(''));
  id('token-no').addEventListener('click', () => {
    id('token').value = '';
    showIf(id('token-form'), false);
    id('other-role').focus();
  });
  id('token-forget').addEventListener('click', () => use(''));
  id('token-form').addEventListener('submit', async (event) => {
    event.preventDefault();
    const token = id('token').value.trim();
    id('token').value = '';
    // What is connected stays so while it is not known whether the token is taken.
    if (run.open && !(await run.connection.accepts(token)))
      return showIf(id('token-refused'), true);
    return use(token);
  });
  addEventListener('hashchange', () => {
    const token = linkedToken();
    if (token === null) return;
    use(token);
    dispatchEvent(new Event('hashchange')); // of what the address says besides
  });
}
