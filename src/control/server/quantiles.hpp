// SPDX-License-Identifier: Apache-2.0
/// \file
/// Histograms of the run, as programs want them.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/statistics.hpp"

namespace hild::server {

/// {p50, p99, p999, max}
[[nodiscard]] boost::json::object quantiles_us(const exec::Histogram& h);

/// Every histogram of durations, by the name it has in the interface.
[[nodiscard]] std::vector<std::pair<std::string, const exec::Histogram*>> histograms_of(
    const exec::Statistics& s);

/// The number of durations up to each edge and above the edge before it; then of those above all
/// edges. Edges ascend.
[[nodiscard]] std::vector<std::int64_t> counts_between(const exec::Histogram& h,
                                                       std::span<const Duration> edges);

}  // namespace hild::server
