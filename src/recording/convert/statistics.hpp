// SPDX-License-Identifier: Apache-2.0
/// \file
/// What signals of a log were like: how many values, their mean and how far they are from it. So a
/// limit can be drawn from what was recorded while all was well.
#pragma once

#include <string>
#include <vector>

#include "recording/convert/export.hpp"

namespace hild::convert {

/// Of one signal, in its unit. Values that are not finite are counted and otherwise left out.
struct SignalStatistics {
  std::string name;  ///< "output.speed"
  std::string unit;
  std::int64_t count = 0;       ///< of finite values
  std::int64_t not_finite = 0;  ///< NaN and infinite ones
  double mean = 0;
  double deviation = 0;  ///< standard deviation, by count - 1
  double least = 0;
  double most = 0;
};

/// Of the signals that options.signals chooses, in the order of an export.
[[nodiscard]] Result<std::vector<SignalStatistics>> statistics_of(
    mcap::ByteSource& log, const ExportOptions& options, const framelog::Progress& progress = {});

}  // namespace hild::convert
