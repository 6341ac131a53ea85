// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/series.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

namespace hild::ctl {
namespace {

constexpr std::array<std::string_view, 8> blocks{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 8> ascii{"_", ".", ",", "-", "~", "+", "*", "#"};
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void Series::add(double value) {
  values_.push_back(value);
  if (values_.size() > length_) values_.pop_front();
}

double Series::lowest() const {
  double lowest = nothing;
  for (const double v : values_) {
    if (std::isfinite(v) && !(v >= lowest)) lowest = v;
  }
  return lowest;
}

double Series::highest() const {
  double highest = nothing;
  for (const double v : values_) {
    if (std::isfinite(v) && !(v <= highest)) highest = v;
  }
  return highest;
}

std::string Series::sparkline(const report::Style& style) const {
  const auto& levels = style.utf8 ? blocks : ascii;
  const double low = lowest();
  const double range = highest() - low;
  std::string line;
  for (const double v : values_) {
    if (!std::isfinite(v)) {
      line += ' ';
      continue;
    }
    const double share = range > 0 ? (v - low) / range : 0.5;
    const auto level = static_cast<std::size_t>(share * static_cast<double>(levels.size()));
    line += levels[std::min(level, levels.size() - 1)];
  }
  return line;
}

}  // namespace hild::ctl
