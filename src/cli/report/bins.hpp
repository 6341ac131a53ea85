// SPDX-License-Identifier: Apache-2.0
/// \file
/// A distribution of durations over decades: bins that end at 1, 2 and 5.
#pragma once

#include <vector>

#include "exec/histogram.hpp"

namespace hild::report {

/// Durations in [low, high).
struct Bin {
  Duration low{};
  Duration high{};
  std::int64_t count = 0;
};

/// The bins of a histogram, from the first to the last that is not empty; the smallest bin is 0 ...
/// 1 us.
[[nodiscard]] std::vector<Bin> log_bins(const exec::Histogram& histogram);

}  // namespace hild::report
