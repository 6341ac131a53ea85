// SPDX-License-Identifier: Apache-2.0
// Texts and lines of the page with less contrast than WCAG 2.2 asks for at level AA: the body of a
// function that returns [`ratio: what`].

const light = (rgb) =>
  rgb
    .map((v) => v / 255)
    .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
const ratio = (a, b) =>
  (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const numbers = (text) => text.match(/[\d.]+/g).map(Number);

function ground(element) {
  for (let e = element; e; e = e.parentElement) {
    const [r, g, b, a = 1] = numbers(getComputedStyle(e).backgroundColor);
    if (a === 1) return [r, g, b];
  }
  return [255, 255, 255];
}

const poor = [];
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (texts.nextNode()) {
  const words = texts.currentNode.textContent.trim();
  const e = texts.currentNode.parentElement;
  if (words === '' || !e.checkVisibility() || e.closest(':disabled')) continue;
  const style = getComputedStyle(e);
  const ink = numbers(e.closest('svg') ? style.fill : style.color).slice(0, 3);
  const found = ratio(ink, ground(e));
  if (found < 4.5) poor.push(`${found.toFixed(2)}: ${words}`);
}

// What is drawn on canvases, and lines.
const root = getComputedStyle(document.documentElement);
const named = (name) =>
  root
    .getPropertyValue(name)
    .trim()
    .match(/[0-9a-f]{2}/g)
    .map((v) => parseInt(v, 16));
const lines = ['--edge', '--accent', ...[0, 1, 2, 3, 4, 5].map((i) => `--trace-${i}`)];
for (const [name, least] of [['--ink-soft', 4.5], ...lines.map((name) => [name, 3])]) {
  const found = ratio(named(name), named('--surface'));
  if (found < least) poor.push(`${found.toFixed(2)}: ${name}`);
}
return poor;
