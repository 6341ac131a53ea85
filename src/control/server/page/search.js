// SPDX-License-Identifier: Apache-2.0
// Finding by a few typed characters: which items match, the likeliest first.

const boundary = /[\s._\-:/()[\]]+/;
const none = Infinity;

/// The items that match all words of `query`, best first; of equals the shorter, then the earlier.
export function search(items, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return items;
  return items
    .map((item) => ({ item, rank: rankOf(item, words) }))
    .filter(({ rank }) => rank < none)
    .sort((a, b) => a.rank - b.rank || a.item.label.length - b.item.label.length)
    .map(({ item }) => item);
}

function rankOf(item, words) {
  const label = item.label.toLowerCase();
  return words.reduce((sum, word) => sum + rank(label, item.kind, word), 0);
}

function rank(label, kind, word) {
  if (label === word) return 0;
  const parts = label.split(boundary).filter(Boolean);
  if (parts.at(-1) === word) return 1; // `speed` of `motor.speed`
  if (label.startsWith(word)) return 2;
  if (parts.some((part) => part.startsWith(word))) return 3;
  if (initials(parts).startsWith(word)) return 4; // `bcv` for `battery.cell.voltage`
  if (label.endsWith(word)) return 5; // `427` for `cell_0427`
  if (label.includes(word)) return 6;
  if (word.length > 2 && kind.startsWith(word)) return 7;
  return isScattered(label, word) ? 8 : none;
}

// Digits count as a word of their own: `c12` for `cell_12`.
const initials = (parts) => parts.map((part) => (/^\d/.test(part) ? part : part[0])).join('');

function isScattered(label, word) {
  let at = -1;
  return [...word].every((c) => (at = label.indexOf(c, at + 1)) >= 0);
}
