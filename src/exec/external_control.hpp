// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steers a run from outside: transactions prepared in earlier slack take effect at the start of a
/// step; the plant is held, stepped and put back; signals are falsified or made. A frame without
/// any of this costs one test of a flag. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <vector>

#include "exec/change_check.hpp"
#include "exec/device_faults.hpp"
#include "exec/external_events.hpp"
#include "exec/loop_context.hpp"
#include "exec/overrides.hpp"
#include "exec/snapshot.hpp"
#include "exec/stimuli.hpp"

namespace hild::exec {

class OutputScheduler;

class ExternalControl {
 public:
  /// `events`: null, nothing comes from outside. `run`, `outputs` and `events` must outlive this.
  ExternalControl(LoopContext& run, OutputScheduler& outputs, ExternalEvents* events);

  /// Saves the initial parameters of the plant, to which a Reset can return.
  void begin_run() noexcept;
  /// Ends all faults of devices.
  void clear_faults() noexcept { device_faults_.clear_all(); }
  /// Refuses every transaction that has not taken effect, and releases the tables that were lent.
  void end_run() noexcept;
  [[nodiscard]] const SavedStates& saved() const noexcept { return saved_; }
  /// How many transactions have taken effect, of those that wanted a reply.
  [[nodiscard]] std::int64_t transactions() const noexcept { return transactions_; }

  /// Prepares as many posted transactions as should fit before `until`, for the step that starts at
  /// `next_frame`.
  void serve(MonoTime until, std::int64_t next_frame) noexcept {
    if (events_ != nullptr && events_->waiting()) prepare(until, next_frame);
  }

  /// Between two steps: what is in force and what is saved, without what was posted and has not
  /// taken effect. `tables`: as Stimuli.
  void transfer(Archive& archive, Tables* tables) noexcept;

  // ---- at the start of a step ----

  /// Whether a transaction takes effect at the step at hand.
  [[nodiscard]] bool due() const noexcept {
    return events_ != nullptr && events_->due(run_->step.frame);
  }
  /// To be called before the sample of such a step: keeps the inputs `u` of the step before, at
  /// which a dropout holds its signal.
  void keep_inputs(std::span<const double> u) noexcept {
    std::copy_n(u.begin(), last_inputs_.size(), last_inputs_.begin());
  }
  /// To be called after the sample: the transactions that are due take effect. False: a device
  /// failed.
  [[nodiscard, gnu::noinline]] bool commit() noexcept;

  /// Whether the plant is held; and whether by an overrun limit.
  [[nodiscard]] bool holds() const noexcept { return hold_.held; }
  [[nodiscard]] bool limited() const noexcept { return hold_.limited; }
  void hold_by_limit() noexcept { hold_.held = hold_.limited = true; }
  /// Holds the plant until Resume or StepFrames, with outputs as they are.
  void hold() noexcept { hold_ = {.held = true}; }
  /// Whether the plant moves by StepFrames only, until Resume or Freeze.
  [[nodiscard]] bool stepping() const noexcept { return hold_.stepping; }

  /// Whether there is anything to do in a step.
  [[nodiscard]] bool active() const noexcept { return active_; }
  /// To be called before a step of a steered run, with the sampled inputs `u`, which are falsified.
  /// True: the states are not those that the step before left.
  [[nodiscard]] bool before_step(std::span<double> u) noexcept;
  /// To be called after the step: holds the plant again if it was the last step asked for.
  [[gnu::noinline]] void after_step() noexcept;

  // ---- signals, where any is falsified or made ----

  /// Where active(): applies to the inputs `u` of the instant `nominal` first the stimuli, then the
  /// overrides.
  [[gnu::noinline]] void falsify_inputs(MonoTime nominal, std::span<double> u) noexcept;
  void falsify_outputs(std::span<double> y) noexcept {
    if (active_) outputs_of_.apply(y);
  }
  /// Likewise, with the noise that was drawn last instead of new noise.
  void falsify_inputs_again(MonoTime nominal, std::span<double> u) const noexcept;
  void falsify_outputs_again(std::span<double> y) const noexcept {
    if (active_) outputs_of_.apply_again(y);
  }

 private:
  struct Commit;  // makes one change
  // Whether the plant is held, and what it may still do.
  struct Hold {
    std::int64_t frames_left = 0;  // until it is held again; 0: no end
    bool held = false;
    bool limited = false;   // by an overrun limit
    bool stepping = false;  // it moves by StepFrames only
  };
  static constexpr std::size_t start_slot = saved_slots;  // what the run began with

  [[gnu::noinline]] void prepare(MonoTime until, std::int64_t next_frame) noexcept;
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
  DeviceFaults device_faults_;
  SavedStates saved_;
  std::vector<double> last_inputs_;  // of the step before one at which something takes effect
  Hold hold_;
  std::int64_t transactions_ = 0;  // that took effect
  bool states_moved_ = false;      // states were set; event functions must be looked at anew
  bool active_ = false;
};

}  // namespace hild::exec
