// SPDX-License-Identifier: Apache-2.0
/// \file
/// How often a rehearsal measures something: as often as asked for while that is cheap. A model of
/// many states has long steps, of which a few tell as much.
#pragma once

#include <algorithm>
#include <cstddef>

#include "hild/rt/clock.hpp"

namespace hild::plan {

/// What a round takes by itself is what the shortest takes. So a busy machine, of which many rounds
/// are needed, leaves them their number.
class Rounds {
 public:
  static constexpr Duration long_enough = 200_ms;  ///< of rounds as short as the shortest
  static constexpr Duration too_long = 2000_ms;    ///< of time

  /// Begins now, by `clock`. `least`: rounds after which `long_enough` counts. `things`: that are
  /// measured one after the other, in all of that time.
  Rounds(rt::Clock& clock, std::size_t most, std::size_t least = 5, std::size_t things = 1)
      : clock_(&clock),
        begun_(clock.now()),
        last_(begun_),
        most_(most),
        least_(least),
        things_(static_cast<std::int64_t>(things)) {}

  /// Whether so many rounds will do; to be asked after each.
  [[nodiscard]] bool enough(std::size_t done) {
    if (done == seen_) return false;
    const MonoTime now = clock_->now();
    shortest_ = std::min(shortest_, now - last_);
    last_ = now;
    seen_ = done;
    const Duration by_itself = shortest_ * static_cast<std::int64_t>(done);
    return done >= most_ || (done >= least_ && by_itself * things_ > long_enough) ||
           (now - begun_) * things_ > too_long;
  }

 private:
  rt::Clock* clock_;
  MonoTime begun_;
  MonoTime last_;
  Duration shortest_ = too_long;
  std::size_t most_;
  std::size_t least_;
  std::int64_t things_;
  std::size_t seen_ = 0;
};

}  // namespace hild::plan
