// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two values of a row at once, as every x86-64 and ARMv8 computes them: each as if alone, to the
/// bit. For drivers with many channels side by side. Real-time safe.
#pragma once

#include <cstddef>
#include <cstring>

namespace hild::io {

/// Two numbers, with the operators of one.
using Pair [[gnu::vector_size(16)]] = double;

/// Loads where a row is computed two values at a time.
struct LoadPair {
  /// The value there and the next one.
  Pair operator()(const double* values) const noexcept {
    Pair pair;
    std::memcpy(&pair, values, sizeof pair);
    return pair;
  }
};
/// Loads where a last value is left.
struct LoadOne {
  /// The value there.
  double operator()(const double* value) const noexcept { return *value; }
};

/// to[i] = value(i, load) for all i of begin … end-1; `value` computes with what `load` loads,
/// which is a LoadPair, for i and i + 1, or a LoadOne.
template <class Value>
[[gnu::always_inline]] inline void by_pairs(std::size_t begin, std::size_t end, double* to,
                                            Value value) noexcept {
  const std::size_t count = end - begin;
  const auto two = [&](std::size_t i) __attribute__((always_inline)) {
    const Pair both = value(i, LoadPair{});
    std::memcpy(to + i, &both, sizeof both);
  };
  std::size_t i = begin;
  for (const std::size_t fours = end - (count & 3U); i != fours; i += 4) {
    two(i);
    two(i + 2);
  }
  if ((count & 2U) != 0) {
    two(i);
    i += 2;
  }
  if ((count & 1U) != 0) to[i] = value(i, LoadOne{});
}

}  // namespace hild::io
