// SPDX-License-Identifier: Apache-2.0
// How a run has been doing lately: differences between statuses of the last ten seconds.

const lately = 10_000; // ms

export class Pace {
  #seen = [];

  /// A status, and when it was asked for (ms).
  add(status, at) {
    const now = {
      at,
      running: status.state === 'running',
      steps: status.steps,
      simulated: status.sim_time_s,
      overruns: status.overruns.total,
      slips: status.slips,
      overBudget: status.over_budget,
    };
    // Another run, one that stood still, one nobody looked at: what was before says nothing.
    const last = this.#seen.at(-1);
    if (last && (now.steps < last.steps || at - last.at > lately || !last.running || !now.running))
      this.#seen = [];
    this.#seen.push(now);
    while (this.#seen.length > 2 && at - this.#seen[1].at >= lately) this.#seen.shift();
  }

  clear() {
    this.#seen = [];
  }

  /// Simulated seconds for each real one; NaN until two seconds are known.
  get realTimeFactor() {
    const [first, last] = [this.#seen[0], this.#seen.at(-1)];
    if (!first || last.at - first.at < 2000) return NaN;
    return (1000 * (last.simulated - first.simulated)) / (last.at - first.at);
  }

  /// By how much a count has grown.
  grown(what) {
    return this.#seen.length < 2 ? 0 : this.#seen.at(-1)[what] - this.#seen[0][what];
  }
}
