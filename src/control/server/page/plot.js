// SPDX-License-Identifier: Apache-2.0
// A chart of some signals over time, drawn by uPlot, with cursors and marks.

import { lastUntil } from './cursors.js';
import { make, show } from './dom.js';
import { steady, tick, unit as pretty } from './format.js';
import { labelOf } from './markers.js';
import { traceSwatch } from './swatch.js';
import { colour, traceColour, traceDash } from './theme.js';

export const markInk = {
  overrun: '--bad',
  fault: '--fair',
  change: '--accent',
  alarm: '--bad',
  event: '--ink-soft',
  trigger: '--ink',
};
const mostMarks = 200;
const readable = 250; // ms

export class Plot {
  #legend = [];
  #plot;
  #shared;
  #told = -Infinity; // ms, when the values were last written
  #pressed = false; // the mouse, on this plot and not on one that shares its cursor

  /// `signals`: those of Signals; their units are on the axis. Plots of one `shared` {key, gutter,
  /// view, cursors, marks, moment} have their cursors and their axes of time in common.
  constructor(signals, shared) {
    this.signals = signals;
    this.#shared = shared;
    const units = [...new Set(signals.map((s) => pretty(s.unit)))].filter(Boolean).join(', ');
    this.element = make('figure', { class: 'plot' }, this.#makeLegend(signals));
    this.#plot = new uPlot(
      {
        width: 100,
        height: 100,
        legend: { show: false },
        cursor: { sync: { key: shared.key }, points: { size: 6 }, y: false, drag: { setScale: false } },
        scales: { x: { time: false }, y: { range: comfortable } },
        axes: [
          axis('simulated time in s', 26),
          axis(units ? `in ${units}` : '', widestOf(shared)),
        ],
        series: [
          {},
          ...signals.map((s) => ({
            label: s.label,
            stroke: () => traceColour(s.place),
            dash: traceDash(s.place),
            width: 1.75,
            points: { show: false },
          })),
        ],
        hooks: {
          setCursor: [() => this.#showValues()],
          setSelect: [() => this.#zoomToSelection()],
          draw: [() => this.#drawMarks()],
        },
      },
      [[], ...signals.map(() => [])],
      this.element,
    );
    const { root, over } = this.#plot;
    root.setAttribute('role', 'img');
    root.setAttribute(
      'aria-label',
      `Plot of ${signals.map((s) => s.label).join(', ')}` + (units ? ` in ${units}` : ''),
    );
    root.tabIndex = 0;
    this.#listen(over);
    root.addEventListener('keydown', (event) => this.#onKey(event));
  }

  /// `data`: views of Traces. Shows the time from `from` to `to`.
  draw(data, from, to) {
    this.#plot.batch(() => {
      this.#plot.setData(data, false);
      this.#plot.setScale('x', { min: from, max: to });
    });
    // Nobody reads faster, and each text is laid out anew.
    const past = this.#shared.moment.at !== null;
    if (past || performance.now() - this.#told >= readable) this.#showValues();
  }

  fit(height) {
    const width = Math.floor(this.element.clientWidth);
    const left = Math.max(60, Math.floor(height - this.element.firstChild.offsetHeight));
    if (width > 0 && (width !== this.#plot.width || left !== this.#plot.height))
      this.#plot.setSize({ width, height: left });
  }

  redraw() {
    this.#plot.redraw(false);
  }

  destroy() {
    this.#plot.destroy();
  }

  #makeLegend(signals) {
    return make(
      'figcaption',
      {},
      ...signals.map((s) => {
        const value = make('span', { class: 'value' });
        this.#legend.push(value);
        return make(
          'span',
          { class: 'key' },
          traceSwatch(s.place),
          s.label,
          value,
          make('span', { class: 'unit', text: pretty(s.unit) }),
        );
      }),
    );
  }

  /// Those at the pointer, else at the instant that is shown.
  #showValues() {
    if (!this.#plot) return;
    const { data, cursor } = this.#plot;
    const at = cursor.idx ?? lastUntil(data[0], this.#shared.moment.at ?? Infinity);
    this.#told = performance.now();
    this.#legend.forEach((value, i) => show(value, at < 0 ? '–' : steady(data[i + 1][at])));
  }

  // ---- the mouse and keys ----

  #timeAt(event) {
    const left = event.clientX - this.#plot.over.getBoundingClientRect().left;
    return this.#plot.posToVal(left, 'x');
  }

  #listen(over) {
    const { view, cursors } = this.#shared;
    let down = null;
    over.addEventListener('mousedown', (event) => {
      down = event.clientX;
      this.#pressed = true;
    });
    over.addEventListener('click', (event) => {
      if (down === null || Math.abs(event.clientX - down) > 3) return;
      cursors.put(this.#timeAt(event), event.shiftKey ? 'b' : undefined);
    });
    // By itself the wheel is the page's.
    over.addEventListener(
      'wheel',
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const way = Math.sign(event.deltaY || event.deltaX);
        if (event.ctrlKey) view.zoom(way > 0 ? 1.25 : 0.8, this.#timeAt(event));
        else view.pan(0.1 * way);
      },
      { passive: false },
    );
  }

  #zoomToSelection() {
    const { left, width } = this.#plot.select;
    const [from, to] = [left, left + width].map((x) => this.#plot.posToVal(x, 'x'));
    if (width > 0) this.#plot.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
    if (this.#pressed && width >= 4) this.#shared.view.hold(from, to);
    this.#pressed = false;
  }

  #onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { view, cursors } = this.#shared;
    const pointed = this.#plot.cursor.idx ?? null;
    const at = pointed === null ? (view.from + view.to) / 2 : this.#plot.data[0][pointed];
    const move = (way) => {
      if (event.shiftKey) this.#moveCursor(way);
      else view.pan(0.1 * way);
    };
    const keys = {
      '+': () => view.zoom(0.5, at),
      '-': () => view.zoom(2, at),
      ArrowLeft: () => move(-1),
      ArrowRight: () => move(1),
      Home: () => view.showAll(),
      Escape: () => view.follow(),
      a: () => cursors.put(at, 'a'),
      b: () => cursors.put(at, 'b'),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /// To the sample before or after.
  #moveCursor(way) {
    const { cursors } = this.#shared;
    const which = cursors.b === null ? 'a' : 'b';
    const times = this.#plot.data[0];
    const from = cursors[which] ?? times.at(-1);
    const next =
      way > 0 ? times.find((t) => t > from + 1e-12) : times.findLast((t) => t < from - 1e-12);
    if (next !== undefined) cursors.put(next, which);
  }

  // ---- what is drawn besides traces ----

  #drawMarks() {
    const { view, cursors, marks, moment } = this.#shared;
    const { ctx, bbox } = this.#plot;
    const ratio = devicePixelRatio;
    const line = (time, name, ink, dash) => {
      const x = Math.round(this.#plot.valToPos(time, 'x', true));
      if (x < bbox.left || x > bbox.left + bbox.width) return;
      ctx.strokeStyle = ctx.fillStyle = colour(ink);
      ctx.setLineDash(dash.map((d) => d * ratio));
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillText(name, x + 3 * ratio, bbox.top + 10 * ratio);
    };
    ctx.save();
    ctx.lineWidth = ratio;
    ctx.font = `bold ${11 * ratio}px system-ui, sans-serif`;
    ctx.textAlign = 'left';
    ctx.textBaseline = 'alphabetic';
    for (const mark of marks.between(view.from, view.to).slice(-mostMarks))
      line(mark.time, labelOf(mark), markInk[mark.is], [2, 3]);
    for (const [name, time] of cursors.all) line(time, name, '--ink', []);
    if (moment.at !== null) {
      ctx.lineWidth = 2 * ratio;
      line(moment.at, '', '--accent', []);
    }
    ctx.restore();
  }
}

export function axis(label, size) {
  const ink = () => colour('--ink-soft');
  return {
    label,
    size,
    stroke: ink,
    values: (_, splits, __, ___, step) => splits.map((value) => tick(value, step)),
    labelSize: label ? 18 : 0,
    labelFont: '12px system-ui, sans-serif',
    font: '12px system-ui, sans-serif',
    grid: { stroke: () => colour('--line'), width: 1 },
    ticks: { stroke: () => colour('--line'), width: 1, size: 4 },
  };
}

/// The width of the longest label in any plot that shares it, so that their times stand below each
/// other.
export function widestOf(shared) {
  return (_, labels) => {
    const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
    shared.gutter = Math.max(shared.gutter, 14 + 7 * longest);
    return shared.gutter;
  };
}

/// Some room above and below, and never so little that rounding errors fill the plot.
export function comfortable(_, low, high) {
  if (low === null || !Number.isFinite(low + high)) return [-1, 1];
  const room = Math.max(0.08 * (high - low), 0.01 * Math.max(Math.abs(low), Math.abs(high))) || 1;
  return [low - room, high + room];
}
