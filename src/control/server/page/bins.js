// SPDX-License-Identifier: Apache-2.0
// Bins of a histogram, as it is drawn over decades.

/// [{low, high, count}] of what the server sends: counts[i] lie in (edges[i - 1], edges[i]].
/// Nothing is known of where the first begins: 0.
export const bins = ({ edges_us: edges, counts }) =>
  edges.map((high, i) => ({ low: i === 0 ? 0 : edges[i - 1], high, count: counts[i] }));

/// Powers of ten in [low, high].
export function decades(low, high) {
  const ticks = [];
  for (let e = Math.ceil(Math.log10(low) - 1e-9); 10 ** e <= high * (1 + 1e-9); ++e) {
    ticks.push(Number(`1e${e}`));
  }
  return ticks;
}

/// A function that takes values of [low, high] to [from, to] by their logarithm; beyond: the ends.
export function logScale(low, high, from, to) {
  const [a, b] = [Math.log10(low), Math.log10(high)];
  return (value) => {
    const share = value > 0 ? (Math.log10(value) - a) / (b - a) : 0;
    return from + (to - from) * Math.min(1, Math.max(0, share));
  };
}
