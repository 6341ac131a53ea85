// SPDX-License-Identifier: Apache-2.0
// The instant that the dashboard shows: now, or one of what the page holds of the past, from where it
// may be played.

import { valuesAt } from './cursors.js';

export const speeds = [0.25, 0.5, 1, 2, 4];
const most = 1000; // of what is kept of a parameter
const mostAsked = 500; // parameters, when a run is first seen
const late = 1; // s: what was set is told at most so much sooner than a value from before it

/// `moment`, an event, tells of `this.at`, `this.playing` and `this.speed`. While it is in the past the
/// view is held; where that is given up, all show what is now.
export class Moment extends EventTarget {
  at = null; // s; null: now
  playing = false;
  speed = 1;
  until = null; // s, where playing ends; null: where it has caught up with the run
  #feed;
  #view;

  constructor(feed, view) {
    super();
    this.#feed = feed;
    this.#view = view;
    view.addEventListener('view', () => this.at !== null && view.held === null && this.#leave());
  }

  /// The first and the last instant that can be shown; none where the one is beyond the other.
  get from() {
    return this.#view.traces.firstTime;
  }
  get to() {
    return this.#view.traces.lastTime;
  }
  /// The newest that is known of the run, which goes on.
  get now() {
    return this.#feed.traces.lastTime;
  }

  /// Whether what is shown stays while the run goes on.
  get held() {
    return this.#view.held !== null;
  }

  /// Shows an instant, or the one next to it that is known.
  go(time) {
    if (!(this.from <= this.to) || Number.isNaN(time)) return;
    this.at = Math.min(this.to, Math.max(this.from, time));
    this.#view.reveal(this.at);
    this.#tell();
  }

  /// Goes on from there as time passes, to `until` where that is given, or stays.
  play(playing = true, speed = this.speed, until = null) {
    this.playing = playing && this.at !== null;
    this.speed = speed;
    this.until = until;
    this.#tell();
  }

  /// To be called when so many seconds have passed for whoever looks on. Back to now once all that is
  /// known was played.
  pass(elapsed) {
    if (!this.playing) return;
    const next = this.at + elapsed * this.speed;
    if (next >= this.to) this.#view.renew();
    if (next >= Math.min(this.to, this.until ?? Infinity)) this.live();
    else this.go(next);
  }

  live() {
    if (this.at !== null) this.#view.follow();
  }

  /// The value of a signal at that instant: that of the newest sample then; NaN where none is known.
  valueOf(name) {
    const { traces } = this.#view;
    if (this.at === null) return this.#feed.traces.newest(name);
    if (!traces.names.includes(name)) return NaN;
    return valuesAt(traces.since(this.at, [name]), this.at)[0];
  }

  #leave() {
    this.at = null;
    this.playing = false;
    this.#tell();
  }

  #tell() {
    this.dispatchEvent(new Event('moment'));
  }
}

/// What the parameters were: what they were set to, as `history` tells it, and what they were whenever
/// they were asked for.
export class ParametersThen {
  #known = new Map(); // by name: [{time, value, set}] by time
  #jumps = []; // s: all of them may have become others then

  /// From what `values`, `marks` and `run` tell, where they are given.
  constructor(values, marks, run) {
    let asked = '';
    run?.on('list', async ({ parameters }) => {
      const names = parameters.slice(0, mostAsked).map(({ name }) => `parameter:${name}`);
      const shape = [run.status?.pid, ...names].join();
      if (shape === asked || names.length === 0) return;
      asked = shape;
      const got = await run.connection.call('get', { names }).catch(() => null);
      if (got === null) asked = ''; // no step has ended yet: with the next list
      else for (const name of names) this.saw(name, got.time_s, got.values[name]);
    });
    values?.addEventListener('values', ({ detail }) => {
      for (const [name, value] of Object.entries(detail))
        if (name.startsWith('parameter:')) this.saw(name, values.time, value);
    });
    marks?.addEventListener('marks', ({ detail }) => {
      if (detail.length === 0) this.clear();
      for (const { set, time, words } of detail) {
        if (set) this.set(`parameter:${set.name}`, time, set.value);
        else if (/^(restore|reset)\b/.test(words)) this.jump(time);
      }
    });
  }

  /// It had this value at an instant, the end of a step.
  saw(name, time, value) {
    const all = this.#of(name);
    // Of a run that went back, what was after is not its past.
    while (all.length > 0 && all.at(-1).time > time + late) all.pop();
    const [before, last] = [all.at(-2), all.at(-1)];
    // Of a value that stays, the first and the last instant tell as much as all of them.
    if (before?.value === value && last.value === value && !last.set && last.time <= time) all.pop();
    this.#put(all, { time, value, set: false }, (one) => one.set);
  }
  /// It was set to this value at the start of a step.
  set(name, time, value) {
    this.#put(this.#of(name), { time, value, set: true }, () => false);
  }
  /// A change after which any of them may be another.
  jump(time) {
    this.#jumps = [...this.#jumps, time].slice(-most);
  }
  clear() {
    this.#known.clear();
    this.#jumps = [];
  }

  /// The value of a parameter at an instant; NaN where it is not known.
  at(name, time) {
    const all = this.#known.get(name) ?? [];
    const last = all.findLast((one) => one.time <= time);
    const next = all.find((one) => one.time > time);
    const jumped = (from, to) => this.#jumps.some((jump) => jump > from && jump <= to);
    if (last !== undefined && !jumped(last.time, time)) return last.value;
    // What is seen later it was before, unless it was set to it.
    return next !== undefined && !next.set && !jumped(time, next.time) ? next.value : NaN;
  }

  #of(name) {
    if (!this.#known.has(name)) this.#known.set(name, []);
    return this.#known.get(name);
  }
  // By time, and before those of the same time that are `later`.
  #put(all, one, later) {
    const place = all.findLastIndex((o) => o.time < one.time || (o.time === one.time && !later(o)));
    all.splice(place + 1, 0, one);
    if (all.length > most) all.shift();
  }
}
