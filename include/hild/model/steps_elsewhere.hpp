// SPDX-License-Identifier: Apache-2.0
/// \file
/// Steps that are taken outside of this process: whoever has several steppers asks all of those
/// first, and takes the steps of the others while theirs are under way.
#pragma once

#include <span>

#include "hild/model/stepper.hpp"

namespace hild::model {

/// What a stepper is besides whose model runs elsewhere. Real-time safe.
class StepsElsewhere {
 public:
  StepsElsewhere() = default;
  StepsElsewhere(const StepsElsewhere&) = delete;
  StepsElsewhere& operator=(const StepsElsewhere&) = delete;

  /// Asks for a step from t over h > 0 with inputs that hold, and does not wait. `u` need hold for
  /// the call only. take_asked_step() follows before anything else is asked of the stepper.
  virtual void ask_step(SimTime t, Duration h, std::span<const double> u) noexcept = 0;
  /// Waits for the step that was asked for: both together are Stepper::step(). Any thread.
  virtual const Passes& take_asked_step() noexcept = 0;
  /// The last pass of a step and Stepper::finish(), in one call.
  virtual void pass_and_finish(int pass, std::span<const double> u) noexcept = 0;

 protected:
  ~StepsElsewhere() = default;
};

/// What `stepper` is of that; null: its model runs in this process. Not for use while running.
[[nodiscard]] inline StepsElsewhere* steps_elsewhere(Stepper& stepper) noexcept {
  return dynamic_cast<StepsElsewhere*>(&stepper);
}

/// All passes of a step of `stepper` that has begun, and its end; `inputs` gives those of a pass.
/// `elsewhere` is what it is of that, or null. Real-time safe.
template <class Inputs>
void complete_step(Stepper& stepper, StepsElsewhere* elsewhere, int passes, Inputs&& inputs) {
  const int before_last = elsewhere != nullptr ? passes - 1 : passes;
  for (int i = 0; i < before_last; ++i) stepper.pass(i, inputs(i));
  if (elsewhere != nullptr) return elsewhere->pass_and_finish(before_last, inputs(before_last));
  stepper.finish();
}

}  // namespace hild::model
