// SPDX-License-Identifier: Apache-2.0
// A distribution of durations over decades: bars of logarithmic height, so that the one worst frame
// among millions is seen, with marked values and limits.

import { decades, logScale } from './bins.js';
import { makeSvg } from './dom.js';
import { micros, power } from './format.js';

const height = 190;
const left = 34;
const right = 12;
const row = 14; // of the labels above the bars
const top = 3 * row + 6;
const bottom = 24;
const floor = height - bottom;

/// Redraws `svg` from bins, all in us. `marks` and `limits`: [{name, at}].
export function drawHistogram(svg, bins, marks, limits) {
  const width = svg.clientWidth;
  if (width === 0) return;
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const all = [...bins.flatMap((b) => [b.low, b.high]), ...limits.map((l) => l.at)].filter(
    (v) => v > 0,
  );
  if (bins.length === 0) {
    svg.replaceChildren(text(width / 2, height / 2, 'Nothing measured yet', 'middle'));
    return;
  }
  const [low, high] = [Math.min(...all) / 1.2, Math.max(...all) * 1.2];
  const x = logScale(low, high, left, width - right);
  const most = Math.max(...bins.map((b) => b.count));
  const y = (n) => floor - ((floor - top) * Math.log10(1 + n)) / Math.log10(1 + most);

  svg.replaceChildren(
    ...counts(most).map((n) => level(n, y(n), width)),
    ...bins.filter((b) => b.count > 0).map((b) => bar(b, x, y)),
    makeSvg('line', { class: 'axis', x1: left, x2: width - right, y1: floor, y2: floor }),
    ...decades(low, high).flatMap((v) => tick(v, x(v))),
    ...limits.map((l, i) => limit(l, x(l.at), i, width)),
    ...marks.flatMap((m, i) => mark(m, x(m.at), i, width)),
  );
}

/// 1, 10, 100 ..., no more than four of them.
function counts(most) {
  const ticks = decades(1, most);
  const every = Math.ceil(ticks.length / 4);
  return ticks.filter((_, i) => i % every === 0);
}

const text = (x, y, words, anchor, kind = '') =>
  makeSvg('text', { x, y, 'text-anchor': anchor, class: kind, text: words });

function level(n, y, width) {
  return makeSvg(
    'g',
    { class: 'level' },
    makeSvg('line', { x1: left, x2: width - right, y1: y, y2: y }),
    text(left - 5, y + 4, power(n), 'end'),
  );
}

function bar(b, x, y) {
  const [from, to] = [x(b.low), x(b.high)];
  return makeSvg('rect', {
    class: 'bar',
    x: from,
    width: Math.max(1, to - from - 0.5),
    y: y(b.count),
    height: floor - y(b.count),
  });
}

function tick(value, at) {
  return [
    makeSvg('line', { class: 'axis', x1: at, x2: at, y1: floor, y2: floor + 4 }),
    text(at, height - 6, micros(value).replace(/\.0+/, ''), 'middle'),
  ];
}

function limit({ name }, x, i, width) {
  return makeSvg(
    'g',
    { class: 'limit' },
    makeSvg('line', { x1: x, x2: x, y1: top, y2: floor }),
    beside(x, floor - 6 - i * row, name, width),
  );
}

/// Labels of marks stand in rows of their own, so that none covers another.
function mark({ name, at }, x, i, width) {
  return [
    makeSvg(
      'g',
      { class: `mark mark-${i}` },
      makeSvg('line', { x1: x, x2: x, y1: i * row + 4, y2: floor }),
      beside(x, i * row + row - 3, `${name} ${micros(at)}`, width),
    ),
  ];
}

/// A label on that side of a line where it has room.
function beside(x, y, words, width) {
  const room = 7 * words.length + 4;
  return x + room > width ? text(x - 4, y, words, 'end') : text(x + 4, y, words, 'start');
}
