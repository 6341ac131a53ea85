// SPDX-License-Identifier: Apache-2.0
// The signals, parameters and faults of the run, and the tiles that show them: those of a dashboard
// that is kept, or this browser's own.

import { isSignal, itemsOf } from './catalogue.js';
import { added, readLayout, settled, usualLayout, writeLayout } from './layout.js';

/// Events: `items` tells of `this.all`, another run's; `tiles` of `this.tiles`; `chosen` of the
/// signals that are plotted, `this.chosen`.
export class Signals extends EventTarget {
  all = [];
  tiles = [];
  chosen = [];
  name = ''; // of the dashboard; '': this browser's own
  #model = '';
  known = '';

  constructor(run) {
    super();
    run.on('list', (list) => {
      const all = itemsOf(list);
      const known = JSON.stringify(all);
      if (known === this.known) return;
      this.known = known;
      this.all = all;
      this.#model = run.status?.model ?? '';
      this.dispatchEvent(new Event('items'));
      if (this.name === '') this.showOwn();
      else this.show(this.tiles);
    });
  }

  has(name) {
    return this.chosen.some((s) => s.name === name);
  }

  /// Puts a signal into a plot, the first of its unit or a new one, or takes it out of all.
  toggle(item) {
    const plots = this.tiles.filter((tile) => tile.kind === 'plot');
    const unitOf = (tile) => this.all.find((s) => s.name === tile.signals[0])?.unit ?? item.unit;
    if (this.has(item.name)) {
      for (const plot of plots) plot.signals = plot.signals.filter((name) => name !== item.name);
      // One that is emptied in this way goes.
      return this.show(this.tiles.filter((tile) => tile.kind !== 'plot' || tile.signals.length > 0));
    }
    const same = plots.find((tile) => unitOf(tile) === item.unit);
    if (same) same.signals = this.#inOrder([...same.signals, item.name]);
    else added(this.tiles, 'plot', { signals: [item.name] });
    return this.show([...this.tiles]);
  }

  #inOrder(names) {
    const places = new Map(this.all.map((item) => [item.name, item.place]));
    return names.sort((a, b) => (places.get(a) ?? Infinity) - (places.get(b) ?? Infinity));
  }

  /// These tiles, of the dashboard `name`.
  show(tiles, name = this.name) {
    this.name = name;
    this.tiles = settled(tiles);
    const plotted = new Set(
      tiles.filter((tile) => tile.kind === 'plot').flatMap((tile) => tile.signals),
    );
    this.chosen = this.all.filter((s) => isSignal(s) && plotted.has(s.name));
    this.keep();
    this.dispatchEvent(new Event('tiles'));
    this.dispatchEvent(new Event('chosen'));
  }

  /// This browser's own, or what suits the model.
  showOwn() {
    this.show(this.#recall() ?? usualLayout(this.all), '');
  }

  /// Remembers this browser's own.
  keep() {
    if (this.name !== '' || this.all.length === 0) return;
    try {
      localStorage.setItem(this.#key, JSON.stringify(writeLayout(this.tiles)));
    } catch {
      // A browser without storage forgets.
    }
  }

  get #key() {
    return `hild.dashboard.${this.#model}`;
  }

  #recall() {
    try {
      return readLayout(JSON.parse(localStorage.getItem(this.#key))).tiles;
    } catch {
      return null;
    }
  }
}
