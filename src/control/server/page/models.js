// SPDX-License-Identifier: Apache-2.0
// Which model is run when in a frame, on which CPU: as planned, and as observed.

import { id, make, makeSvg, showIf } from './dom.js';
import { micros } from './format.js';

const width = 600;
const row = 18;

export function modelsPanel(run) {
  run.on('models', (all) => {
    showIf(id('models'), all.observed.length > 0);
    if (all.observed.length > 0) draw(all);
    showIf(id('background'), all.background.length > 0);
    if (all.background.length > 0) list(all.background);
  });
}

const cpuWords = ({ worker, cpu }) => {
  const where = cpu === null ? 'any CPU' : `CPU ${cpu}`;
  return worker < 0 ? `frame thread, ${where}` : where;
};

function draw({ cpus, planned, observed }) {
  const usual = observed.map((o) => ({ ...o, start_us: o.start_us.p50, took_us: o.took_us.p50 }));
  const ends = [...planned, ...usual].map((span) => span.start_us + span.took_us);
  const scale = (width - 1) / Math.max(...ends, 1e-3);
  id('model-charts').replaceChildren(
    ...cpus.map((one) =>
      make(
        'figure',
        {},
        make('figcaption', { text: cpuWords(one) }),
        chart(one, planned, usual, scale),
      ),
    ),
  );
  id('model-times').replaceChildren(
    ...observed.map((o) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row', text: o.model }),
        make('td', { text: cpuWords(cpus.find((c) => c.worker === o.worker) ?? o) }),
        make('td', { text: micros(o.start_us.p50) }),
        make('td', { text: micros(o.took_us.p50) }),
        make('td', { text: micros(o.took_us.p99) }),
        make('td', { text: plannedOf(o, planned) }),
      ),
    ),
  );
}

// Of those whose steps take several frames, on threads of their own.
function list(background) {
  const word = (us) => (us === null ? '–' : micros(us));
  id('background-times').replaceChildren(
    ...background.map((one) =>
      make(
        'tr',
        {},
        make('th', { scope: 'row', text: one.model }),
        make('td', { text: `CPU ${one.cpu}` }),
        make('td', { text: String(one.runs) }),
        make('td', { text: word(one.took_us?.p50 ?? null) }),
        make('td', { text: word(one.took_us?.p99 ?? null) }),
        make('td', { text: word(one.planned_us) }),
        make('td', { text: micros(one.due_us) }),
      ),
    ),
  );
}

function plannedOf({ model }, planned) {
  const its = planned.filter((span) => span.model === model);
  return its.length === 0 ? '–' : micros(its.reduce((sum, span) => sum + span.took_us, 0));
}

// The plan above, what was observed beneath it.
function chart({ worker, cpu }, planned, usual, scale) {
  const bars = (spans, name, y) =>
    spans
      .filter((span) => span.worker === worker)
      .flatMap((span) => {
        const x = scale * span.start_us;
        const wide = Math.max(1, scale * span.took_us);
        return [
          makeSvg('rect', { class: name, x, y, width: wide, height: row - 2 }),
          makeSvg('text', { x: x + 3, y: y + row - 6, text: wide > 40 ? span.model : '' }),
        ];
      });
  const seen = usual.filter((span) => span.worker === worker).map((span) => span.model);
  return makeSvg(
    'svg',
    {
      class: 'spans',
      role: 'img',
      viewBox: `0 0 ${width} ${2 * row}`,
      'aria-label': `${cpuWords({ worker, cpu })}: ${seen.join(', ') || 'nothing'}`,
    },
    ...bars(planned, 'planned', 0),
    ...bars(usual, 'observed', row),
  );
}
