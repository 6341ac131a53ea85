// SPDX-License-Identifier: Apache-2.0
/// \file
/// Counts what a histogram holds in intervals of one's own.
#pragma once

#include <span>
#include <vector>

#include "exec/statistics.hpp"

namespace hild::server {

/// The number of durations up to each edge and above the edge before it; at the end, the number
/// above all edges. Precondition: edges ascend.
[[nodiscard]] inline std::vector<std::int64_t> counts_between(const exec::Histogram& h,
                                                              std::span<const Duration> edges) {
  constexpr Duration all{INT64_MAX};
  std::vector<std::int64_t> counts;
  Duration low{};
  for (const Duration edge : edges) {
    const Duration above = edge + 1_ns;
    counts.push_back(h.between(low, above));
    low = above;
  }
  counts.push_back(h.between(low, all));
  return counts;
}

}  // namespace hild::server
