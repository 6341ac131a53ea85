// SPDX-License-Identifier: Apache-2.0
/// \file
/// Judges every step: whether it was late and by what, whether its model answered, and whether too
/// many steps were late or unanswered; and does what follows from it. Real-time safe after
/// construction.
#pragma once

#include "exec/clamp_watch.hpp"
#include "exec/loop_context.hpp"
#include "exec/overrun.hpp"

namespace hild::exec {

class ExternalControl;

class OverrunMonitor {
 public:
  /// Where a limit freezes the plant, it is held through `external`.
  OverrunMonitor(LoopContext& run, ExternalControl& external);

  /// To be called for a step that began late by a frame or more; `last_call` is the instant of the
  /// last device call, when the outputs were last written. False: the run ends.
  [[nodiscard, gnu::noinline]] bool behind(MonoTime last_call) noexcept;
  /// To be called after the outputs that were due were written. False: they have been cut to their
  /// limits for too long.
  [[nodiscard]] bool written() noexcept {
    return !clamps_.due() || !clamps_.reached(run_->clock->gone_by()) || clamped_for_too_long();
  }
  /// Looks at whether a model in another process owes an answer, or whether its process is gone.
  void look(const model::CapCounts& plant) noexcept {
    if (plant.owes || unanswered_) unanswered(plant.owes, plant.gone);
  }
  /// Judges the step that ended at `end`.
  void judge(MonoTime end) noexcept;
  /// Between two steps. That outputs are cut to their limits is of the devices, and not part of it.
  void transfer(Archive& archive) noexcept;

 private:
  [[nodiscard]] io::Cause cause_of(Duration lateness) const noexcept;
  [[gnu::noinline, gnu::cold]] void note_late(Duration lateness) noexcept;
  [[nodiscard]] bool waited_for_workers(Duration lateness) const noexcept;
  [[gnu::noinline]] void unanswered(bool owes, bool gone) noexcept;
  [[gnu::noinline]] void slip_past(MonoTime end) noexcept;
  [[gnu::noinline]] bool clamped_for_too_long() noexcept;
  void stand_still(Limit limit, Duration stood) noexcept;
  [[gnu::noinline]] void reach(Limit limit, Duration stood = {}) noexcept;

  LoopContext* run_;
  ExternalControl* external_;
  OverrunLimits limits_;
  ClampWatch clamps_;
  bool was_late_ = false;        // the step before was
  bool unanswered_ = false;      // the model did not answer the step at hand
  MonoTime unanswered_since_{};  // the tick of the first such step in a row
  bool silent_ = false;          // for so long that the outputs were made safe
};

}  // namespace hild::exec
