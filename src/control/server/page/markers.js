// SPDX-License-Identifier: Apache-2.0
// Marks on the axis of time: overruns, faults that were injected, changes that were made, alarms,
// state events.

import { id, make, show, showIf } from './dom.js';
import { count, micros, words } from './format.js';

const kept = 1000;
const keptEvents = 300;
const listed = 20;
const reach = 60; // s, of the history of a run
const overlap = 5; // s
const longest = 20;
export const letters = {
  overrun: 'O',
  fault: 'F',
  change: 'C',
  alarm: 'A',
  event: 'E',
  trigger: 'T',
};

/// What stands beside a mark on the axis: its letter, and what it is called, in so many letters.
export function labelOf({ is, text }) {
  if (!text) return letters[is];
  const all = [...text];
  return `${letters[is]} ${all.length > longest ? `${all.slice(0, longest - 1).join('')}…` : text}`;
}

/// A model that chatters must not drive out all else: of its events the newest.
function withoutMany(marks) {
  let more = marks.filter(({ is }) => is === 'event').length - keptEvents;
  return more <= 0 ? marks : marks.filter(({ is }) => is !== 'event' || more-- <= 0);
}

/// `marks`, an event, comes with those that are new, as `detail`: [{is, time, words, set?, text?}];
/// none: all are gone. `set`: {name, value} of a parameter; `text`: what a mark is called.
export class Marks extends EventTarget {
  all = []; // by time
  #known = new Set();
  #pid = 0;

  constructor(run) {
    super();
    run.on('status', ({ pid, state, sim_time_s: now }) => {
      if (pid !== this.#pid) this.clear();
      this.#pid = pid;
      if (state !== 'ended') this.#ask(run, now);
    });
    run.on('overruns', ({ overruns }) =>
      this.add(
        overruns.map((o) => ({
          key: `overrun ${o.step}`,
          is: 'overrun',
          time: o.time_s,
          words: `overrun, ${words(o.cause)}, ${micros(o.lateness_us)} late`,
        })),
      ),
    );
    run.on('list', ({ alarms }) => run.status && this.#addAlarms(alarms, run.status.period_s));
  }

  /// Alarms that are open, from the frame on in which they became so.
  #addAlarms(alarms, period) {
    const open = alarms.filter(({ since_frame: since }) => since !== null);
    this.add(
      open.map(({ name, since_frame: since }) => ({
        key: `alarm ${name} ${since}`,
        is: 'alarm',
        time: since * period,
        words: `alarm ${name}`,
      })),
    );
  }

  #addEvents(steps) {
    this.add(
      steps.map(({ frame, time_s: time, events }) => ({
        key: `event ${frame}`,
        is: 'event',
        time,
        words: events === 1 ? 'a state event' : `${count(events)} state events`,
      })),
    );
  }

  add(marks) {
    const fresh = marks.filter(({ key }) => !this.#known.has(key));
    if (fresh.length === 0) return;
    for (const { key } of fresh) this.#known.add(key);
    this.all = withoutMany([...this.all, ...fresh].sort((a, b) => a.time - b.time)).slice(-kept);
    this.dispatchEvent(new CustomEvent('marks', { detail: fresh }));
  }

  clear() {
    this.all = [];
    this.#told = -Infinity;
    this.#known.clear();
    this.dispatchEvent(new CustomEvent('marks', { detail: [] }));
  }

  between(from, to) {
    return this.all.filter(({ time }) => time >= from && time <= to);
  }

  #asking = false;
  #told = -Infinity; // s: the changes until then are known

  /// What was changed since it was asked last, and a little before: frames end while it is answered.
  async #ask(run, now) {
    if (this.#asking || !run.open || document.hidden) return;
    this.#asking = true;
    const last_s = Math.min(reach, Math.max(0, now - this.#told) + overlap);
    const answer = await run.connection.call('history', { last_s }).catch(() => null);
    this.#asking = false;
    if (answer === null) return;
    this.#told = now;
    const { changes } = answer;
    // Several of one frame are told in their order.
    const places = new Map();
    this.add(
      changes.map((c) => {
        const place = (places.get(c.frame) ?? 0) + 1;
        places.set(c.frame, place);
        const key = `${c.frame} ${place} ${c.words}`;
        return { key, is: c.is, time: c.time_s, words: c.words, set: c.set, text: c.text };
      }),
    );
    this.#addEvents(answer.state_events);
  }
}

/// The list of those that are seen.
export function marksList(marks, view) {
  let shown = '';
  return () => {
    const seen = marks.between(view.from, view.to);
    const newest = seen.slice(-listed).toReversed();
    const shape = JSON.stringify(newest);
    if (shape === shown) return;
    shown = shape;
    showIf(id('marks'), seen.length > 0);
    show(id('marks-title'), `${count(seen.length)} marked on the axis of time`);
    id('mark-list').replaceChildren(
      ...newest.map(({ is, time, words: its }) =>
        make('li', {}, make('strong', { text: letters[is] }), ` ${time.toFixed(3)} s: ${its}`),
      ),
    );
  };
}
