// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmi/time_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "hild/model/system.hpp"

namespace hild::fmi {

int TimeEvents::take(const DiscreteUpdate& update, double t) noexcept {
  timed_ = update.timed;
  next_ = update.next_time;
  const bool ahead = !timed_ || next_ > t;
  return not_ahead_ = ahead ? 0 : not_ahead_ + 1;
}

SimTime TimeEvents::next(SimTime t) const noexcept {
  if (!timed_ || next_ >= 9e9) return model::never;
  const SimTime next{static_cast<std::int64_t>(std::llround(next_ * 1e9))};
  return std::max(next, t + Duration{1});
}

// Its own time event, which lies at most a nanosecond off: or, after a hundred days, what seconds
// can tell.
double TimeEvents::exact(double t) const noexcept {
  constexpr double rounding = 2 * std::numeric_limits<double>::epsilon();
  return timed_ && std::abs(t - next_) <= 1e-9 + rounding * std::abs(t) ? next_ : t;
}

}  // namespace hild::fmi
