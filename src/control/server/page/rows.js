// SPDX-License-Identifier: Apache-2.0
// A list of any length in a box that scrolls: only the rows that are seen are elements.

import { make } from './dom.js';

const spare = 4; // rows above and below, so that scrolling shows no gap

export class Rows {
  #box;
  #inner = make('div', { class: 'rows', role: 'presentation' });
  #rows = [];
  #makeRow;
  #height;
  #shown = [0, 0];
  #asked = 0;

  /// `makeRow(row, place)` makes the element of a row, `height` pixels high.
  constructor(box, height, makeRow) {
    this.#box = box;
    this.#height = height;
    this.#makeRow = makeRow;
    box.replaceChildren(this.#inner);
    box.addEventListener('scroll', () => this.#soon());
    new ResizeObserver(() => this.#soon()).observe(box);
  }

  get length() {
    return this.#rows.length;
  }
  at(place) {
    return this.#rows[place];
  }
  /// Those that are seen.
  get seen() {
    const [from, to] = this.#range(0);
    return this.#rows.slice(from, to);
  }

  show(rows) {
    this.#rows = rows;
    this.#inner.style.height = `${rows.length * this.#height}px`;
    this.redraw();
  }

  redraw() {
    const [from, to] = (this.#shown = this.#range(spare));
    this.#inner.replaceChildren(
      ...this.#rows.slice(from, to).map((row, i) => {
        const element = this.#makeRow(row, from + i);
        element.style.top = `${(from + i) * this.#height}px`;
        return element;
      }),
    );
  }

  /// Scrolls so that a row is seen.
  reveal(place) {
    const top = place * this.#height;
    const { scrollTop, clientHeight } = this.#box;
    if (top < scrollTop) this.#box.scrollTop = top;
    else if (top + this.#height > scrollTop + clientHeight)
      this.#box.scrollTop = top + this.#height - clientHeight;
    this.#refresh();
  }
  /// How many rows are seen at a time.
  get page() {
    return Math.max(1, Math.floor(this.#box.clientHeight / this.#height) - 1);
  }

  #range(more) {
    const { scrollTop, clientHeight } = this.#box;
    const from = Math.floor(scrollTop / this.#height) - more;
    const to = Math.ceil((scrollTop + clientHeight) / this.#height) + more;
    return [Math.max(0, from), Math.min(this.#rows.length, to)];
  }

  #soon() {
    this.#asked ||= requestAnimationFrame(() => {
      this.#asked = 0;
      this.#refresh();
    });
  }

  #refresh() {
    const [from, to] = this.#range(spare);
    if (from !== this.#shown[0] || to !== this.#shown[1]) this.redraw();
  }
}
