// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steps a plant by its own method under ideal conditions: every pass has its input of its instant,
/// every event acts when it happens.
#pragma once

#include "offline/replay/whole_run.hpp"

namespace hild::replay {

/// An occurrence of state event `index`, at t seconds.
struct EventAt {
  double t = 0;
  std::size_t index = 0;
};

/// The states at every tick of the recorded run; `events` are in the order of time.
[[nodiscard]] Result<Trajectory> exact_steps(const plan::Assembly& assembly, const WholeRun& run,
                                             const std::vector<EventAt>& events);

}  // namespace hild::replay
