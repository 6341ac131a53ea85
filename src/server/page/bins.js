// SPDX-License-Identifier: Apache-2.0
// Bins of a histogram, as it is drawn over decades.

/// Bins at most `perDecade` a decade, of [{low, high, count}] without gaps, from those of the
/// server: counts[i] lie in (edges[i - 1], edges[i]]. From the first that is not empty to the last.
export function merge(edges, counts, perDecade = 12) {
  const bins = [];
  const slot = (edge) => (edge > 0 ? Math.ceil(perDecade * Math.log10(edge) - 1e-9) : -Infinity);
  let bin = null;
  edges.forEach((high, i) => {
    if (bin === null || slot(high) !== slot(bin.high)) {
      bin = { low: i === 0 ? 0 : edges[i - 1], high, count: 0 };
      bins.push(bin);
    }
    bin.high = high;
    bin.count += counts[i];
  });
  const first = bins.findIndex((b) => b.count > 0);
  const last = bins.findLastIndex((b) => b.count > 0);
  return first < 0 ? [] : bins.slice(first, last + 1);
}

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
