// SPDX-License-Identifier: Apache-2.0
#include "exec/tick_follower.hpp"

#include <algorithm>
#include <cmath>

namespace hild::exec {

TickFollower::Seen TickFollower::see(MonoTime due, MonoTime image) noexcept {
  // One that was there before there was a tick says nothing of when ticks come.
  if (any_ ? image <= last_ : image.ns + static_cast<std::int64_t>(period_) < due.ns) {
    return bridge(due, image);
  }
  const double after = static_cast<double>((image - (due - follow_.phase)).ns);
  // It is of the nearest tick: a late step may read one of a later tick than its own.
  const double frames = std::round(after / period_);
  const double error = after - frames * period_;
  Seen seen;
  seen.stray = std::abs(error) > follow_.tolerance * period_;
  made_ = seen.stray ? image : due - follow_.phase + Duration{std::llround(frames * period_)};
  made_ = std::min(made_, due);
  seen.made = made_;
  if (any_) {
    ticks_ += std::max(std::round(static_cast<double>((image - last_).ns) / period_), 1.0);
  } else {
    first_ = image;
  }
  any_ = true;
  last_ = image;
  missing_ = 0;
  correct(error);
  return seen;
}

TickFollower::Seen TickFollower::bridge(MonoTime due, MonoTime image) noexcept {
  ++missing_;
  move_ = rate_;
  const int most = any_ ? follow_.missing
                        : std::max(follow_.missing,
                                   static_cast<int>(static_cast<double>(patience.ns) / period_));
  return {.missing = true,
          .stray = false,
          .lost = missing_ > most,
          .made = any_ ? made_ : std::min(image, due)};
}

// An error above 0: the image came later than the grid has it, which then moves to later times.
void TickFollower::correct(double error) noexcept {
  const double most = follow_.tolerance * period_;
  const double bounded = std::clamp(error, -most, most);
  if (!locked_) {
    locked_ = std::abs(error) <= most / 4;
    move_ = bounded;
    return;
  }
  square_ += (error * error - square_) / 100;
  rate_ = std::clamp(rate_ + integral * bounded, -most, most);
  move_ = std::clamp(rate_ + proportional * bounded, -most, most);
}

Duration TickFollower::take_move() noexcept {
  const Duration whole{std::llround(move_)};
  move_ = 0;
  return whole;
}

double TickFollower::drift() const noexcept {
  if (ticks_ == 0) return 0;
  return static_cast<double>((last_ - first_).ns) / (ticks_ * period_) - 1;
}

double TickFollower::jitter() const noexcept { return std::sqrt(square_); }

}  // namespace hild::exec
