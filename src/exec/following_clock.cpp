// SPDX-License-Identifier: Apache-2.0
#include "exec/following_clock.hpp"

#include <cmath>

namespace hild::exec {

FollowingClock::FollowingClock(const Settings& settings, rt::Clock& clock, Meter& meter,
                               Statistics& statistics, Step& step) noexcept
    : LiveClock(settings, clock, meter, statistics, step),
      follower_(*settings.follow, settings.grid.period()),
      group_(settings.follow->group),
      counted_(&statistics) {}

bool FollowingClock::next() noexcept {
  move_grid(follower_.take_move());
  return LiveClock::next();
}

bool FollowingClock::follow(std::span<MonoTime> instants) noexcept {
  const TickFollower::Seen seen = follower_.see(step().due, instants[group_]);
  instants[group_] = seen.made;
  if (seen.missing) counted_->missing_ticks.add();
  if (seen.stray) counted_->stray_ticks.add();
  if (seen.tick) counted_->followed_ticks.add();
  counted_->tick_drift_ppb.set(std::llround(1e9 * follower_.drift()));
  counted_->tick_jitter_ns.set(std::llround(follower_.jitter()));
  return !seen.lost;
}

void FollowingClock::stamp(std::span<MonoTime> instants) const noexcept {
  instants[group_] = follower_.stamp(step().due, instants[group_]);
}

}  // namespace hild::exec
