// SPDX-License-Identifier: Apache-2.0
/// \file
/// How often a rehearsal measures something: as often as asked for while that is cheap. A model of
/// many states has long steps, of which a few tell as much.
#pragma once

#include <cstddef>

#include "hild/rt/clock.hpp"

namespace hild::plan {

class Rounds {
 public:
  static constexpr Duration long_enough = 200_ms;  ///< beyond it, no more than the least
  static constexpr Duration too_long = 2000_ms;    ///< beyond it, no more at all

  /// Begins now, by `clock`. `things`: that are measured one after the other, in all of that time.
  Rounds(rt::Clock& clock, std::size_t most, std::size_t least = 5, std::size_t things = 1)
      : clock_(&clock), begun_(clock.now()), most_(most), least_(least), things_(things) {}

  [[nodiscard]] bool enough(std::size_t done) const {
    if (done == 0 || done >= most_) return done > 0;
    const Duration time = done < least_ ? too_long : long_enough;
    return clock_->now() - begun_ > time / static_cast<std::int64_t>(things_);
  }

 private:
  rt::Clock* clock_;
  MonoTime begun_;
  std::size_t most_;
  std::size_t least_;
  std::size_t things_;
};

}  // namespace hild::plan
