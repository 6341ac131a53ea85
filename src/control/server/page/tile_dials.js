// SPDX-License-Identifier: Apache-2.0
// Tiles that show one value, or a text: gauge, lamp, number, text.

import { make, makeSvg, show } from './dom.js';
import { number, steady, unit } from './format.js';
import { fieldOf } from './tile_kinds.js';

/// The frame of all of them: a name, what is `inside`, a value that stays as wide.
function dial(tile, context, inside, showValue) {
  const item = context.itemOf(tile.signal);
  const label = fieldOf(tile, 'title') || (item?.label ?? tile.signal);
  const value = make('span', { class: 'value' });
  const unitWords = make('span', { class: 'unit', text: unit(item?.unit) });
  const body = make(
    'div',
    { class: `dial ${tile.kind}` },
    make('span', { class: 'name', text: label, title: label }),
    ...inside,
    make('span', { class: 'reading' }, value, ' ', unitWords),
  );
  if (!item) {
    show(value, '–');
    unitWords.textContent = `This run has no ${tile.signal}.`;
    return { body, names: [] };
  }
  return {
    body,
    names: item.kind === 'parameter' ? [] : [item.name],
    asks: item.kind === 'parameter' ? [item.name] : [],
    draw: () => {
      const now = context.valueOf(item);
      show(value, item.kind === 'parameter' ? number(now, 6) : steady(now));
      showValue?.(now, value);
    },
  };
}

export const numericTile = (tile, context) => dial(tile, context, []);

export function lampTile(tile, context) {
  const bulb = make('span', { class: 'bulb', 'aria-hidden': 'true' });
  const word = make('span', { class: 'word' });
  const above = fieldOf(tile, 'above');
  return dial(tile, context, [bulb, word], (now) => {
    const is = Number.isNaN(now) || now === undefined ? '' : now > above ? 'on' : 'off';
    if (bulb.dataset.is !== is) bulb.dataset.is = is;
    show(word, is);
  });
}

const start = (-5 / 4) * Math.PI;
const whole = (3 / 2) * Math.PI;
const point = (share, radius) => {
  const angle = start + share * whole;
  return `${(50 + radius * Math.cos(angle)).toFixed(2)} ${(46 + radius * Math.sin(angle)).toFixed(2)}`;
};
const arc = (from, to, radius) =>
  `M${point(from, radius)}A${radius} ${radius} 0 ${to - from > 2 / 3 ? 1 : 0} 1 ${point(to, radius)}`;

export function gaugeTile(tile, context) {
  const [low, high, warn] = ['min', 'max', 'warn'].map((name) => fieldOf(tile, name));
  const share = (v) => Math.min(1, Math.max(0, (v - low) / (high - low || 1)));
  const hand = makeSvg('path', { class: 'hand' });
  const parts = [makeSvg('path', { class: 'scale', d: arc(0, 1, 40) })];
  if (warn !== null) parts.push(makeSvg('path', { class: 'warn', d: arc(share(warn), 1, 40) }));
  const text = (at, words, anchor) =>
    makeSvg('text', { x: at, y: 86, 'text-anchor': anchor, text: words });
  const face = makeSvg(
    'svg',
    { viewBox: '0 0 100 90', 'aria-hidden': 'true' },
    ...parts,
    hand,
    text(14, number(low), 'start'),
    text(86, number(high), 'end'),
  );
  let drawn = '';
  return dial(tile, context, [face], (now, value) => {
    const to = Number.isFinite(now) ? `M50 46L${point(share(now), 34)}` : '';
    if (to !== drawn) hand.setAttribute('d', to);
    drawn = to;
    // Said by a word besides the colour.
    const beyond = now < low || now > high ? ' beyond the scale' : '';
    const marked = warn !== null && now >= warn ? ' marked' : '';
    value.classList.toggle('fair', marked !== '');
    show(value, steady(now) + marked + beyond);
  });
}

export function textTile(tile) {
  return { body: make('p', { class: 'note', text: fieldOf(tile, 'text') }), names: [] };
}
