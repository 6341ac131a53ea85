// SPDX-License-Identifier: Apache-2.0
// Colours and dashes of what is drawn on a canvas, from the style sheet. A trace is told from
// another by both.

export const dark = matchMedia('(prefers-color-scheme: dark)');
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

// Asked for with each line that is drawn: a style that is computed costs as much as the line.
const colours = new Map();
dark.addEventListener('change', () => colours.clear());

export function colour(name) {
  if (!colours.has(name))
    colours.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
  return colours.get(name);
}

const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const inks = 6;

export const traceColour = (i) => colour(`--trace-${i % inks}`);
export const traceDash = (i) => dashes[i % dashes.length];
