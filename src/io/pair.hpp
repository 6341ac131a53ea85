// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two values of a row at once, as every x86-64 and ARMv8 computes them: each as if alone, to the
/// bit. Real-time safe.
#pragma once

#include <cstddef>
#include <cstring>

namespace hild::io {

using Pair [[gnu::vector_size(16)]] = double;

/// Loads where rows are computed two values at a time, and where a last one is left.
struct LoadPair {
  Pair operator()(const double* values) const noexcept {
    Pair pair;
    std::memcpy(&pair, values, sizeof pair);
    return pair;
  }
};
struct LoadOne {
  double operator()(const double* value) const noexcept { return *value; }
};

/// to[i] = value(i, load) for all i of begin … end-1; `value` computes with what `load` loads.
template <class Value>
[[gnu::always_inline]] inline void by_pairs(std::size_t begin, std::size_t end, double* to,
                                            Value value) noexcept {
  std::size_t i = begin;
  for (; i + 2 <= end; i += 2) {
    const Pair two = value(i, LoadPair{});
    std::memcpy(to + i, &two, sizeof two);
  }
  if (i < end) to[i] = value(i, LoadOne{});
}

}  // namespace hild::io
