// SPDX-License-Identifier: Apache-2.0
/// \file
/// Converts the histograms of the run into forms for programs.
#pragma once

#include <boost/json/object.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "exec/statistics.hpp"

namespace hild::server {

/// Quantiles {p50, p99, p999, max} in us.
[[nodiscard]] boost::json::object quantiles_us(const exec::Histogram& h);

/// Every histogram of durations, with its name in the interface.
[[nodiscard]] std::vector<std::pair<std::string, const exec::Histogram*>> histograms_of(
    const exec::Statistics& s);

/// The number of durations up to each edge and above the edge before it; at the end, the number
/// above all edges. Precondition: edges ascend.
[[nodiscard]] std::vector<std::int64_t> counts_between(const exec::Histogram& h,
                                                       std::span<const Duration> edges);

}  // namespace hild::server
