// SPDX-License-Identifier: Apache-2.0
/// \file
/// Interlocks: what ends a run at once, with safe outputs. An emergency stop is a digital input
/// that must stay within [-0.5, 0.5] (or [0.5, 1.5] for a line that is closed while all is well).
/// Inputs are watched as they were sampled, whatever falsifies them for the plant, and before the
/// step they belong to; outputs and states at the end of a step, before they are written. Real-time
/// safe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace hild::exec {

/// Trips when the value leaves [low, high]; what is not a number has left it.
struct Interlock {
  enum class Of : std::uint8_t { input, output, state } of = Of::input;
  std::uint32_t index = 0;  ///< over all plants in their order; inputs also beyond those
  double low = -0.5;
  double high = 0.5;
};

/// The first of the interlocks that trips on `values`, those of kind `of` from index `first` on;
/// all.size() when none does.
[[nodiscard]] inline std::size_t tripped(std::span<const Interlock> all, Interlock::Of of,
                                         std::span<const double> values,
                                         std::size_t first) noexcept {
  const auto trips = [&](const Interlock& i) {
    if (i.of != of || i.index < first || i.index - first >= values.size()) return false;
    const double v = values[i.index - first];
    return !(v >= i.low && v <= i.high);
  };
  return static_cast<std::size_t>(std::ranges::find_if(all, trips) - all.begin());
}

}  // namespace hild::exec
