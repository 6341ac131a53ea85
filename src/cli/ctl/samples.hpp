// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the params of a `samples` notification.
#pragma once

#include <boost/json/object.hpp>
#include <vector>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

struct SampleRows {
  std::vector<std::int64_t> frames;
  std::vector<double> times_s;
  /// A row for each time, of `columns` values; null is NaN.
  std::vector<std::vector<double>> values;
  std::int64_t lost = 0;
};

/// Reads the rows. CallError: rows and times do not match, as may be with another version.
[[nodiscard]] Reply<SampleRows> sample_rows(const boost::json::object& params, std::size_t columns);

}  // namespace hild::ctl
