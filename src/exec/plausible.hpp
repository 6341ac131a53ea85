// SPDX-License-Identifier: Apache-2.0
/// \file
/// The plausible ranges of the states. A run whose states have left them no longer represents the
/// plant: a method that is unstable at its step multiplies its states in every step, long before
/// they are infinite. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "hild/io/options.hpp"

namespace hild::exec {

class PlausibleStates {
 public:
  /// A range for each of `states` states; an empty vector: all that is finite is plausible.
  PlausibleStates(std::vector<io::Interval> ranges, std::size_t states)
      : ranges_(std::move(ranges)), finite_(states) {
    ranges_.resize(states);
    for (std::size_t i = 0; i < states; ++i) {
      finite_[i] = {std::max(ranges_[i].low, std::numeric_limits<double>::lowest()),
                    std::min(ranges_[i].high, std::numeric_limits<double>::max())};
    }
  }

  /// The ranges to compare recorded states with: no range contains an infinite value.
  [[nodiscard]] std::span<const io::Interval> ranges() const noexcept { return finite_; }
  /// The first state that is beyond its range or not finite; x.size() when there is none.
  [[nodiscard]] std::size_t first_beyond(std::span<const double> x) const noexcept {
    std::size_t i = 0;
    for (const io::Interval& range : finite_) {
      if (!(x[i] >= range.low && x[i] <= range.high)) break;
      ++i;
    }
    return i;
  }
  /// The range of a state as it was declared, open sides being infinite.
  [[nodiscard]] io::Interval declared(std::size_t state) const noexcept { return ranges_[state]; }

 private:
  std::vector<io::Interval> ranges_;
  std::vector<io::Interval> finite_;  // the same, an open side at the largest finite number
};

}  // namespace hild::exec
