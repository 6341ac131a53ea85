// SPDX-License-Identifier: Apache-2.0
// Colours and dashes of what is drawn on a canvas, from the style sheet. A trace is told from
// another by both.

export const dark = matchMedia('(prefers-color-scheme: dark)');
export const calm = matchMedia('(prefers-reduced-motion: reduce)');

export const colour = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const colours = 6;

export const traceColour = (i) => colour(`--trace-${i % colours}`);
export const traceDash = (i) => dashes[i % dashes.length];
