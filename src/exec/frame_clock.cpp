// SPDX-License-Identifier: Apache-2.0
#include "exec/frame_clock.hpp"

#include <algorithm>

namespace hild::exec {

FrameClock::FrameClock(const Settings& settings, rt::Clock& clock, Meter& meter,
                       Statistics& statistics, Step& step) noexcept
    : settings_(&settings),
      clock_(&clock),
      meter_(&meter),
      statistics_(&statistics),
      timeline_(settings.grid, {}),
      step_(&step) {}

void FrameClock::begin_run(MonoTime start, std::int64_t first) noexcept {
  timeline_ = Timeline(settings_->grid, start, first);
  *step_ = {};
  step_->number = step_->frame = first;
  step_->time = step_->end = timeline_.time(first);
}

void FrameClock::transfer(Archive& archive) noexcept {
  // The end of each of them can be told in nanoseconds.
  const std::int64_t most = Archive::longest_ns / (settings_->grid.period().ns + 1) / 2;
  std::int64_t moved = timeline_.moved();
  archive.number(step_->number, 0, most, "the number of the step");
  archive.number(step_->frame, 0, most, "the frame");
  archive.number(moved, 0, most, "frames given up");
  if (!archive.loads()) return;
  archive.check(timeline_.time(step_->frame) == archive.now().time, "the frame");
  timeline_.place(step_->frame, moved, archive.now().tick);
  step_->time = step_->end = timeline_.time(step_->frame);
}

// Late by a frame or more: some of them may be given up, and two taken at once.
void FrameClock::fall_behind(MonoTime start) noexcept {
  const StepPlan plan = catch_up(settings_->overrun, timeline_, step_->frame, start);
  statistics_->slips.add(plan.slipped);
  step_->span = plan.span;
  step_->slipped = plan.slipped;
  step_->due = timeline_.tick(step_->frame);
  step_->deadline = timeline_.tick(step_->frame + plan.span);
  step_->end = timeline_.time(step_->frame + plan.span);
}

void FrameClock::shorten() noexcept {
  step_->span = 1;
  step_->deadline = timeline_.tick(step_->frame + 1);
  step_->end = timeline_.time(step_->frame + 1);
}

void FrameClock::wait(MonoTime release, bool ahead) noexcept {
  clock_->sleep_until(release);
  began_late_ = meter_->close_wait(release) - release;
  note_wake(began_late_);
  woken_ = ahead;
}

void FrameClock::advance() noexcept {
  step_->frame += step_->span;
  ++step_->number;
  step_->time = step_->end;
}

std::int64_t FrameClock::slip_past(MonoTime now) noexcept {
  const std::int64_t slipped = timeline_.move_past(step_->frame + step_->span, now);
  statistics_->slips.add(slipped);
  return slipped;
}

// ---- by time -----------------------------------------------------------------------------------

bool TimedClock::waits_for_sample(MonoTime release) noexcept { return meter().last() < release; }

FrameClock::Timing TimedClock::timing(MonoTime at, MonoTime next) noexcept {
  const MonoTime now = meter().last();
  if (now >= next) return Timing::too_late;
  return now < at ? Timing::wait : Timing::now;
}

[[gnu::flatten]] void TimedClock::wait_for(MonoTime release) noexcept {
  wait(release, meter().last() < release);
}

bool TimedClock::fits(MonoTime start, Duration work) noexcept {
  return std::max(meter().last(), start) + work <= step().deadline;
}

}  // namespace hild::exec
