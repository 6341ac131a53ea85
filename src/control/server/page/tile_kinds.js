// SPDX-License-Identifier: Apache-2.0
// What a dashboard is made of: the kinds of tiles, their sizes and fields. What is checked, asked for
// in a form and written into a file follows from this table.

// `of` of a name: signals, parameters, or both. `usual`: where nothing is given.
const title = { name: 'title', words: 'Title', type: 'text', usual: '' };
const signal = { name: 'signal', words: 'Signal', type: 'name', of: 'any' };
const parameter = { name: 'parameter', words: 'Parameter', type: 'name', of: 'parameter' };
const from = { name: 'min', words: 'From', type: 'number', usual: 0 };
const to = { name: 'max', words: 'To', type: 'number', usual: 1 };

export const tileKinds = {
  plot: {
    words: 'Plot',
    size: [12, 5],
    fields: [title, { name: 'signals', words: 'Signals', type: 'names', of: 'signal' }],
  },
  xy: {
    words: 'XY plot',
    size: [6, 7],
    fields: [
      title,
      { name: 'x_signal', words: 'Across', type: 'name', of: 'signal' },
      { name: 'y_signal', words: 'Up', type: 'name', of: 'signal' },
    ],
  },
  gauge: {
    words: 'Gauge',
    size: [3, 4],
    fields: [
      title,
      signal,
      from,
      to,
      { name: 'warn', words: 'Marked from', type: 'number', usual: null },
    ],
  },
  lamp: {
    words: 'Lamp',
    size: [3, 2],
    fields: [
      title,
      signal,
      { name: 'above', words: 'Lit above', type: 'number', usual: 0.5 },
    ],
  },
  numeric: {
    words: 'Number',
    size: [3, 2],
    fields: [title, signal],
  },
  slider: {
    words: 'Slider',
    size: [4, 3],
    writes: true,
    fields: [title, parameter, from, to],
  },
  switch: {
    words: 'Switch',
    size: [4, 3],
    writes: true,
    fields: [
      title,
      parameter,
      { name: 'off', words: 'Off is', type: 'number', usual: 0 },
      { name: 'on', words: 'On is', type: 'number', usual: 1 },
    ],
  },
  button: {
    words: 'Button',
    size: [4, 3],
    writes: true,
    fields: [
      title,
      {
        name: 'does',
        words: 'Does',
        type: 'choice',
        choices: [
          'set',
          'fault',
          'release',
          'stimulate',
          'quiet',
          'mark',
          'freeze',
          'step',
          'resume',
          'begin',
        ],
        usual: 'mark',
      },
      { ...parameter, words: 'Parameter, to set', optional: true },
      {
        ...signal,
        of: 'signal',
        words: 'Signal, to falsify and release; input, to stimulate and quiet',
        optional: true,
      },
      {
        name: 'how',
        words: 'How it is falsified',
        type: 'choice',
        choices: ['stuck', 'offset', 'gain', 'noise', 'dropout', 'coarse'],
        usual: 'stuck',
      },
      { name: 'value', words: 'Value, to set, falsify by or add', type: 'number', usual: 0 },
      { name: 'sequence', words: 'Sequence, to begin', type: 'text', usual: '' },
    ],
  },
  text: {
    words: 'Text',
    size: [4, 2],
    fields: [{ name: 'text', words: 'Text', type: 'long', usual: '' }],
  },
};

export const mostTiles = 100;
export const columns = 12;
const tallest = 30;
const longestText = 2000;
const mostNames = 50;

/// What is wrong with a tile, in words; empty: nothing.
export function wrongWith(tile) {
  const found = (value) => JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
  if (typeof tile !== 'object' || tile === null || Array.isArray(tile))
    return `found ${found(tile)}, expected an object`;
  if (!Object.hasOwn(tileKinds, tile.kind))
    return `kind: found ${found(tile.kind)}, expected one of ${Object.keys(tileKinds).join(', ')}`;
  for (const [name, low, high] of [
    ['x', 0, columns - 1],
    ['y', 0, 10_000],
    ['w', 1, columns],
    ['h', 1, tallest],
  ]) {
    if (!Number.isInteger(tile[name]) || tile[name] < low || tile[name] > high)
      return `${name}: found ${found(tile[name])}, expected a whole number from ${low} to ${high}`;
  }
  for (const field of tileKinds[tile.kind].fields) {
    const value = tile[field.name];
    if (value === undefined && (field.usual !== undefined || field.optional)) continue;
    const expected = wrongWithField(field, value);
    if (expected) return `${field.name}: found ${found(value)}, expected ${expected}`;
  }
  return '';
}

function wrongWithField({ type, usual, choices }, value) {
  const isName = (v) => typeof v === 'string' && v.length <= 300;
  if (type === 'number')
    return Number.isFinite(value) || (value === null && usual === null) ? '' : 'a number';
  if (type === 'name') return isName(value) ? '' : 'a name such as "output:speed"';
  if (type === 'names')
    return Array.isArray(value) && value.every(isName) && value.length <= mostNames
      ? ''
      : `a list of ${mostNames} names at most`;
  if (type === 'choice') return choices.includes(value) ? '' : `one of ${choices.join(', ')}`;
  return typeof value === 'string' && value.length <= longestText
    ? ''
    : `a text of ${longestText} characters at most`;
}

/// A field of a tile, or what is usual.
export function fieldOf(tile, name) {
  const usual = tileKinds[tile.kind].fields.find((f) => f.name === name)?.usual;
  return tile[name] ?? usual;
}

/// The signals and parameters that a tile shows or sets.
export function namesIn(tile) {
  return tileKinds[tile.kind].fields
    .filter(({ type }) => type === 'name' || type === 'names')
    .flatMap(({ name }) => tile[name] ?? []);
}
