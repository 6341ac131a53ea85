// SPDX-License-Identifier: Apache-2.0
/// \file
/// The step at hand: which part of simulated time it covers, and where that lies on the clock.
#pragma once

#include "hild/core/time.hpp"

namespace hild::exec {

struct Step {
  std::int64_t number = 0;   ///< steps before it, not counting held frames
  std::int64_t frame = 0;    ///< the simulated frame it starts at
  int span = 1;              ///< frames it covers
  std::int64_t slipped = 0;  ///< frames given up before it
  SimTime time{};            ///< of its start,
  SimTime end{};             ///< and of its end
  MonoTime due{};            ///< the tick it starts at,
  MonoTime start{};          ///< when it did start,
  MonoTime deadline{};       ///< and the tick its outputs are due at
  bool waited = false;       ///< it waited for its tick; else it started late
  bool behind = false;       ///< it started late by a frame or more

  /// The clock time of an instant of the step.
  [[nodiscard]] MonoTime wall(SimTime t) const noexcept { return due + (t - time); }
};

}  // namespace hild::exec
