// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run steered from outside: what was prepared in earlier slack takes effect at the start of a
/// step; the plant is held, stepped, put back; signals are falsified or made. Nothing of it is
/// looked at in a frame without any. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/change_check.hpp"
#include "exec/external_events.hpp"
#include "exec/loop_context.hpp"
#include "exec/overrides.hpp"
#include "exec/snapshot.hpp"
#include "exec/stimuli.hpp"

namespace hild::exec {

class OutputScheduler;

class ExternalControl {
 public:
  /// `events`: none, nothing comes from outside. All outlive this.
  ExternalControl(LoopContext& run, OutputScheduler& outputs, ExternalEvents* events);

  /// The plant is as it begins: what it can be put back to.
  void begin_run() noexcept;
  /// What was asked for and not done is refused, what was lent is given back.
  void end_run() noexcept;
  [[nodiscard]] const SavedStates& saved() const noexcept { return saved_; }

  /// Prepares what usually fits before `until`, for the step that starts at `next_frame`.
  void serve(MonoTime until, std::int64_t next_frame) noexcept {
    if (events_ != nullptr && events_->waiting()) prepare(until, next_frame);
  }

  // ---- at the start of a step ----

  /// Whether something takes effect there.
  [[nodiscard]] bool due() const noexcept {
    return events_ != nullptr && events_->due(run_->clock->step().frame);
  }
  /// Before the sample of such a step: the inputs of the step before, which a dropout keeps.
  void keep_inputs(std::span<const double> u) noexcept {
    std::copy_n(u.begin(), last_inputs_.size(), last_inputs_.begin());
  }
  /// After it: it does. False: a device failed.
  [[nodiscard]] bool commit() noexcept;

  /// The plant is held, and by an overrun limit.
  [[nodiscard]] bool holds() const noexcept { return held_; }
  [[nodiscard]] bool limited() const noexcept { return limited_; }
  void hold_by_limit() noexcept { held_ = limited_ = true; }
  /// It moves by StepFrames alone, until Resume or Freeze.
  [[nodiscard]] bool stepping() const noexcept { return stepping_; }

  /// Whether there is anything to do in a step.
  [[nodiscard]] bool active() const noexcept { return active_; }
  /// Before a step of a run that is steered, its inputs being those that were sampled. True: states
  /// are others than the step before left.
  [[nodiscard]] bool before_step(std::span<double> u) noexcept;
  /// After it: held again when it was the last one asked for.
  void after_step() noexcept;

  // ---- signals, where any is falsified or made ----

  /// The inputs at an instant: what is made, then what falsifies them.
  void falsify_inputs(MonoTime nominal, std::span<double> u) noexcept {
    if (active_) change_inputs(nominal, u);
  }
  void falsify_outputs(std::span<double> y) noexcept {
    if (active_) outputs_of_.apply(y);
  }
  /// The same with the noise drawn last.
  void falsify_inputs_again(MonoTime nominal, std::span<double> u) const noexcept;
  void falsify_outputs_again(std::span<double> y) const noexcept {
    if (active_) outputs_of_.apply_again(y);
  }

 private:
  struct Commit;                                          // makes one change
  static constexpr std::size_t start_slot = saved_slots;  // the run's beginning

  [[gnu::noinline]] void prepare(MonoTime until, std::int64_t next_frame) noexcept;
  [[gnu::noinline]] void change_inputs(MonoTime nominal, std::span<double> u) noexcept;
  [[nodiscard]] std::uint32_t empty_slot_in(const Transaction& t) const noexcept;
  [[nodiscard]] std::uint32_t step_of_running_in(const Transaction& t) const noexcept;
  void save(std::size_t slot) noexcept;
  void load(std::size_t slot, bool states, bool parameters) noexcept;
  void release_table(const Stimuli::Source& holder) noexcept;
  void renew() noexcept;

  LoopContext* run_;
  OutputScheduler* outputs_;
  ExternalEvents* events_;
  Targets targets_;
  Overrides inputs_of_;
  Overrides outputs_of_;
  Stimuli stimuli_;
  SavedStates saved_;
  std::vector<double> last_inputs_;  // of the step before one that something takes effect at
  std::int64_t frames_left_ = 0;     // until the plant is held again; 0: no end
  bool states_moved_ = false;        // state events must look at where they are now
  bool held_ = false;
  bool limited_ = false;
  bool stepping_ = false;
  bool active_ = false;
};

}  // namespace hild::exec
