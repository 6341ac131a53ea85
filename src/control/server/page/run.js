// SPDX-License-Identifier: Apache-2.0
// What is known of the run: asked for again and again while the page is seen, and told to the parts
// of the page as events `status`, `list`, `histograms`, `models`, `nodes`, `overruns`, and `connection` when that
// changes, which asks for `methods` too: what may be changed; and for `rights`: what of it by this page. `this.status` is the newest, with the instant it was `asked` for; what the run tells of
// itself in between, and how it ended, is put into it.

import { id } from './dom.js';
import { Seen } from './values.js';

const periods = { status: 500, list: 5000, histograms: 2000, models: 1000, nodes: 1000 }; // ms
const unseenPeriod = 5000; // ms, of what is not on the screen
const overrunsShown = 50;

export class Run extends EventTarget {
  status = null;
  #total = -1;
  #seen = new Seen();

  constructor(connection) {
    super();
    this.connection = connection;
    this.#seen.watch(id('timing'));
    connection.addEventListener('state', () => this.#connectionChanged());
    connection.addEventListener('notification', ({ detail }) => this.#told(detail));
    for (const what of Object.keys(periods)) this.#poll(what);
  }

  on(event, listener) {
    this.addEventListener(event, (e) => listener(e.detail));
  }

  get open() {
    return this.connection.state === 'open';
  }
  /// Whether changes can be asked for.
  get writable() {
    return (
      this.open && this.status !== null && this.status.writing && this.status.state !== 'ended'
    );
  }

  /// Asks for a change; the reply says at which frame it took effect.
  async change(method, params) {
    const effect = await this.connection.call(method, params);
    await Promise.allSettled([this.refresh('status'), this.refresh('list')]);
    return effect;
  }

  async refresh(what) {
    const asked = performance.now();
    const result = await this.connection.call(what);
    if (what !== 'status') return this.#tell(what, result);
    this.status = { ...result, asked };
    this.#tell('status', this.status);
    return this.#overruns(result.overruns.total);
  }

  #told({ method, params }) {
    if (this.status === null) return;
    if (method === 'state') this.#put(params);
    if (method === 'ended') this.#put({ state: 'ended', ending: params });
    if (method === 'state' && params.state !== 'ended') {
      for (const what of ['status', 'list']) this.refresh(what).catch(() => {});
    }
  }

  #put(news) {
    this.status = { ...this.status, ...news };
    this.#tell('status', this.status);
  }

  async #overruns(total) {
    if (total === this.#total) return;
    const result = await this.connection.call('overruns', { last: overrunsShown });
    this.#total = result.seen; // fewer than there are while the newest are on their way: asked again
    this.#tell('overruns', result);
  }

  #connectionChanged() {
    this.#total = -1;
    this.#tell('connection', this.connection.state);
    if (!this.open) return;
    this.connection.call('follow').catch(this.connection.notes('follow'));
    for (const what of ['methods', 'rights', ...Object.keys(periods)]) this.refresh(what).catch(() => {});
  }

  #tell(event, detail) {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }

  async #poll(what) {
    if (this.open && !document.hidden) {
      await this.refresh(what).catch(this.connection.notes(what));
    }
    const unseen = what === 'histograms' && !this.#seen.has(id('timing'));
    setTimeout(() => this.#poll(what), unseen ? unseenPeriod : periods[what]);
  }
}
