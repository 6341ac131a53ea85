// SPDX-License-Identifier: Apache-2.0
#include "exec/following_clock.hpp"

#include <algorithm>
#include <cmath>

namespace hild::exec {
namespace {

// The tick is the arrival of the image, where that begins the frame.
Follow rule(const Settings& settings, const io::Sampler& sampler) noexcept {
  Follow follow = *settings.follow;
  if (follow.wake) follow.phase = sampler.delivery(follow.group);
  return follow;
}

}  // namespace

FollowingClock::FollowingClock(const Settings& settings, rt::Clock& clock, io::Sampler& sampler,
                               Meter& meter, Statistics& statistics, Step& step) noexcept
    : TimedClock(settings, clock, meter, statistics, step),
      follower_(rule(settings, sampler), settings.grid.period()),
      group_(settings.follow->group),
      wakes_(settings.follow->wake ? &sampler : nullptr),
      window_(part(settings.grid.period(), settings.follow->tolerance)),
      counted_(&statistics) {}

bool FollowingClock::next() noexcept {
  move_grid(follower_.take_move());
  return TimedClock::next();
}

// The image is waited for where the grid has it, and the step begins when it is there. What came
// nearer to the tick before is that one's: taken for the image of this one, it would be so for
// ever.
void FollowingClock::begin() noexcept {
  const MonoTime due = step().due;
  const MonoTime done = meter().last();
  if (wakes_ == nullptr || done >= due + window_) return TimedClock::begin();
  sleep_until(due - window_);
  wakes_->await_image(group_, due - settings().grid.period() / 2, due + window_);
  const MonoTime woke = meter().now();
  const bool waits = done < due;
  if (!waits) meter().close(io::Phase::idle, woke);
  close_step_before(waits, std::min(due, woke));
  plan(woke);
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
