// SPDX-License-Identifier: Apache-2.0
// The overruns, newest first: when, how late, why.

import { id, make, show, showIf } from './dom.js';
import { count, micros, words } from './format.js';

export function overrunsPanel(run) {
  let entries = new Map(); // by their words: those that are listed already are not made anew

  run.on('overruns', ({ total, overruns }) => {
    showIf(id('no-overruns'), total === 0);
    entries = new Map(overruns.map((o) => [o.words, entries.get(o.words) ?? entry(o)]));
    id('overrun-list').replaceChildren(...[...entries.values()].toReversed());
    const rest = total - overruns.length;
    show(id('more-overruns'), total > 0 && rest > 0 ? `and ${count(rest)} before these` : '');
  });
  run.on('status', (status) => {
    const causes = Object.entries(status.overruns.by_cause).filter(([, n]) => n > 0);
    show(
      id('overrun-causes'),
      causes.map(([cause, n]) => `${words(cause)}: ${count(n)}`).join(', '),
    );
  });
}

function entry(overrun) {
  return make(
    'li',
    {},
    make(
      'p',
      { class: 'what' },
      make('strong', { text: words(overrun.cause) }),
      ` at ${overrun.time_s.toFixed(3)} s, ${micros(overrun.lateness_us)} late`,
    ),
    make('p', { class: 'aside', text: overrun.words }),
  );
}
