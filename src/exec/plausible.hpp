// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is plausible of the states. Beyond it a run is no more the plant's: a method that is
/// unstable at its step multiplies its states in every one, long before they are infinite.
/// Real-time safe after construction.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hild/io/options.hpp"

namespace hild::exec {

class PlausibleStates {
 public:
  /// A range for each of `states` states, over all plants in their order; none: all are unlimited.
  PlausibleStates(std::vector<io::Interval> ranges, std::size_t states)
      : ranges_(std::move(ranges)) {
    ranges_.resize(states);
  }

  /// Whether the states of one plant, from place `first` among all, are all within their ranges.
  /// What is not a number is in none.
  [[nodiscard]] bool hold(std::span<const double> x, std::size_t first) const noexcept {
    const io::Interval* range = ranges_.data() + first;
    for (const double v : x) {
      if (!(v >= range->low) || !(v <= range->high)) [[unlikely]]
        return false;
      ++range;
    }
    return true;
  }

  /// The first of them that is not; x.size() where all are.
  [[nodiscard]] std::size_t first_beyond(std::span<const double> x,
                                         std::size_t first) const noexcept {
    std::size_t i = 0;
    while (i < x.size() && hold(x.subspan(i, 1), first + i)) ++i;
    return i;
  }
  [[nodiscard]] io::Interval range(std::size_t state) const noexcept { return ranges_[state]; }

 private:
  std::vector<io::Interval> ranges_;
};

}  // namespace hild::exec
