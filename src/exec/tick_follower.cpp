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
  const Place at = place(due, image);
  const Seen seen{.tick = true, .stray = stray(at), .made = made_at(due, image, at)};
  made_ = seen.made;
  // By the ticks that they are of: how late they came is not part of how many there were.
  const MonoTime tick = due + Duration{std::llround(at.frames * period_)};
  if (any_) {
    ticks_ += std::round(static_cast<double>((tick - tick_).ns) / period_);
  } else {
    first_ = image;
  }
  tick_ = tick;
  any_ = true;
  last_ = image;
  missing_ = 0;
  correct(at.error);
  return seen;
}

// It is of the nearest tick: a late step may read one of a later tick than its own.
TickFollower::Place TickFollower::place(MonoTime due, MonoTime image) const noexcept {
  const double after = static_cast<double>((image - (due - follow_.phase)).ns);
  const double frames = std::round(after / period_);
  return {frames, after - frames * period_};
}

bool TickFollower::stray(const Place& at) const noexcept {
  return std::abs(at.error) > follow_.tolerance * period_;
}

// Not later than the tick, or where it was read late, than it came.
MonoTime TickFollower::made_at(MonoTime due, MonoTime image, const Place& at) const noexcept {
  if (stray(at)) return image;
  const Duration later{std::llround(at.frames * period_)};
  return std::min(due - follow_.phase + later, std::max(due, image));
}

MonoTime TickFollower::stamp(MonoTime due, MonoTime image) const noexcept {
  if (!any_ || image < last_) return image;
  return image == last_ ? made_ : made_at(due, image, place(due, image));
}

TickFollower::Seen TickFollower::bridge(MonoTime due, MonoTime image) noexcept {
  move_ = rate_;
  // A step before was late, and read the image of this tick already.
  if (any_ && static_cast<double>((last_ - (due - follow_.phase)).ns) > -period_ / 2) {
    return {.made = made_};
  }
  ++missing_;
  const int most = any_ ? follow_.missing
                        : std::max(follow_.missing,
                                   static_cast<int>(static_cast<double>(patience.ns) / period_));
  return {.missing = true, .lost = missing_ > most, .made = any_ ? made_ : std::min(image, due)};
}

// An error above 0: the image came later than the grid has it, which then moves to later times.
void TickFollower::correct(double error) noexcept {
  const double most = follow_.tolerance * period_;
  const double bounded = std::clamp(error, -most, most);
  if (!locked_) {
    // The rest is jitter, as far as anybody knows.
    locked_ = std::abs(error) <= most;
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
