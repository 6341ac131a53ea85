// SPDX-License-Identifier: Apache-2.0
// The dashboards that came with the configuration and those that the daemon keeps: found, opened,
// stored, removed, and shared by a link.

import { announce } from './announce.js';
import { id, make, options, show } from './dom.js';
import { readLayout, writeLayout } from './layout.js';

const prefix = '#dashboard=';

/// The name in the address of the page; '': this browser's own; null where it names none.
export function linkedName(hash = location.hash) {
  if (!hash.startsWith(prefix)) return null;
  try {
    return decodeURIComponent(hash.slice(prefix.length));
  } catch {
    return null;
  }
}

export const linkTo = (name) => prefix + encodeURIComponent(name);

/// `board`: {tiles, changed, show(tiles), showOwn()}.
export function storedPanel(run, board) {
  const select = id('dashboard');
  let name = ''; // '': this browser's own, or what the model suggests
  let revision = '';
  let first = ''; // what is shown where the address names none; '': this browser's own

  async function list() {
    if (!run.open) return;
    const { dashboards } = await run.connection.call('dashboards');
    first = dashboards.find((d) => d.from === 'configuration')?.name ?? '';
    const words = (d) => (d.from === 'configuration' ? `${d.name} (configuration)` : d.name);
    options(select, [
      make('option', { value: '', text: 'This browser’s own' }),
      ...dashboards.map((d) => make('option', { value: d.name, text: words(d) })),
    ]);
    select.value = name;
  }

  function say(words, error = false) {
    id('dashboard-reply').classList.toggle('error', error);
    show(id('dashboard-reply'), words);
    if (words) announce(words);
  }

  /// Shows a dashboard, or what keeps it from being shown; then the one before stays.
  async function open(wanted) {
    try {
      if (wanted === '') {
        board.showOwn();
        revision = '';
        say('');
      } else {
        const got = await run.connection.call('dashboard', { name: wanted });
        const { tiles, faults } = readLayout(got.layout);
        revision = got.revision;
        board.show(tiles, wanted);
        const words = `“${wanted}” has what cannot be shown, and is kept as it is: ${faults.join('; ')}`;
        say(faults.length > 0 ? words : `Dashboard ${wanted}`, faults.length > 0);
      }
      name = wanted;
      const plain = wanted === '' && first === '';
      if (linkedName() !== wanted)
        history.replaceState(null, '', plain ? location.pathname : linkTo(wanted));
    } catch (error) {
      say(error.message, true);
    }
    select.value = name;
    id('dashboard-name').value = name;
    id('dashboard-link').hidden = name === '';
    id('dashboard-link').href = linkTo(name);
  }

  async function store() {
    const wanted = id('dashboard-name').value.trim();
    try {
      const params = { name: wanted, layout: writeLayout(board.tiles) };
      if (wanted === name && revision !== '') params.over = revision;
      const stored = await run.connection.call('arrange', params);
      [name, revision] = [wanted, stored.revision];
      board.show(board.tiles, name);
      history.replaceState(null, '', linkTo(name));
      id('dashboard-link').hidden = false;
      id('dashboard-link').href = linkTo(name);
      await list();
      const { kept } = stored;
      say(`Stored as ${wanted}` + (kept ? `; what was there was broken, and is kept as ${kept}` : ''));
    } catch (error) {
      say(error.message, true);
    }
  }

  async function discard() {
    try {
      const gone = name;
      await run.connection.call('discard', { name: gone });
      await open('');
      await list();
      say(`${gone} removed`);
    } catch (error) {
      say(error.message, true);
    }
  }

  select.addEventListener('change', () => open(select.value));
  addEventListener('hashchange', () => linkedName() && linkedName() !== name && open(linkedName()));
  id('store-form').addEventListener('submit', (event) => {
    event.preventDefault();
    store();
  });
  id('discard').addEventListener('click', () => {
    if (name === '') return say('This browser’s own is not stored; choose one to remove', true);
    show(id('discard-title'), `Remove the dashboard ${name}?`);
    return id('discard-dialog').showModal();
  });
  id('discard-no').addEventListener('click', () => id('discard-dialog').close());
  id('discard-yes').addEventListener('click', () => {
    id('discard-dialog').close();
    discard();
  });
  /// To be called once the signals of the run are known.
  return async () => {
    await list().catch((error) => say(error.message, true));
    const wanted = linkedName() ?? first;
    if (wanted !== '' && wanted !== name) await open(wanted);
  };
}
