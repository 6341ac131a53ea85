// SPDX-License-Identifier: Apache-2.0
// Where the tiles of a dashboard stand: twelve columns, as many rows as there are, none on another.

import { columns, mostTiles, tileKinds, wrongWith } from './tile_kinds.js';

export const version = 1;

/// Reads a layout {version, tiles}: {tiles: [{…, wrong?}], faults: [words]}. A tile that is wrong
/// stays as it is, so that it is neither lost nor overwritten. Throws an Error where it is none.
export function readLayout(layout) {
  if (layout?.version !== version)
    throw new Error(
      `version: found ${JSON.stringify(layout?.version) ?? 'none'}, expected ${version}; it was ` +
        'made by another version of hild',
    );
  if (!Array.isArray(layout.tiles) || layout.tiles.length > mostTiles)
    throw new Error(`tiles: expected a list of ${mostTiles} tiles at most`);
  const faults = [];
  const tiles = layout.tiles.map((raw, i) => {
    const wrong = wrongWith(raw);
    if (!wrong) return { ...raw };
    faults.push(`tile ${i + 1}: ${wrong}`);
    return { raw, wrong, x: 0, y: placeOf(raw), w: 6, h: 2 };
  });
  return { tiles: settled(tiles), faults };
}

const placeOf = (raw) => (Number.isInteger(raw?.y) && raw.y >= 0 && raw.y <= 10_000 ? raw.y : 0);

/// The layout to be written.
export const writeLayout = (tiles) => ({
  version,
  tiles: tiles.map((tile) => (tile.wrong ? tile.raw : tile)),
});

const meet = (a, b) =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

/// The tiles with those pushed down that stand in the way of one above, or of `first`, which stays.
export function settled(tiles, first = null) {
  const order = tiles
    .filter((tile) => tile !== first)
    .sort((a, b) => a.y - b.y || a.x - b.x);
  const placed = first ? [first] : [];
  for (const tile of order) {
    for (let other; (other = placed.find((p) => meet(p, tile))); ) tile.y = other.y + other.h;
    placed.push(tile);
  }
  return tiles;
}

/// Moves or resizes a tile by so many columns and rows, within the board.
export function shifted(tiles, tile, { x = 0, y = 0, w = 0, h = 0 }) {
  const within = (value, low, high) => Math.min(high, Math.max(low, value));
  tile.w = within(tile.w + w, 1, columns);
  tile.h = within(tile.h + h, 1, 30);
  tile.x = within(tile.x + x, 0, columns - tile.w);
  tile.y = within(tile.y + y, 0, 10_000);
  return settled(tiles, tile);
}

/// A new tile in the first place that is free.
export function added(tiles, kind, fields = {}) {
  const [w, h] = tileKinds[kind].size;
  const tile = { kind, x: 0, y: 0, w, h, ...fields };
  while (tiles.some((other) => meet(tile, other))) {
    tile.x += 1;
    if (tile.x + w > columns) Object.assign(tile, { x: 0, y: tile.y + 1 });
  }
  tiles.push(tile);
  return tile;
}

/// What is shown of a run that nobody arranged anything for: a plot for each unit of the first
/// outputs.
export function usualLayout(signals, most = 4) {
  const tiles = [];
  const outputs = signals.filter((s) => s.kind === 'output').slice(0, most);
  for (const same of Map.groupBy(outputs, (s) => s.unit).values())
    added(tiles, 'plot', { signals: same.map((s) => s.name) });
  return tiles;
}
