// SPDX-License-Identifier: Apache-2.0
/// \file
/// Handles the state events of a model: each is found at the end of a step and located by one
/// interpolation; then follow a step to the event, the action, a restart, and a step to the end
/// (Cellier, Discontinuous Systems IV). At most `max_events` a frame are processed in place; a
/// further one stays pending and acts at the start of the next step, counted and never lost.
///
/// What crossed is decided in event_sides.hpp, and where in event_locator.hpp. What the inputs of a
/// new image take across zero crosses at the instant of that image. Real-time safe after
/// construction.
#pragma once

#include <vector>

#include "exec/event_locator.hpp"
#include "exec/event_sides.hpp"
#include "exec/recorded_inputs.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class StateEvents {
 public:
  StateEvents(model::Stepper& model, int max_events);

  [[nodiscard]] bool any() const noexcept { return !g1_.empty(); }

  /// Notes on which side of zero every function is. To be called before the first step, and after a
  /// reset.
  void start(SimTime t, std::span<const double> u) noexcept;

  /// To be called after the action of a time event.
  void follow_time_event(SimTime t, std::span<const double> u) noexcept;

  /// Something but the inputs may have moved a function since the last step. To be called before
  /// act_at_start().
  void note_change() noexcept { stayed_at_ = model::never; }
  /// To be called at the start of a step, with its inputs: acts on events left pending by the step
  /// before, and on those that the inputs took across zero. Returns how many acted.
  int act_at_start(SimTime t, std::span<const double> u) noexcept;

  /// Between two steps.
  void transfer(Archive& archive) noexcept;

  struct Found {
    int processed = 0;
    int deferred = 0;
  };
  /// Processes the events that crossed in the step from t over h, which the model has just
  /// finished.
  Found process(SimTime t, Duration h, RecordedInputs& inputs) noexcept;
  /// The instants of the first and the last event that the last process() acted upon.
  [[nodiscard]] SimTime first() const noexcept { return first_; }
  [[nodiscard]] SimTime last() const noexcept { return last_; }

 private:
  void evaluate(SimTime t, std::span<double> g) noexcept;
  Found process_found(SimTime t, Duration h, RecordedInputs& inputs) noexcept;
  void act(SimTime t, bool located) noexcept;

  model::Stepper* model_;
  int max_events_;
  EventSides sides_;
  EventLocator locator_;
  // When all functions stayed where they were, with inputs u_: with the same ones they need not be
  // evaluated again.
  SimTime stayed_at_ = model::never;
  std::vector<double> g1_;      // at the end of the step
  std::vector<double> before_;  // an action, or a time event
  std::vector<double> u_;
  SimTime first_{};
  SimTime last_{};
};

}  // namespace hild::exec
