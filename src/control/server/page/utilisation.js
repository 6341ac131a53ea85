// SPDX-License-Identifier: Apache-2.0
// The share of the frame that work takes, as a bar against its budget.

import { makeSvg } from './dom.js';
import { percent } from './format.js';

const width = 100; // the frame, in %

/// Redraws `svg`: a bar to p99, ticks at p50 and max, the budget as a line. Returns it in words.
export function drawUtilisation(svg, { p50, p99, max, limit }) {
  const at = (share) => Math.min(width, 100 * share);
  const mark = (name, share) =>
    makeSvg('line', { class: name, x1: at(share), x2: at(share), y1: 0, y2: 10 });
  svg.replaceChildren(
    makeSvg('rect', { class: 'track', width, height: 10 }),
    makeSvg('rect', { class: p99 > limit ? 'work over' : 'work', width: at(p99), height: 10 }),
    mark('p50', p50),
    mark('max', max),
    mark('limit', limit),
  );
  return `p50 ${percent(p50)}, max ${percent(max)}, budget ${percent(limit, 0)} of the frame`;
}
