// SPDX-License-Identifier: Apache-2.0
/// \file
/// Takes one step of the plant: its passes at their releases with samples of their nominal times,
/// cut at time events, and again around state events, of which the partial steps use samples that
/// were taken and never wait. Real-time safe after construction.
#pragma once

#include <vector>

#include "exec/cap_counter.hpp"
#include "exec/error_watch.hpp"
#include "exec/jump_watch.hpp"
#include "exec/loop_context.hpp"
#include "exec/pass_inputs.hpp"
#include "exec/plant_events.hpp"
#include "exec/timetable.hpp"
#include "hild/model/steps_elsewhere.hpp"

namespace hild::exec {

class ExternalControl;
class OutputScheduler;

/// What is known of the inputs before the first sample; shapes as of Parts.
struct InputFacts {
  std::vector<double> start;
  std::vector<io::SampledInput> sampled;
};

class StepRunner final : private RecordedInputs {
 public:
  StepRunner(LoopContext& run, ExternalControl& external, OutputScheduler& outputs,
             InputFacts inputs);

  /// The plant stands at the start of the run.
  void begin_run() noexcept;

  [[nodiscard]] PassInputs& inputs() noexcept { return inputs_; }
  [[nodiscard]] const PassInputs& inputs() const noexcept { return inputs_; }
  /// Those of the plant, of the pass at hand.
  [[nodiscard]] std::span<const double> u() const noexcept { return u_; }
  [[nodiscard]] CapCounter& caps() noexcept { return caps_; }
  /// Whether the plant is one model without events, with inputs as they were sampled. `Plain` below
  /// says that this is so, and that OutputScheduler::plain() is.
  [[nodiscard]] bool plain() const noexcept;

  // ---- a step, in order ----

  /// An image was read before the run.
  void take_image_before() noexcept;
  /// The image of its tick was read. False: an input is lost, and nothing stands in for it.
  template <bool Plain = false>
  [[nodiscard]] bool take_sample() noexcept;
  /// What a plant of several models supplies itself.
  void connect() noexcept {
    if (facts_.connects) supply();
  }
  /// Before it is taken: drops the history where an input jumped.
  void look_at_inputs() noexcept {
    if (jumps_.any() && jumps_.jumped(inputs_.of_pass())) drop_history();
  }
  /// The states are others than the step before left.
  void look_at_states() noexcept {
    errors_.forget();
    events_.start(run_->step.time, u_);
  }
  /// Something of the plant was changed from outside.
  void note_change() noexcept {
    errors_.forget();
    events_.note_change();
  }
  /// Takes it. False: a device failed, or an interlock tripped.
  template <bool Plain = false>
  [[nodiscard]] bool advance() noexcept;
  /// Inputs for the outputs at its end: those of its last pass, or, where inputs are carried on,
  /// what stands for them then.
  [[nodiscard]] std::span<const double> u_at_end() noexcept {
    return facts_.carries_on ? carried_to_end() : u_;
  }
  /// How many passes it took.
  [[nodiscard]] std::size_t passes() const noexcept { return passes_; }
  /// Between two steps.
  void transfer(Archive& archive) noexcept;
  /// Estimates the error of the newest step of which it can be known; the run ends where it is
  /// larger than it may be.
  void watch_error() noexcept;

 private:
  // What is so all through a run.
  struct Facts {
    bool connects;     // models supply inputs to one another
    bool busy_within;  // something is done between passes; else steps are taken whole
    bool busy_after;   // something is done after a step, or a part of it, was taken
    bool carries_on;   // inputs, beyond their newest image
    bool timed;        // time events cut its steps: it is one model
  };

  [[gnu::noinline]] void supply() noexcept;
  void connect_models() noexcept;
  [[gnu::noinline]] void drop_history() noexcept;
  template <bool Plain>
  [[nodiscard]] bool take(SimTime t, Duration h) noexcept;
  template <bool Plain>
  [[nodiscard]] bool take_by_passes(SimTime t, Duration h) noexcept;
  [[nodiscard, gnu::noinline, gnu::cold]] bool after_taking(SimTime t, Duration h) noexcept;
  void take_at_once(SimTime t, Duration h) noexcept;
  void note_pass(Duration cost) noexcept;
  template <bool Plain>
  [[nodiscard]] bool before_pass(const Slot& slot, SimTime t, MonoTime from,
                                 MonoTime& sampled_for) noexcept;
  template <bool Plain>
  [[nodiscard]] bool sample_at(MonoTime release, MonoTime nominal,
                               std::span<const double> due) noexcept;
  template <bool Plain>
  [[gnu::always_inline]] inline void take_image(MonoTime nominal, bool waited) noexcept;
  [[nodiscard, gnu::noinline]] bool look_for_lost() noexcept;
  [[nodiscard]] bool fits(const Slot& slot, SimTime t) const noexcept;
  [[nodiscard]] bool complete_early(const Slot& slot, SimTime t) noexcept;
  [[nodiscard]] bool advance_by_events() noexcept;
  [[gnu::noinline]] void act_on_events_at_start(SimTime t) noexcept;
  [[gnu::noinline]] void events(SimTime t, Duration h) noexcept;
  [[gnu::noinline]] void time_event(SimTime t) noexcept;
  [[gnu::noinline]] void note_inaccurate(ErrorWatch::Estimate e) noexcept;
  [[gnu::noinline]] void note_put_off(SimTime t, SimTime end) noexcept;
  void inputs_at(SimTime t, std::span<double> u) noexcept override;
  [[nodiscard]] SimTime next_change(SimTime after, SimTime until) const noexcept override;
  [[nodiscard, gnu::noinline]] std::span<const double> carried_to_end() noexcept;
  [[nodiscard]] std::span<double> worked_out_at(SimTime t) noexcept;

  LoopContext* run_;
  ExternalControl* external_;
  OutputScheduler* outputs_;
  PassInputs inputs_;
  std::span<const double> u_;  // of the plant, which never move
  Timetable timetable_;
  PlantEvents events_;
  JumpWatch jumps_;
  CapCounter caps_;
  ErrorWatch errors_;
  model::StepsElsewhere* elsewhere_;  // null: it takes its steps in this process
  Facts facts_;
  std::size_t passes_ = 0;  // of the step at hand so far
};

}  // namespace hild::exec
