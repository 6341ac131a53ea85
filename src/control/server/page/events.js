// SPDX-License-Identifier: Apache-2.0
// What the slack of the frames served: changes from outside, by class.

import { id, make, show } from './dom.js';
import { count, micros, words } from './format.js';

export function eventsPanel(run) {
  run.on('status', ({ external_events: events }) => {
    show(
      id('events-sum'),
      `${count(events.served)} served, ${count(events.deferred)} deferred, ` +
        `${count(events.refused)} refused`,
    );
    id('events').replaceChildren(
      ...Object.entries(events.by_class).map(([name, c]) =>
        make(
          'tr',
          {},
          make('th', { scope: 'row', text: words(name) }),
          ...[c.served, c.deferred, c.refused].map((n) => make('td', { text: count(n) })),
          make('td', { text: micros(c.prepare_us + c.commit_us) }),
        ),
      ),
    );
  });
}
