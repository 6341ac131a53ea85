// SPDX-License-Identifier: Apache-2.0
// The tree of signals, parameters and faults: found by typing, walked with the keyboard, with the
// values of what is seen.

import { announce } from './announce.js';
import { groupsOf, isSignal, rowsOf } from './catalogue.js';
import { id, make, show, showIf } from './dom.js';
import { count, number, steady, unit } from './format.js';
import { Rows } from './rows.js';
import { search } from './search.js';
import { traceSwatch } from './swatch.js';

const rowHeight = 30; // px, as in signals.css
const quiet = 700; // ms without a key, then how many were found is said

/// `act(item)` is what Enter does to a parameter or a fault; signals are plotted or not.
export function treePanel(signals, values, act) {
  const closed = new Set();
  const box = id('signal-list');
  const field = id('signal-search');
  let active = -1; // the row that keys are about
  const rows = new Rows(box, rowHeight, (row, place) => element(row, place));

  values.watch(() => (box.checkVisibility() ? rows.seen.filter(hasValue).map(nameOf) : []));
  signals.addEventListener('items', () => fill(0));
  signals.addEventListener('chosen', () => rows.redraw());
  values.addEventListener('values', showValues);

  function fill(place) {
    const query = field.value.trim();
    const found = search(signals.all, query);
    const all =
      query === ''
        ? rowsOf(groupsOf(signals.all), closed)
        : found.map((item, at) => ({ item, level: 1, at: at + 1, of: found.length, found: true }));
    rows.show(all);
    move(Math.min(place, all.length - 1));
    const words = query === '' ? count(found.length) : `${count(found.length)} found`;
    show(id('signal-count'), words);
  }

  function element(row, place) {
    const line = row.item ? itemRow(row) : groupRow(row);
    line.id = `row-${place}`;
    for (const [name, value] of [
      ['role', 'treeitem'],
      ['aria-level', row.level],
      ['aria-posinset', row.at],
      ['aria-setsize', row.of],
      ['aria-selected', place === active],
    ])
      line.setAttribute(name, value);
    line.addEventListener('click', (event) => {
      move(place);
      // A click on a label comes again as that of its box.
      if (!row.group && event.target.tagName !== 'INPUT') return;
      use(row);
      box.focus({ preventScroll: true }); // the box that was clicked is another element by now
    });
    line.addEventListener('dblclick', () => row.item && !isSignal(row.item) && act(row.item));
    return line;
  }

  function groupRow({ title, open, count: size, level }) {
    return make(
      'div',
      { class: `group level-${level}`, 'aria-expanded': String(open) },
      make('span', { class: 'fold', text: open ? '▾' : '▸', 'aria-hidden': 'true' }),
      make('span', { text: title }),
      make('span', { class: 'aside', text: count(size) }),
    );
  }

  function itemRow({ item, level, found }) {
    const plotted = isSignal(item);
    const name = make('span', { class: 'name', text: item.label, title: item.label });
    const box = make('input', {
      type: 'checkbox',
      name: item.name,
      tabindex: -1,
      checked: signals.has(item.name),
    });
    const line = make(
      'div',
      { class: `signal level-${level}`, 'data-name': item.name },
      plotted
        ? make('label', {}, box, traceSwatch(item.place), name)
        : make('span', { class: 'label' }, name),
      make('span', { class: 'differs' }),
      make('span', { class: 'value' }),
      make('span', { class: 'unit', text: unit(item.unit) }),
    );
    if (found) name.after(make('span', { class: 'aside', text: item.kind }));
    if (plotted) line.setAttribute('aria-checked', box.checked);
    showValue(line, item);
    return line;
  }

  function showValues() {
    for (const line of box.querySelectorAll('.signal'))
      showValue(line, { name: line.dataset.name, kind: line.dataset.name.split(':')[0] });
    showActive();
  }

  function showValue(line, { name, kind }) {
    const value = values.of(name);
    const words = kind === 'parameter' ? number(value, 6) : steady(value);
    show(line.querySelector('.value'), kind === 'fault' ? '' : words);
    const differs = line.querySelector('.differs');
    show(differs, inWords(values.differs(name)));
    differs.title = differs.textContent;
  }

  // ---- the active row, and keys ----

  function move(place) {
    active = place;
    for (const line of box.querySelectorAll('[role=treeitem]'))
      line.setAttribute('aria-selected', String(line.id === `row-${place}`));
    if (place >= 0) rows.reveal(place);
    for (const e of [box, field]) {
      if (place >= 0) e.setAttribute('aria-activedescendant', `row-${place}`);
      else e.removeAttribute('aria-activedescendant');
    }
    showActive();
  }

  function showActive() {
    const item = rows.at(active)?.item;
    showIf(id('signal-active'), item !== undefined);
    if (!item) return;
    const what = inWords(values.differs(item.name)) || item.help;
    show(id('signal-active-words'), `${item.label}, ${item.kind}${what ? `: ${what}` : ''}`);
    for (const button of id('signal-active').querySelectorAll('button'))
      showIf(button, button.dataset.for.split(' ').includes(item.kind));
  }

  function use({ group, item }) {
    if (item && isSignal(item)) return signals.toggle(item);
    if (item) return act(item);
    if (!closed.delete(group)) closed.add(group);
    return fill(active);
  }

  function fold(row, open) {
    if (row?.group && row.open !== open) return use(row);
    if (open) return move(Math.min(active + 1, rows.length - 1));
    for (let at = active - 1; at >= 0; --at)
      if (rows.at(at).level < rows.at(active).level) return move(at);
  }

  const keys = {
    ArrowDown: () => move(Math.min(active + 1, rows.length - 1)),
    ArrowUp: () => move(Math.max(active - 1, 0)),
    PageDown: () => move(Math.min(active + rows.page, rows.length - 1)),
    PageUp: () => move(Math.max(active - rows.page, 0)),
    Enter: () => use(rows.at(active)),
  };
  // In the field these are for the text.
  const treeKeys = {
    ...keys,
    Home: () => move(0),
    End: () => move(rows.length - 1),
    ' ': keys.Enter,
    ArrowRight: () => fold(rows.at(active), true),
    ArrowLeft: () => fold(rows.at(active), false),
  };

  function onKey(event, known) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'Escape' && field.value !== '') {
      field.value = '';
      fill(0);
    } else if (Object.hasOwn(known, event.key)) {
      if (rows.length > 0) known[event.key]();
    } else if (known === treeKeys && event.key.length === 1) {
      field.focus(); // which takes the character
      return;
    } else {
      return;
    }
    event.preventDefault();
  }

  let typed = 0;
  field.addEventListener('input', () => {
    box.scrollTop = 0;
    fill(0);
    clearTimeout(typed);
    typed = setTimeout(() => field.value && announce(id('signal-count').textContent), quiet);
  });
  field.addEventListener('keydown', (event) => onKey(event, keys));
  box.addEventListener('keydown', (event) => onKey(event, treeKeys));
  id('signal-active').addEventListener('click', ({ target }) => {
    const item = rows.at(active)?.item;
    if (target.tagName === 'BUTTON' && item) act(item, target.value);
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target.closest?.('input, select, textarea, dialog');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}

const hasValue = ({ item }) => item && item.kind !== 'fault';
const nameOf = ({ item }) => item.name;

function inWords(differs) {
  if (!differs) return '';
  const line = differs.line === null ? '' : `line ${steady(differs.line)}, `;
  return `${line}plant ${steady(differs.plant)}: ${differs.why}`;
}
