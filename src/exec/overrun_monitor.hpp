// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict on every step: whether it was late and by what, whether its model answered, whether
/// too many were or did not; and what follows. Counts only what happened. Real-time safe after
/// construction.
#pragma once

#include "exec/clamp_watch.hpp"
#include "exec/loop_context.hpp"
#include "exec/overrun.hpp"

namespace hild::exec {

class ExternalControl;

class OverrunMonitor {
 public:
  /// What a limit holds, it holds through `external`.
  OverrunMonitor(LoopContext& run, ExternalControl& external);

  /// The step began late by a frame or more; the outputs are those of `last_call`. False: the run
  /// ends.
  [[nodiscard, gnu::noinline]] bool behind(MonoTime last_call) noexcept;
  /// The outputs due were written. False: they were cut to their limits for too long.
  [[nodiscard]] bool written() noexcept {
    return !clamps_.reached(run_->clock->gone_by()) || clamped_for_too_long();
  }
  /// What a model in another process says of itself.
  void look(const model::CapCounts& plant) noexcept {
    if (plant.owes || unanswered_) unanswered(plant.owes, plant.gone);
  }
  /// The step has ended.
  void judge(MonoTime end) noexcept;

 private:
  [[nodiscard]] io::Cause cause_of(Duration lateness) const noexcept;
  [[gnu::noinline]] void unanswered(bool owes, bool gone) noexcept;
  [[gnu::noinline]] void slip_past(MonoTime end) noexcept;
  [[gnu::noinline]] bool clamped_for_too_long() noexcept;
  void stand_still(Limit limit, Duration stood) noexcept;
  [[gnu::noinline]] void reach(Limit limit, Duration stood = {}) noexcept;

  LoopContext* run_;
  ExternalControl* external_;
  OverrunLimits limits_;
  ClampWatch clamps_;
  bool was_late_ = false;        // the step before
  bool unanswered_ = false;      // the step at hand, by its model
  MonoTime unanswered_since_{};  // the tick of the first such step in a row
  bool silent_ = false;          // for so long that the outputs were made safe
};

}  // namespace hild::exec
