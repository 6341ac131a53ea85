// SPDX-License-Identifier: Apache-2.0
// The newest samples of some signals, in fixed memory. Columns are twice as long as what they keep,
// so that any part of it is a view without a copy.

export class Traces {
  #keep;
  #end = 0;
  #columns; // of time first

  constructor(names, keep) {
    this.names = names;
    this.#keep = keep;
    this.#columns = [undefined, ...names].map(() => new Float64Array(2 * keep));
  }

  get size() {
    return Math.min(this.#end, this.#keep);
  }
  get lastTime() {
    return this.#end === 0 ? -Infinity : this.#columns[0][this.#end - 1];
  }

  get firstTime() {
    return this.#end === 0 ? Infinity : this.#columns[0][this.#end - this.size];
  }
  /// The newest value of a signal; NaN where none is known.
  newest(name) {
    const known = this.names.indexOf(name);
    return known < 0 || this.#end === 0 ? NaN : this.#columns[known + 1][this.#end - 1];
  }

  /// A row of the values of all signals. It replaces all from its time on: of a plant that is held,
  /// that went back, and of what a history told before the samples on their way here came.
  push(time, row) {
    while (time <= this.lastTime) this.#end -= 1;
    if (this.#end === 2 * this.#keep) this.#moveDown();
    this.#columns[0][this.#end] = time;
    row.forEach((value, i) => (this.#columns[i + 1][this.#end] = value ?? NaN));
    this.#end += 1;
  }

  /// The same signals and others; what is not known of these is NaN.
  withNames(names) {
    const other = new Traces(names, this.#keep);
    const first = this.#end - this.size;
    other.#end = this.size;
    other.#columns[0].set(this.#columns[0].subarray(first, this.#end));
    names.forEach((name, i) => {
      const known = this.names.indexOf(name);
      if (known < 0) other.#columns[i + 1].fill(NaN, 0, this.size);
      else other.#columns[i + 1].set(this.#columns[known + 1].subarray(first, this.#end));
    });
    return other;
  }

  /// The same samples, which no further ones are added to.
  copy() {
    return this.withNames(this.names);
  }

  /// With rows of what was before, in the place of those that are known of the same time.
  withPast(times, rows) {
    if (times.length === 0) return this;
    const all = new Traces(this.names, this.#keep);
    const own = this.since(-Infinity, this.names);
    const [first, last] = [times[0], times.at(-1)];
    const rowAt = (i) => own.slice(1).map((column) => column[i]);
    const take = (isWanted) =>
      own[0].forEach((time, i) => isWanted(time) && all.push(time, rowAt(i)));
    take((time) => time < first);
    times.forEach((time, i) => all.push(time, rows[i]));
    take((time) => time > last);
    return all;
  }

  /// Views of time and of the signals `names` from the instant `from` on, and the row before it.
  since(from, names) {
    const times = this.#columns[0];
    let low = this.#end - this.size;
    let high = this.#end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] < from) low = middle + 1;
      else high = middle;
    }
    const start = Math.max(low - 1, this.#end - this.size);
    const wanted = [0, ...names.map((name) => this.names.indexOf(name) + 1)];
    return wanted.map((i) => this.#columns[i].subarray(start, this.#end));
  }

  #moveDown() {
    for (const column of this.#columns) column.copyWithin(0, this.#keep, 2 * this.#keep);
    this.#end = this.#keep;
  }
}
