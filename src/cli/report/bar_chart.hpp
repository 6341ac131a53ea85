// SPDX-License-Identifier: Apache-2.0
/// \file
/// A distribution of durations over decades, in bins that end at 1, 2 and 5, and as bars.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/report/text.hpp"
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

/// A line for each bin: its ends in us, its count, its share, a bar. Empty without bins.
[[nodiscard]] std::string bar_chart(std::span<const Bin> bins, const Style& style);

}  // namespace hild::report
