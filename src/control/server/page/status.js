// SPDX-License-Identifier: Apache-2.0
// The head of the page: what the run is doing, and whether it keeps up.

import { announce, announceRarely } from './announce.js';
import { id, make, show, showIf } from './dom.js';
import { count, number, percent, rate, seconds } from './format.js';
import { Pace } from './pace.js';
import { drawUtilisation } from './utilisation.js';
import { topic, verdict } from './verdict.js';

const names = {
  starting: 'Starting',
  running: 'Running',
  stepping: 'Stepping',
  frozen: 'Frozen',
  ended: 'Ended',
  connecting: 'Connecting',
  lost: 'Connection lost',
  unauthorised: 'Token wanted',
};
const marks = {
  starting: '…',
  running: '▶',
  stepping: '❚▶',
  frozen: '❚❚',
  ended: '■',
  connecting: '…',
  lost: '✕',
  unauthorised: '?',
};

export function statusPanel(run) {
  const pace = new Pace();
  let shown = '';
  let overruns = null;

  function showState(state, level, words, also = '') {
    const name = names[state] + also;
    document.body.dataset.state = state;
    document.body.dataset.level = level;
    show(id('state-mark'), marks[state]);
    show(id('state-name'), name);
    show(id('verdict'), words);
    if (name !== shown) {
      document.title = `${name} – hild`;
      if (shown !== '' || state !== 'connecting') announce(name);
    }
    shown = name;
  }

  run.on('connection', (state) => {
    pace.clear();
    overruns = null;
    if (state === 'open') return; // its first status follows
    const ended = run.status?.state === 'ended';
    if (state === 'lost') {
      showState(
        ended ? 'ended' : 'lost',
        ended ? verdict(run.status, pace).level : 'bad',
        ended
          ? `${verdict(run.status, pace).words} The daemon is gone; a new one will be found.`
          : 'Figures are old; trying again.',
      );
      if (!ended) showTold([]);
    } else if (state === 'unauthorised') {
      showState(state, 'none', 'This bench asks who you are.');
    } else if (run.status === null) {
      showState(state, 'none', '');
    }
  });

  run.on('status', (status) => {
    pace.add(status, status.asked);
    const { level, words } = verdict(status, pace);
    const disarmed = status.state !== 'ended' && topic(status, 'outputs')?.is === 'disarmed';
    showState(status.state, level, words, disarmed ? ', disarmed' : '');
    showTold(status.told ?? []);
    showFigures(status, pace);
    if (overruns !== null && status.overruns.total > overruns) {
      announceRarely('overruns', `Overruns: ${status.overruns.total}`);
    }
    overruns = status.overruns.total;
  });
}

// What is out of the ordinary, and what is as it should be where that is worth a word.
const worthAWord = ['armed', 'recording', 'watching'];
let told = '';

function showTold(topics) {
  const list = topics.filter(
    (t) => t.of !== 'run' && (t.level !== 'quiet' || worthAWord.includes(t.is)),
  );
  const shape = JSON.stringify(list);
  if (shape === told) return;
  const before = told === '' ? list : JSON.parse(told);
  told = shape;
  id('told').replaceChildren(
    ...list.map((t) =>
      make(
        'li',
        { 'data-of': t.of, 'data-is': t.is, 'data-level': t.level },
        make('strong', { text: t.of }),
        ` ${t.words}`,
      ),
    ),
  );
  for (const t of list) {
    if (!before.some((b) => b.of === t.of && b.words === t.words)) announce(`${t.of}: ${t.words}`);
  }
}

// ", 12 cut short by pump": steps in which a model reached a cap, of several models which.
function cutShort({ steps, by_model: models = {} }) {
  const total = Object.values(steps).reduce((sum, n) => sum + n, 0);
  if (total === 0) return '';
  const by = Object.keys(models).join(', ');
  return `, ${count(total)} cut short${by === '' ? '' : ` by ${by}`}`;
}

// What was estimated of the steps, as parts of the states: p99 is shown large, this beneath it.
function errorWords({ max, limit }) {
  if (max === 0) return 'not known yet';
  const words = `estimated, max ${max.toExponential(1)} of a state`;
  return limit !== null && max > limit ? `${words}, above ${limit}` : words;
}

function showFigures(status, pace) {
  const factor = pace.realTimeFactor;
  show(id('model'), status.model);
  show(id('plan'), `${status.method} at ${rate(status.period_s)}, sampling: ${status.sampling}`);
  show(id('factor'), Number.isNaN(factor) ? '–' : `${factor.toFixed(2)} ×`);
  show(id('overrun-total'), count(status.overruns.total));
  show(
    id('overrun-share'),
    `${number(status.overruns.percent, 2)} % of ${count(status.steps)} steps`,
  );
  show(id('late-wakes'), count(status.late_wakes));
  show(id('doubled'), `${count(status.doubled_steps)} doubled, ${count(status.slips)} slipped${cutShort(status.capped)}`);
  show(id('sim-time'), seconds(status.sim_time_s));
  show(id('frame'), `frame ${count(status.frame)}`);
  show(id('utilisation-now'), percent(status.utilisation.p99));
  const { p99, max, limit } = status.local_error;
  show(id('step-error'), max === 0 ? '–' : p99.toExponential(1));
  show(id('step-error-words'), errorWords({ max, limit }));
  show(id('utilisation-words'), drawUtilisation(id('utilisation'), status.utilisation));
  showIf(id('read-only'), !status.writing);
  const lost = status.samples_lost + status.records_dropped;
  show(
    id('about'),
    `hild ${status.version}, process ${status.pid}, ` +
      `${count(status.clients)} ${status.clients === 1 ? 'client' : 'clients'}` +
      (lost ? `, ${count(lost)} samples or records lost` : ''),
  );
}
