// SPDX-License-Identifier: Apache-2.0
#include "exec/aligned_clock.hpp"

namespace hild::exec {

AlignedClock::AlignedClock(const Settings& settings, rt::Clock& clock, rt::TaiClock& tai,
                           Meter& meter, Statistics& statistics, Step& step) noexcept
    : TimedClock(settings, clock, meter, statistics, step),
      grid_(*settings.align, settings.grid),
      tai_(&tai),
      counted_(&statistics) {}

bool AlignedClock::next() noexcept {
  const TaiGrid::Seen seen = grid_.see(timeline().tick(step().frame), tai_->read());
  move_grid(seen.move);
  counted_->phase_error_ns.set(seen.error.ns);
  if (seen.stepped) {
    counted_->clock_steps.add();
    good_ = good_ && !settings().align->ends_on_step;
  }
  return TimedClock::next() && good_;
}

}  // namespace hild::exec
