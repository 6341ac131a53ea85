// SPDX-License-Identifier: Apache-2.0
/// \file
/// Round numbers for an axis: steps of 1, 2 or 5 times a power of ten.
#pragma once

#include <string>
#include <vector>

namespace hild::report {

struct Scale {
  double low = 0;
  double high = 1;
  double step = 1;

  /// The multiples of the step from `from` to `to`.
  [[nodiscard]] std::vector<double> ticks(double from, double to) const;
  /// The label of a tick, with as many decimals as are needed to distinguish the ticks.
  [[nodiscard]] std::string label(double tick) const;
};

/// Makes a scale for the range of the data with at most `intervals` steps. An end that is nearly
/// round becomes so; a constant gets room around it.
[[nodiscard]] Scale round_scale(double low, double high, int intervals);

}  // namespace hild::report
