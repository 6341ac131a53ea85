// SPDX-License-Identifier: Apache-2.0
/// \file
/// What arrives at an input line where that is a function of simulated time alone, before any
/// converter has sampled or rounded it: for reference runs, which ask at instants of their own.
#pragma once

#include <limits>

#include "hild/core/time.hpp"

namespace hild::io {

/// Smooth pieces between breaks (instants at which the value or its slope jumps).
class Signal {
 public:
  /// Stands for a break that never comes.
  static constexpr SimTime no_break{std::numeric_limits<std::int64_t>::max()};

  Signal() = default;
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;
  virtual ~Signal() = default;

  /// The value, in converter units, at `t` seconds, of the piece that begins at or before `piece`
  /// and goes on after it. At the end of a piece that is the limit from the left, which a method
  /// needs whose step ends at a jump.
  [[nodiscard]] virtual double value(double t, SimTime piece) const noexcept = 0;

  /// The first break after `t`, or `no_break`.
  [[nodiscard]] virtual SimTime next_break(SimTime /*t*/) const noexcept { return no_break; }
};

}  // namespace hild::io
