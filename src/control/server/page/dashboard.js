// SPDX-License-Identifier: Apache-2.0
// The dashboard that is shown: its tiles, fed and drawn while they are seen, and arranged.

import { announce } from './announce.js';
import { makeArrangeable } from './arrange.js';
import { id, make, show, showIf } from './dom.js';
import { count } from './format.js';
import { added, settled, writeLayout } from './layout.js';
import { mostTiles, tileKinds } from './tile_kinds.js';
import { tileForm } from './tile_form.js';
import { makeTile, nameOf, place } from './tiles.js';
import { calm, dark } from './theme.js';
import { Seen } from './values.js';

const perWindow = 1000; // samples
const fastest = 200; // samples a second
const redrawEvery = () => (calm.matches ? 1000 : 66); // ms
const mostShare = 0.3; // of the time goes into drawing; beyond, it is drawn less often
const gap = 8; // px, as in board.css
const rowHeight = 40;

/// `signals` tells which tiles there are, and remembers them; `shared`: {view, cursors, marks, moment},
/// of all plots; `then` are parameters of the past; `seenAlso()` is called with each picture.
export function dashboardPanel(run, signals, { values, feed, then }, shared, seenAlso) {
  const grid = id('board');
  const { view, moment } = shared;
  let made = [];
  let arranging = false;
  let drawn = -Infinity;
  let cost = 0; // ms, of the last picture
  const seen = new Seen('50%'); // tiles, also those that are scrolled to next

  const context = {
    run,
    shared: Object.assign(shared, { key: 'signals', gutter: 50 }),
    itemOf: (name) => signals.all.find((item) => item.name === name),
    valueOf(item) {
      if (item.kind !== 'parameter') return moment.valueOf(item.name);
      return moment.at === null ? values.of(item.name) : then.at(item.name, moment.at);
    },
    get locked() {
      return !run.writable || moment.at !== null;
    },
  };
  const board = {
    grid,
    get tiles() {
      return signals.tiles;
    },
    moved() {
      for (const { element, tile } of made) place(element, tile);
      fit();
      signals.keep();
    },
    edit: (tile) => editTile(tile, () => signals.show(signals.tiles)),
    remove(tile) {
      announce(`${nameOf(tile)} removed`);
      signals.show(signals.tiles.filter((t) => t !== tile));
      (grid.querySelector('.tile') ?? id('tile-kind')).focus();
    },
  };
  const editTile = tileForm(signals);
  values.watch(() => made.filter(({ element }) => seen.has(element)).flatMap(({ asks }) => asks));

  const ask = () =>
    feed.want([...new Set(made.flatMap(({ names }) => names))], Math.min(fastest, perWindow / view.span));

  // Those that are as they were stay: a plot is long in making.
  function build() {
    const before = new Map(made.map((one) => [one.tile, one]));
    made = signals.tiles.map((tile) => {
      const shape = JSON.stringify([tile, signals.known, arranging]);
      const known = before.get(tile);
      if (known?.shape === shape) {
        before.delete(tile);
        return known;
      }
      const one = Object.assign(makeTile(tile, context), { shape });
      if (arranging) makeArrangeable(one.element, tile, board);
      return one;
    });
    for (const one of before.values()) {
      one.end();
      seen.forget(one.element);
    }
    grid.classList.toggle('arranging', arranging);
    const elements = made.map(({ element }) => element);
    if (elements.some((e, i) => grid.children[i] !== e) || grid.childElementCount !== elements.length)
      grid.replaceChildren(...elements);
    for (const { element, tile } of made) {
      place(element, tile);
      seen.watch(element);
    }
    showIf(id('no-tiles'), made.length === 0);
    fit();
    ask();
    draw();
  }

  function fit() {
    for (const { element, fit: fitBody } of made) 
      fitBody(element.querySelector('.tile-body').clientHeight);
  }

  function draw() {
    drawn = performance.now();
    const lost = feed.lost > 0 ? `${count(feed.lost)} samples lost on the way here` : '';
    show(id('samples-lost'), lost);
    for (const one of made) if (seen.has(one.element)) one.draw();
    seenAlso();
    cost = performance.now() - drawn;
  }

  let drawsThen = false;
  function drawThen() {
    if (drawsThen) return;
    drawsThen = true;
    requestAnimationFrame(() => {
      drawsThen = false;
      draw();
    });
  }

  // Asked for when something came: a picture asked for at each frame of the screen would have the
  // browser look through the whole page sixty times a second.
  let asked = false;
  function drawSoon() {
    if (asked || view.held !== null) return;
    asked = true;
    const pause = Math.max(redrawEvery(), cost / mostShare) - (performance.now() - drawn);
    setTimeout(
      () =>
        requestAnimationFrame(() => {
          asked = false;
          if (view.held === null) draw();
        }),
      Math.max(0, pause),
    );
  }

  signals.addEventListener('tiles', build);
  seen.changed = () => draw();
  for (const event of ['samples', 'past']) feed.addEventListener(event, drawSoon);
  view.addEventListener('view', () => {
    ask();
    draw();
  });
  moment.addEventListener('moment', drawThen);
  values.addEventListener('values', () => {
    for (const one of made) if (one.asks.length > 0 && seen.has(one.element)) one.draw();
  });
  shared.cursors.addEventListener('cursors', () => made.forEach((one) => one.redraw()));
  dark.addEventListener('change', () => made.forEach((one) => one.redraw()));
  new ResizeObserver(fit).observe(grid);

  id('arrange').addEventListener('click', () => {
    arranging = !arranging;
    id('arrange').setAttribute('aria-pressed', String(arranging));
    showIf(id('arrange-tools'), arranging);
    build();
  });
  id('tile-kind').replaceChildren(
    ...Object.entries(tileKinds).map(([kind, { words }]) =>
      make('option', { value: kind, text: words }),
    ),
  );
  id('add-tile').addEventListener('click', () => {
    if (signals.tiles.length >= mostTiles)
      return announce(`There are ${mostTiles} tiles, and no more may be`);
    const kind = id('tile-kind').value;
    const tile = { kind, ...(kind === 'plot' ? { signals: [] } : {}) };
    return editTile(tile, () => {
      const { kind: k, ...fields } = tile;
      const tiles = [...signals.tiles];
      const fresh = added(tiles, k, fields);
      settled(tiles, fresh);
      signals.show(tiles);
      made.find((one) => one.tile === fresh)?.element.scrollIntoView({ block: 'nearest' });
    });
  });
  return { layout: () => writeLayout(signals.tiles) };
}
