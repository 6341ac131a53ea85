// SPDX-License-Identifier: Apache-2.0
// Arranging a dashboard: tiles are moved and resized by mouse, finger and keyboard.

import { announce } from './announce.js';
import { make } from './dom.js';
import { shifted } from './layout.js';
import { columns } from './tile_kinds.js';
import { nameOf } from './tiles.js';

const gap = 8; // px, as in board.css
const rowHeight = 40;

/// Adds what a tile is arranged by. `board`: {grid, tiles, moved(), edit(tile), remove(tile)}.
export function makeArrangeable(element, tile, board) {
  const bar = make(
    'div',
    { class: 'tile-bar' },
    make('span', { class: 'grip', text: nameOf(tile) }),
    make('button', {
      type: 'button',
      text: '✎',
      title: 'Change',
      'aria-label': `Change ${nameOf(tile)}`,
      disabled: Boolean(tile.wrong),
      onclick: () => board.edit(tile),
    }),
    make('button', {
      type: 'button',
      text: '✕',
      title: 'Remove',
      'aria-label': `Remove ${nameOf(tile)}`,
      onclick: () => board.remove(tile),
    }),
  );
  const corner = make('span', { class: 'corner', 'aria-hidden': 'true' });
  element.prepend(bar);
  element.append(corner);
  element.tabIndex = 0;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-roledescription', 'tile');
  element.setAttribute('aria-describedby', 'arrange-help');

  element.addEventListener('keydown', (event) => {
    if (event.target !== element || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    }[event.key];
    if (step) shift(event.shiftKey ? { w: step[0], h: step[1] } : { x: step[0], y: step[1] });
    else if (event.key === 'Delete') board.remove(tile);
    else if (event.key === 'Enter' && !tile.wrong) board.edit(tile);
    else return;
    event.preventDefault();
  });

  function shift(by) {
    shifted(board.tiles, tile, by);
    board.moved();
    const { x, y, w, h } = tile;
    announce(`column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`);
  }

  drag(bar.firstChild, (dx, dy) => ({ x: dx, y: dy }));
  drag(corner, (dx, dy) => ({ w: dx, h: dy }));

  // By whole columns and rows from where it was taken.
  function drag(handle, change) {
    handle.addEventListener('pointerdown', (down) => {
      if (down.button !== 0) return;
      down.preventDefault();
      handle.setPointerCapture(down.pointerId);
      const wide = (board.grid.clientWidth + gap) / columns;
      const was = new Map(board.tiles.map((t) => [t, { ...t }]));
      const move = (event) => {
        const dx = Math.round((event.clientX - down.clientX) / wide);
        const dy = Math.round((event.clientY - down.clientY) / (rowHeight + gap));
        for (const [t, before] of was) Object.assign(t, before);
        shifted(board.tiles, tile, change(dx, dy));
        board.moved();
      };
      handle.addEventListener('pointermove', move);
      const end = () => handle.removeEventListener('pointermove', move);
      handle.addEventListener('pointerup', end, { once: true });
      handle.addEventListener('pointercancel', end, { once: true });
    });
  }
}
