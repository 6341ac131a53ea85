// SPDX-License-Identifier: Apache-2.0
// The newest values of what is seen on the page, asked for again and again; of nothing else.

const period = 500; // ms

/// `values`, an event, tells of `this.of(name)` and `this.differs(name)`, all at `this.time`; its detail
/// are the values by name.
export class Values extends EventTarget {
  time = NaN; // s
  #run;
  #sources = [];
  #values = {};
  #differs = {};

  constructor(run) {
    super();
    this.#run = run;
    run.on('connection', () => (this.#values = this.#differs = {}));
    this.#poll();
  }

  /// `seen()` returns the names, as `output:NAME`, that are seen now.
  watch(seen) {
    this.#sources.push(seen);
  }
  of(name) {
    return this.#values[name];
  }
  /// What the line of a signal carries instead, {plant, line, why}; undefined: the same.
  differs(name) {
    return this.#differs[name];
  }

  async refresh() {
    const names = [...new Set(this.#sources.flatMap((seen) => seen()))];
    if (names.length === 0) return;
    const { values, differs, time_s } = await this.#run.connection.call('get', { names });
    this.#values = values;
    this.#differs = differs;
    this.time = time_s;
    this.dispatchEvent(new CustomEvent('values', { detail: values }));
  }

  async #poll() {
    if (this.#run.open && !document.hidden && this.#run.status?.state !== 'ended') {
      // None while no step has ended, or while names are those of an earlier run.
      await this.refresh().catch((error) => console.info(`get: ${error.message}`));
    }
    setTimeout(() => this.#poll(), period);
  }
}

/// Which of some elements are on the screen, or within `margin` of it.
export class Seen {
  changed = () => {};
  #elements = new Set();
  #observer;

  constructor(margin = '0px') {
    const note = (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) this.#elements.add(target);
        else this.#elements.delete(target);
      }
      this.changed();
    };
    this.#observer = new IntersectionObserver(note, { rootMargin: margin });
  }

  watch(element) {
    this.#observer.observe(element);
  }
  forget(element) {
    this.#observer.unobserve(element);
    this.#elements.delete(element);
  }
  has(element) {
    return this.#elements.has(element);
  }
  get all() {
    return [...this.#elements];
  }
}
