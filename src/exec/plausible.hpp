// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is plausible of the states. Beyond it a run is no more the plant's: a method that is
/// unstable at its step multiplies its states in every one, long before they are infinite.
/// Real-time safe after construction.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "hild/io/options.hpp"

namespace hild::exec {

class PlausibleStates {
 public:
  /// A range for each of `states` states; none: all that is finite
  /// is plausible.
  PlausibleStates(std::vector<io::Interval> ranges, std::size_t states)
      : ranges_(std::move(ranges)), finite_(states) {
    ranges_.resize(states);
    for (std::size_t i = 0; i < states; ++i) {
      finite_[i] = {std::max(ranges_[i].low, std::numeric_limits<double>::lowest()),
                    std::min(ranges_[i].high, std::numeric_limits<double>::max())};
    }
  }

  /// To be looked at as states are recorded: what is infinite is within none.
  [[nodiscard]] std::span<const io::Interval> ranges() const noexcept { return finite_; }
  /// The first state that is beyond its range or not finite; x.size() where none is.
  [[nodiscard]] std::size_t first_beyond(std::span<const double> x) const noexcept {
    std::size_t i = 0;
    for (const io::Interval& range : finite_) {
      if (!(x[i] >= range.low && x[i] <= range.high)) break;
      ++i;
    }
    return i;
  }
  /// As it was declared.
  [[nodiscard]] io::Interval declared(std::size_t state) const noexcept { return ranges_[state]; }

 private:
  std::vector<io::Interval> ranges_;
  std::vector<io::Interval> finite_;  // the same, an open side at the largest finite number
};

}  // namespace hild::exec
