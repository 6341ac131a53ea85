// SPDX-License-Identifier: Apache-2.0
// Tiles that draw: signals over time, and one signal over another.

import { lastUntil } from './cursors.js';
import { make, show } from './dom.js';
import { steady, unit } from './format.js';
import { axis, comfortable, Plot, widestOf } from './plot.js';
import { colour, traceColour } from './theme.js';

/// What a tile does: `names` are the signals it is fed with, `draw` is called with each picture,
/// `fit` when its height in pixels is another, `end` when it goes.
export function plotTile(tile, { itemOf, shared }) {
  const signals = tile.signals.map(itemOf).filter(Boolean);
  if (signals.length === 0) return { body: nothing(tile), names: [] };
  const plot = new Plot(signals, shared);
  const names = signals.map((s) => s.name);
  return {
    body: plot.element,
    names,
    draw: () => {
      const { view } = shared;
      plot.draw(view.traces.since(view.from, names), view.from, view.to);
    },
    fit: (height) => plot.fit(height),
    redraw: () => plot.redraw(),
    end: () => plot.destroy(),
  };
}

const nothing = ({ signals }) =>
  make('p', {
    class: 'aside',
    text: signals.length === 0 ? 'No signal yet.' : `This run has no ${signals.join(', ')}.`,
  });

export function xyTile(tile, { itemOf, shared }) {
  const [x, y] = [itemOf(tile.x_signal), itemOf(tile.y_signal)];
  if (!x || !y) return { body: nothing({ signals: [tile.x_signal, tile.y_signal] }), names: [] };
  const names = [x.name, y.name];
  const value = make('span', { class: 'value' });
  const element = make(
    'figure',
    { class: 'xy' },
    make('figcaption', {}, `${y.label} over ${x.label} `, value),
  );
  const own = { gutter: 50, x: [-1, 1], y: [-1, 1] };
  const plot = new uPlot(
    {
      mode: 2,
      width: 100,
      height: 100,
      legend: { show: false },
      cursor: { show: false },
      scales: { x: { time: false, auto: false, range: () => own.x }, y: { auto: false, range: () => own.y } },
      axes: [axis(withUnit(x), 26), axis(withUnit(y), widestOf(own))],
      series: [{}, { paths: (u) => drawPath(u, y.place) }],
    },
    [null, [[], []]],
    element,
  );
  plot.root.setAttribute('role', 'img');
  plot.root.setAttribute('aria-label', `Plot of ${y.label} over ${x.label}`);
  return {
    body: element,
    names,
    draw: () => {
      const { view, moment } = shared;
      const known = view.traces.since(view.from, names);
      const end = lastUntil(known[0], moment.at ?? Infinity) + 1;
      const [xs, ys] = known.slice(1).map((column) => column.subarray(0, end));
      own.x = comfortable(null, ...extent(xs));
      own.y = comfortable(null, ...extent(ys));
      plot.batch(() => {
        plot.setData([null, [xs, ys]], false);
        plot.setScale('x', { min: own.x[0], max: own.x[1] });
        plot.setScale('y', { min: own.y[0], max: own.y[1] });
      });
      show(value, `${steady(ys.at(-1))} at ${steady(xs.at(-1))}`);
    },
    fit: (height) => {
      const width = Math.floor(element.clientWidth);
      const left = Math.max(60, Math.floor(height - element.firstChild.offsetHeight));
      if (width > 0 && (width !== plot.width || left !== plot.height))
        plot.setSize({ width, height: left });
    },
    redraw: () => plot.redraw(false),
    end: () => plot.destroy(),
  };
}

const withUnit = ({ label, unit: u }) => (unit(u) ? `${label} in ${unit(u)}` : label);

function extent(values) {
  let [low, high] = [Infinity, -Infinity];
  for (const v of values) {
    if (v < low) low = v;
    if (v > high) high = v;
  }
  return [low, high];
}

/// The way in the plane, and where it is now.
function drawPath(u, place) {
  const [xs, ys] = u.data[1];
  const { ctx } = u;
  const at = (i) => [u.valToPos(xs[i], 'x', true), u.valToPos(ys[i], 'y', true)];
  ctx.save();
  ctx.strokeStyle = traceColour(place);
  ctx.lineWidth = 1.75 * devicePixelRatio;
  ctx.beginPath();
  let drawn = false;
  for (let i = 0; i < xs.length; ++i) {
    if (Number.isNaN(xs[i] + ys[i])) drawn = false;
    else if (drawn) ctx.lineTo(...at(i));
    else ctx.moveTo(...at(i), (drawn = true));
  }
  ctx.stroke();
  if (drawn) {
    ctx.fillStyle = colour('--ink');
    ctx.beginPath();
    ctx.arc(...at(xs.length - 1), 4 * devicePixelRatio, 0, 2 * Math.PI);
    ctx.fill();
  }
  ctx.restore();
  return null;
}
