// SPDX-License-Identifier: Apache-2.0
// What a screen reader is told: changes of state, replies and errors, never samples.

import { id } from './dom.js';

const atMostEvery = 10_000; // ms, of what may come again and again
const kept = 5; // lines, so that none goes before it is read
const told = new Map();

export function announce(text) {
  const line = document.createElement('p');
  line.textContent = text;
  id('announcements').append(line);
  if (id('announcements').childElementCount > kept) id('announcements').firstChild.remove();
}

/// The same, of things of one kind no more than once in a while.
export function announceRarely(kind, text) {
  const now = performance.now();
  if (now - (told.get(kind) ?? -Infinity) < atMostEvery) return;
  told.set(kind, now);
  announce(text);
}
