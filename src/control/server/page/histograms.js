// SPDX-License-Identifier: Apache-2.0
// Where the time of a frame goes: wake latency, work, and the phases it consists of.

import { bins } from './bins.js';
import { drawHistogram } from './chart.js';
import { id, make } from './dom.js';
import { micros, percent, words } from './format.js';

const charts = [
  {
    name: 'work',
    element: 'work-chart',
    title: 'Work in a frame',
    of: (s) => s.work_us,
    limits: (s) => [
      { name: 'budget', at: 1e6 * s.period_s * s.utilisation.limit },
      { name: 'frame', at: 1e6 * s.period_s },
    ],
  },
  {
    name: 'wake',
    element: 'wake-chart',
    title: 'Wake latency',
    of: (s) => s.wake_latency_us,
    limits: (s) => [{ name: 'frame', at: 1e6 * s.period_s }],
  },
];

export function histogramsPanel(run) {
  let measured = {};

  function draw() {
    if (!run.status) return;
    for (const { name, element, title, of, limits } of charts) {
      if (!measured[name]) continue;
      const q = of(run.status);
      const marks = ['p50', 'p99', 'max'].map((which) => ({ name: which, at: q[which] }));
      drawHistogram(id(element), bins(measured[name]), marks, limits(run.status));
      id(element).setAttribute(
        'aria-label',
        `${title}: ${marks.map((m) => `${m.name} ${micros(m.at)}`).join(', ')}`,
      );
    }
  }

  run.on('histograms', (all) => {
    measured = all;
    draw();
    if (run.status) showPhases(run.status);
  });
  const redraw = new ResizeObserver(draw);
  for (const { element } of charts) redraw.observe(id(element));
}

function showPhases({ phases_us: phases, period_s: period }) {
  id('phases').replaceChildren(
    ...Object.entries(phases).map(([name, q]) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row', text: words(name) }),
        ...['p50', 'p99', 'max'].map((which) => make('td', { text: micros(q[which]) })),
        make('td', { text: percent(q.p99 / (1e6 * period), 2) }),
      ),
    ),
  );
}
