// SPDX-License-Identifier: Apache-2.0
// The element of a tile, with what stands in it by its kind, and how it is moved when arranged.

import { make } from './dom.js';
import { gaugeTile, lampTile, numericTile, textTile } from './tile_dials.js';
import { namesIn, tileKinds } from './tile_kinds.js';
import { plotTile, xyTile } from './tile_plots.js';
import { buttonTile, sliderTile, switchTile } from './tile_writes.js';

const makers = {
  plot: plotTile,
  xy: xyTile,
  gauge: gaugeTile,
  lamp: lampTile,
  numeric: numericTile,
  slider: sliderTile,
  switch: switchTile,
  button: buttonTile,
  text: textTile,
};

/// {element, names, asks, draw, fit, redraw, end} of a tile; `context` as in dashboard.js.
export function makeTile(tile, context) {
  const made = tile.wrong ? brokenTile(tile) : makers[tile.kind](tile, context);
  const element = make(
    'article',
    { class: 'tile', 'data-kind': tile.kind ?? 'broken', 'aria-label': nameOf(tile) },
    make('div', { class: 'tile-body' }, made.body),
  );
  const parts = { names: [], asks: [], draw() {}, fit() {}, redraw() {}, end() {}, ...made };
  return { ...parts, tile, element };
}

/// Of one that this page cannot show: told, and kept as it is.
function brokenTile({ wrong, raw }) {
  return {
    body: make(
      'div',
      { class: 'dial' },
      make('p', { class: 'error', text: `This tile cannot be shown: ${wrong}.` }),
      make('p', { class: 'aside', text: JSON.stringify(raw).slice(0, 300) }),
    ),
  };
}

export function nameOf(tile) {
  if (tile.wrong) return 'Tile that cannot be shown';
  const about = tile.title || namesIn(tile).map((n) => n.replace(/^\w+:/, '')).join(', ');
  return about ? `${tileKinds[tile.kind].words}: ${about}` : tileKinds[tile.kind].words;
}

/// Stands where the layout says; on a narrow page one below the other.
export function place(element, { x, y, w, h }) {
  for (const [name, value] of Object.entries({ x: x + 1, y: y + 1, w, h }))
    element.style.setProperty(`--${name}`, value);
}
