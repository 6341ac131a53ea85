// SPDX-License-Identifier: Apache-2.0
// Two cursors on the axis of time, with the values there and what lies between them.

import { id, make, showIf } from './dom.js';
import { number, steady, withUnit } from './format.js';

export class Cursors extends EventTarget {
  a = null; // s
  b = null;

  /// Puts one at an instant: the named one, else the first that is not there, else B.
  put(time, which = this.a === null ? 'a' : 'b') {
    this[which] = time;
    this.dispatchEvent(new Event('cursors'));
  }
  clear() {
    this.a = this.b = null;
    this.dispatchEvent(new Event('cursors'));
  }
  /// Those that are there: [name, time].
  get all() {
    return [
      ['A', this.a],
      ['B', this.b],
    ].filter(([, time]) => time !== null);
  }
}

/// The place of the newest sample until an instant; -1 before the first.
export function lastUntil(times, time) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/// The value of each column at an instant: that of the newest sample then; NaN before the first.
export function valuesAt([times, ...columns], time) {
  const at = lastUntil(times, time);
  return columns.map((column) => (at < 0 ? NaN : column[at]));
}

/// Shows the table of `cursors`; `signals()` are those plotted, `view` what is seen of them.
export function cursorTable(cursors, view, signals) {
  const rows = (list, known) => {
    const data = view.traces.since(
      -Infinity,
      list.map((s) => s.name),
    );
    const at = Object.fromEntries(known.map(([name, time]) => [name, valuesAt(data, time)]));
    return list.map((s, i) => ({ s, a: at.A?.[i], b: at.B?.[i] }));
  };
  const cell = (value, unit) =>
    make('td', { text: value === undefined ? '' : withUnit(steady(value, 6), unit) });

  function draw() {
    const known = cursors.all;
    showIf(id('cursors'), known.length > 0);
    if (known.length === 0) return;
    const difference = known.length < 2 ? undefined : cursors.b - cursors.a;
    id('cursor-times').replaceChildren(
      make('th', { scope: 'row', text: 'time' }),
      cell(cursors.a ?? undefined, 's'),
      cell(cursors.b ?? undefined, 's'),
      cell(difference, 's'),
    );
    id('cursor-values').replaceChildren(
      ...rows(signals(), known).map(({ s, a, b }) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row', text: s.label }),
          cell(a, s.unit),
          cell(b, s.unit),
          cell(a === undefined || b === undefined ? undefined : b - a, s.unit),
        ),
      ),
    );
    id('cursor-rate').textContent = difference
      ? `1/(B − A) is ${withUnit(number(1 / Math.abs(difference)), 'Hz')}`
      : '';
  }

  cursors.addEventListener('cursors', draw);
  id('clear-cursors').addEventListener('click', () => cursors.clear());
  return draw;
}
