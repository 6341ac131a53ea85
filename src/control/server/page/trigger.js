// SPDX-License-Identifier: Apache-2.0
// A capture that waits for something to happen: a signal that rises or falls through a level or is
// beyond it, or a mark on the axis of time: an overrun, a fault, a change, a state event, an alarm.

/// Of samples: `take(time, value)` is true at the first that fulfils `when`.
export class LevelTrigger {
  #before = NaN;

  constructor(when, level) {
    this.when = when;
    this.level = level;
  }

  take(value) {
    const before = this.#before;
    this.#before = value;
    return {
      rises: before < this.level && value >= this.level,
      falls: before > this.level && value <= this.level,
      above: value > this.level,
      below: value < this.level,
    }[this.when];
  }
}

export const ofSamples = ['rises', 'falls', 'above', 'below'];

/// One capture: waits, is caught at an instant, and is complete when the part of the window that
/// lies after it has passed.
export class Capture {
  caught = null; // s
  #level = null;
  #since; // s: what happened before is not waited for

  /// `when`: as in LevelTrigger with `name` and `level`, or a kind of mark.
  constructor({ when, name, level, since, before = 0.25 }) {
    Object.assign(this, { when, name, before });
    this.#since = since;
    if (ofSamples.includes(when)) this.#level = new LevelTrigger(when, level);
  }

  /// A sample of the signal `name`.
  sample(time, value) {
    if (this.caught === null && time > this.#since && this.#level?.take(value)) this.caught = time;
  }
  /// A mark on the axis of time.
  mark({ is, time }) {
    if (this.caught === null && is === this.when && time > this.#since) this.caught = time;
  }
  /// What to show of a window of `span` seconds once `now` is reached; null: not yet.
  window(span, now) {
    if (this.caught === null) return null;
    const from = this.caught - this.before * span;
    return now >= from + span ? { from, to: from + span } : null;
  }
}
