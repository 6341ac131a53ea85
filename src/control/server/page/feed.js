// SPDX-License-Identifier: Apache-2.0
// The subscription to the signals that are shown, kept up over reconnections, and what came; what
// was before is asked of the history of the run.

import { Traces } from './traces.js';

const keep = 20_000; // samples

/// Events: `samples` tells of the rows that came, {time_s, values} in the order of `traces.names`;
/// `past` of those from before.
export class Feed extends EventTarget {
  traces = new Traces([], keep);
  lost = 0;
  #run;
  #pid = null;
  #rate = 1;
  #number = null; // of the subscription
  #order = Promise.resolve();

  constructor(run) {
    super();
    this.#run = run;
    let connected = false;
    run.on('connection', () => (connected = false));
    run.on('status', ({ pid }) => {
      if (this.#pid !== null && pid !== this.#pid)
        this.traces = new Traces(this.traces.names, keep); // another run
      this.#pid = pid;
      if (!connected) this.#renew();
      connected = true;
    });
    run.connection.addEventListener('notification', ({ detail }) => this.#take(detail));
  }

  /// These signals, about `rate` times a second.
  want(names, rate) {
    if (names.join() === this.traces.names.join() && rate === this.#rate) return;
    if (names.join() !== this.traces.names.join()) this.traces = this.traces.withNames(names);
    this.#rate = rate;
    this.#renew();
  }

  /// One after the other, so that the last one wins.
  #renew() {
    this.#order = this.#order
      .then(() => this.#subscribe())
      .catch(this.#run.connection.notes('subscribe'));
  }

  async #subscribe() {
    const { connection, status, open } = this.#run;
    if (!open || status === null) return;
    const before = this.#number;
    this.#number = null;
    // One of an earlier connection is not known any more.
    if (before !== null)
      await connection.call('unsubscribe', { subscription: before }).catch(() => {});
    const { names } = this.traces;
    if (names.length === 0) return;
    const every = Math.max(1, Math.round(1 / (this.#rate * status.period_s)));
    this.#number = (await connection.call('subscribe', { names, every })).subscription;
    const past = await connection.call('history', { names });
    if (past.names.join() !== this.traces.names.join()) return;
    this.traces = this.traces.withPast(past.time_s, past.values);
    this.dispatchEvent(new Event('past'));
  }

  #take({ method, params }) {
    if (method !== 'samples' || params.subscription !== this.#number) return;
    if (params.values[0]?.length !== this.traces.names.length) return;
    params.time_s.forEach((time, i) => this.traces.push(time, params.values[i]));
    this.lost += params.lost;
    this.dispatchEvent(new CustomEvent('samples', { detail: params }));
  }
}
