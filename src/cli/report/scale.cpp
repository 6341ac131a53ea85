// SPDX-License-Identifier: Apache-2.0
#include "cli/report/scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hild::report {
namespace {

constexpr double rounding = 1e-9;  // 0.3 / 0.1 is 2.999...
constexpr double nearly = 0.02;    // of the range

double round_step(double at_least) {
  const double decade = std::pow(10.0, std::floor(std::log10(at_least)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= at_least * (1 - rounding)) return digit * decade;
  }
  return 10 * decade;
}

}  // namespace

Scale round_scale(double low, double high, int intervals) {
  if (!(high > low)) {
    const double around = low == 0 ? 1 : std::abs(low) / 10;
    high = low + around;
    low -= around;
  }
  const double step = round_step((high - low) / intervals);
  const double room = nearly * (high - low);
  const double below = std::floor(low / step + rounding) * step;
  const double above = std::ceil(high / step - rounding) * step;
  return {low - below <= room ? below : low, above - high <= room ? above : high, step};
}

std::vector<double> Scale::ticks(double from, double to) const {
  std::vector<double> all;
  const double last = std::floor(to / step + rounding);
  for (double k = std::ceil(from / step - rounding); k <= last; ++k) all.push_back(k * step + 0.0);
  return all;
}

std::string Scale::label(double tick) const {
  const int decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - rounding)));
  if (decimals > 6 || std::abs(tick) >= 1e7) return fmt::format("{:.4g}", tick);
  return fmt::format("{:.{}f}", tick, decimals);
}

}  // namespace hild::report
