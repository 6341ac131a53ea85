// SPDX-License-Identifier: Apache-2.0
// What somebody has all pages of the run show: played here, until it ends or a person at this page goes
// back to what is now; and, for who may, begun and ended here.

import { whyNot } from './access.js';
import { announce } from './announce.js';
import { id, show, showIf } from './dom.js';

const stretch = ({ from_s: from, to_s: to }) =>
  `${from.toFixed(1)}\u202fs to ${to.toFixed(1)}\u202fs`;

/// By role, where who asked has one: "instructor shows 12.3 s to 20.1 s."
export const showingWords = (showing) =>
  `${showing.by ?? 'Somebody'} shows ${stretch(showing)}`;

/// Follows what `status` tells of `showing`, on a moment.
export class Follower {
  number = null; // of what is followed; null: nothing is
  #moment;
  #left = null; // the number of what this page does not follow any more, or never did

  constructor(moment) {
    this.#moment = moment;
    moment.addEventListener('moment', () => {
      if (this.number !== null && moment.at === null) this.leave(this.number);
    });
  }

  /// Of what this page asked for itself, or what a person here has left.
  leave(number) {
    this.#left = number;
    if (this.number === number) this.number = null;
  }

  /// `showing` as the run tells it; null: nothing.
  take(showing) {
    const number = showing?.number ?? null;
    if (this.number !== null && this.number !== number) {
      this.number = null;
      this.#moment.live();
    }
    if (number === null || number === this.#left || number === this.number) return;
    this.#moment.go(showing.at_s);
    if (this.#moment.at === null) return; // nothing is known here yet
    this.number = number;
    this.#moment.play(true, showing.speed, showing.to_s);
  }
}

/// `cursors`: what is between both of them is what is shown to all; else from the instant that is shown.
export function showPanel(run, moment, cursors) {
  const follower = new Follower(moment);
  const button = id('show');
  let why = 'nothing is known of what may be done here';
  let showing = null;
  let replied = '';

  function asked() {
    const { a, b } = cursors;
    if (a !== null && b !== null) return { from_s: Math.min(a, b), to_s: Math.max(a, b) };
    return moment.at === null ? null : { from_s: moment.at };
  }

  function draw() {
    const followed = follower.number !== null && showing !== null;
    show(id('past-why'), followed ? `${showingWords(showing)}. ` : '');
    show(button, showing === null ? 'Show to all' : 'End showing');
    button.disabled = why !== '' || (showing === null && asked() === null);
    const how = 'has all other pages play from the instant that is shown, or from cursor A to B';
    button.title = why || how;
    showIf(button, why === '');
    const words = showing !== null && !followed ? `All pages were asked to show ${stretch(showing)}` : '';
    show(id('show-state'), replied || words);
  }

  button.addEventListener('click', async () => {
    const params = showing === null ? asked() : {};
    if (showing === null) params.speed = moment.speed;
    replied = '';
    try {
      const answer = await run.connection.call('show', params);
      if (answer.showing) follower.leave(answer.showing.number);
      announce(answer.showing ? `All pages show ${stretch(answer.showing)}` : 'All pages show what is now');
      await run.refresh('status');
    } catch (error) {
      replied = error.message;
      announce(replied);
    }
    draw();
  });
  run.on('rights', (rights) => {
    why = whyNot(rights, 'show');
    draw();
  });
  run.on('status', (status) => {
    const before = follower.number;
    showing = status.state === 'ended' ? null : (status.showing ?? null);
    follower.take(showing);
    if (follower.number !== null && follower.number !== before) announce(showingWords(showing));
    draw();
  });
  moment.addEventListener('moment', draw);
  cursors.addEventListener('cursors', draw);
}
