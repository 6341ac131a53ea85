// SPDX-License-Identifier: Apache-2.0
// A piece of a trace, as it is drawn in the plots.

import { makeSvg } from './dom.js';
import { traceDash } from './theme.js';

export function traceSwatch(place) {
  const line = makeSvg('line', {
    x1: 0,
    x2: 22,
    y1: 5,
    y2: 5,
    'stroke-dasharray': traceDash(place).join(' '),
  });
  return makeSvg(
    'svg',
    { class: `swatch trace-${place % 6}`, width: 22, height: 10, 'aria-hidden': 'true' },
    line,
  );
}
