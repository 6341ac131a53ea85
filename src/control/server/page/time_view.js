// SPDX-License-Identifier: Apache-2.0
// Which part of time all plots show: the newest so many seconds, or a part that is held, of samples
// that are held with it.

export class TimeView extends EventTarget {
  span = 10; // s
  held = null; // {from, to, traces}
  #feed;

  constructor(feed) {
    super();
    this.#feed = feed;
  }

  /// The samples that are shown.
  get traces() {
    return this.held?.traces ?? this.#feed.traces;
  }
  get from() {
    return this.held ? this.held.from : this.traces.lastTime - this.span;
  }
  get to() {
    return this.held ? this.held.to : this.traces.lastTime;
  }

  /// The newest so many seconds, from now on.
  follow(span = this.span) {
    this.span = span;
    this.held = null;
    this.#changed();
  }

  /// Holds what is shown, or another part of it; the run goes on.
  hold(from = this.from, to = this.to) {
    const traces = this.held?.traces ?? this.#feed.traces.copy();
    if (traces.lastTime === -Infinity || !(to > from)) return;
    this.held = { from, to, traces };
    this.#changed();
  }

  /// Holds a part in which an instant is: what is shown, or as much around it.
  reveal(time) {
    const { from, to } = this;
    const width = to - from;
    if (time >= from && time <= to) {
      if (this.held === null) this.hold();
    } else this.hold(time - 0.75 * width, time + 0.25 * width);
  }

  /// Holds what came meanwhile too, if nothing of what is held is lost by it.
  renew() {
    const known = this.#feed.traces;
    if (this.held === null || known.firstTime > this.held.from) return;
    this.held = { ...this.held, traces: known.copy() };
  }

  /// All that is known by now, what is held among it.
  showAll() {
    const known = this.#feed.traces;
    const holdsMore = this.held !== null && this.held.traces.firstTime < known.firstTime;
    if (!holdsMore) this.held = null; // what came meanwhile, as the history of the run
    const { firstTime, lastTime } = this.traces;
    this.hold(firstTime, lastTime);
  }

  /// Shows `factor` times as much around the instant `at`.
  zoom(factor, at = (this.from + this.to) / 2) {
    const width = (this.to - this.from) * factor;
    if (width < 1e-9 || width > 1e7) return;
    const share = (at - this.from) / (this.to - this.from);
    this.#move(at - share * width, width);
  }

  /// Goes back or on by so many widths.
  pan(widths) {
    const width = this.to - this.from;
    this.#move(this.from + widths * width, width);
  }

  // Never so far that nothing is left to see.
  #move(from, width) {
    const { firstTime, lastTime } = this.traces;
    const at = Math.min(Math.max(from, firstTime - width / 2), lastTime - width / 2);
    this.hold(at, at + width);
  }

  #changed() {
    this.dispatchEvent(new Event('view'));
  }
}
