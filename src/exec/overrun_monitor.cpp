// SPDX-License-Identifier: Apache-2.0
#include "exec/overrun_monitor.hpp"

#include <utility>

#include "exec/external_control.hpp"
#include "exec/model_workers.hpp"

namespace hild::exec {

OverrunMonitor::OverrunMonitor(LoopContext& run, ExternalControl& external)
    : run_(&run),
      external_(&external),
      limits_(run.settings.overrun),
      clamps_(run.settings.clamping, run.settings.grid, run.devices.sampler().cut_values(),
              *run.statistics) {}

void OverrunMonitor::transfer(Archive& archive) noexcept {
  archive(limits_, was_late_, unanswered_, silent_);
  if (unanswered_ || archive.measures()) archive(unanswered_since_);
}

// Before the first device call nothing is live.
bool OverrunMonitor::behind(MonoTime last_call) noexcept {
  const Step& step = run_->step;
  const Duration stood = step.start - last_call;
  const Duration longest = run_->settings.overrun.standstill;
  if (longest.ns > 0 && stood > longest && run_->statistics->frames.get() > 0) {
    stand_still(Limit::standstill, stood);
  } else if (!external_->holds() && limits_.slipped(step.slipped)) {
    reach(Limit::missed);
  }
  return !run_->end.reached();
}

// What drives the lines is not the model.
bool OverrunMonitor::clamped_for_too_long() noexcept {
  const Step& step = run_->step;
  run_->end.tell(Fault::clamped, step.frame, step.time);
  return false;
}

void OverrunMonitor::note_late(Duration lateness) noexcept {
  Statistics& statistics = *run_->statistics;
  io::FrameHeader& record = run_->record.header();
  record.cause = cause_of(lateness);
  statistics.overruns.add();
  statistics.by_cause[static_cast<std::size_t>(record.cause)].add();
  if (record.cause == io::Cause::worker) {
    record.waited_for = static_cast<std::uint32_t>(run_->workers->waited_for());
  }
}

void OverrunMonitor::judge(MonoTime end) noexcept {
  io::FrameHeader& record = run_->record.header();
  const Duration lateness = end - run_->step.deadline;
  record.end = end;
  record.lateness = lateness;
  const bool late = lateness.ns > 0;
  if (late) {
    note_late(lateness);
  } else {
    run_->meter.learn();
  }
  was_late_ = late;
  if (late && run_->settings.overrun.policy == OverrunPolicy::slip) slip_past(end);
  if (limits_.reached(late | unanswered_)) reach(Limit::missed);
}

io::Cause OverrunMonitor::cause_of(Duration lateness) const noexcept {
  const FrameClock& clock = *run_->clock;
  if (lateness > clock.began_late()) {
    return waited_for_workers(lateness) ? io::Cause::worker : run_->meter.cause_of(lateness);
  }
  if (clock.woken()) return io::Cause::late_wake;
  // It waited for its tick, but then served something for too long.
  if (clock.step().waited) return io::Cause::external_event;
  if (was_late_) return io::Cause::carried;
  // It started late after a step in time: by what was served in between, or held up there.
  const bool served = run_->meter.slack_before() * 2 >= clock.began_late();
  return served ? io::Cause::external_event : io::Cause::unknown;
}

// Whether that explains at least half of it.
bool OverrunMonitor::waited_for_workers(Duration lateness) const noexcept {
  return run_->workers != nullptr && run_->workers->waited_beyond_usual() >= lateness / 2;
}

// The late step itself is the first of what slips.
void OverrunMonitor::slip_past(MonoTime end) noexcept {
  if (limits_.slipped(run_->clock->slip_past(end) - 1)) reach(Limit::missed);
}

// A model in another process owes an answer, or owed one until now.
void OverrunMonitor::unanswered(bool owes, bool gone) noexcept {
  Statistics& statistics = *run_->statistics;
  const Step& step = run_->step;
  if (!owes) {
    unanswered_ = silent_ = false;
    statistics.unanswered_since.set(-1);
    return;
  }
  if (!std::exchange(unanswered_, true)) {
    unanswered_since_ = step.due;
    statistics.unanswered_since.set(run_->clock->gone_by());
  }
  const Duration stood = step.deadline - unanswered_since_;
  const Duration longest = run_->settings.overrun.standstill;
  if (gone) statistics.model_gone.set(1);
  if (gone || (longest.ns > 0 && stood >= longest)) {
    stand_still(gone ? Limit::gone : Limit::silent, stood);
  }
}

// What stands still is no plant: whatever `then` says, its outputs become safe, and stay so until
// somebody lets them follow it again. While a model stays away they may not.
void OverrunMonitor::stand_still(Limit limit, Duration stood) noexcept {
  Statistics& statistics = *run_->statistics;
  run_->devices.sampler().disarm();
  if (limit == Limit::standstill || !std::exchange(silent_, true)) {
    statistics.stood_frame.set(run_->step.frame);
    statistics.stood_ns.set(stood.ns);
    statistics.stood_for.set(static_cast<std::int64_t>(limit));
    statistics.standstills.add();
  }
  reach(limit, stood);
}

// A limit is reached: what follows.
void OverrunMonitor::reach(Limit limit, Duration stood) noexcept {
  const OverrunSettings& s = run_->settings.overrun;
  const std::int64_t frame = run_->step.frame;
  const bool stops = s.policy == OverrunPolicy::stop || s.then == LimitAction::safe_stop;
  const bool freezes = !stops && s.then == LimitAction::freeze;
  if (stops || freezes || limit != Limit::missed) run_->end.note_limit(limit, frame, stood);
  if (stops) {
    run_->end.tell(End::overrun_limit, frame);
  } else if (freezes) {
    external_->hold_by_limit();
    limits_.forget();
  }
}

}  // namespace hild::exec
