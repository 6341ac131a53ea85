// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the ticks came of a device that the frames follow, for people.
#pragma once

#include <optional>

#include "exec/settings.hpp"
#include "exec/statistics.hpp"

namespace hild::exec {

struct FollowedTicks {
  double period_us = 0;  ///< between images, in the mean
  double jitter_us = 0;  ///< of images about the grid: root mean square of the last ones
};

/// None where frames follow no device, or fewer than two of its ticks have come.
[[nodiscard]] inline std::optional<FollowedTicks> followed_ticks(const Statistics& s,
                                                                 const Settings& settings) {
  if (!settings.follow || s.followed_ticks.get() < 2) return {};
  const double longer = 1e-9 * static_cast<double>(s.tick_drift_ppb.get());
  return FollowedTicks{1e6 / settings.grid.rate_hz() * (1 + longer),
                       1e-3 * static_cast<double>(s.tick_jitter_ns.get())};
}

}  // namespace hild::exec
