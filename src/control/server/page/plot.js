// SPDX-License-Identifier: Apache-2.0
// A chart of the signals that share a unit, drawn by uPlot.

import { make, show } from './dom.js';
import { steady, tick, unit as pretty } from './format.js';
import { traceSwatch } from './swatch.js';
import { colour, traceColour, traceDash } from './theme.js';

const height = 190;

export class Plot {
  #legend = [];
  #plot;

  /// `signals`: those of Signals, all of one unit. Plots of one `group` {key, gutter} have
  /// their cursors and their axes of time in common; the `last` one names that axis.
  constructor(signals, group, last) {
    this.signals = signals;
    const unit = pretty(signals[0].unit);
    this.element = make('figure', { class: 'plot' }, this.#makeLegend(signals));
    this.#plot = new uPlot(
      {
        width: 100,
        height,
        legend: { show: false },
        cursor: { sync: { key: group.key }, points: { size: 6 }, y: false },
        scales: { x: { time: false }, y: { range: comfortable } },
        axes: [
          axis(last ? 'simulated time in s' : '', 26),
          axis(unit ? `in ${unit}` : '', widestOf(group)),
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
        hooks: { setCursor: [() => this.#showValues()] },
      },
      [[], ...signals.map(() => [])],
      this.element,
    );
    this.#plot.root.setAttribute('role', 'img');
    this.#plot.root.setAttribute(
      'aria-label',
      `Plot of ${signals.map((s) => s.label).join(', ')}` + (unit ? ` in ${unit}` : ''),
    );
  }

  /// `data`: views of Traces. Shows the time from `from` to `to`.
  draw(data, from, to) {
    this.#plot.batch(() => {
      this.#plot.setData(data, false);
      this.#plot.setScale('x', { min: from, max: to });
    });
    this.#showValues();
  }

  fit() {
    const width = Math.floor(this.element.clientWidth);
    if (width > 0 && width !== this.#plot.width) this.#plot.setSize({ width, height });
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

  /// Those at the cursor, else the newest.
  #showValues() {
    if (!this.#plot) return;
    const { data, cursor } = this.#plot;
    const at = cursor.idx ?? data[0].length - 1;
    this.#legend.forEach((value, i) => show(value, at < 0 ? '–' : steady(data[i + 1][at])));
  }
}

function axis(label, size) {
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

/// The width of the longest label in any plot of the group, so that their times stand below each
/// other.
function widestOf(group) {
  return (_, labels) => {
    const longest = Math.max(0, ...(labels ?? []).map((label) => label.length));
    group.gutter = Math.max(group.gutter, 14 + 7 * longest);
    return group.gutter;
  };
}

/// Some room above and below, and never so little that rounding errors fill the plot.
function comfortable(_, low, high) {
  if (low === null || !Number.isFinite(low + high)) return [-1, 1];
  const room = Math.max(0.08 * (high - low), 0.01 * Math.max(Math.abs(low), Math.abs(high))) || 1;
  return [low - room, high + room];
}
