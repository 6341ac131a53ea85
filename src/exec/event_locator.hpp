// SPDX-License-Identifier: Apache-2.0
/// \file
/// Finds the instant of the first event within a step that the model has just finished: over each
/// part of the step with smooth inputs by one interpolation of the event functions, a cubic, or a
/// straight line where the method is of first order (Cellier, Discontinuous Systems IV). Real-time
/// safe after construction.
#pragma once

#include <span>
#include <vector>

#include "exec/event_sides.hpp"
#include "exec/recorded_inputs.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class EventLocator {
 public:
  explicit EventLocator(model::Stepper& model);

  /// A step that the model finished: from t over h, with event functions and inputs at its end.
  struct Finished {
    SimTime t;
    Duration h;
    std::span<const double> g;
    std::span<const double> u;
  };
  /// How far into the step the first crossing is. Of what fired in `sides` only what crosses there
  /// is left.
  Duration locate(const Finished& step, EventSides& sides, RecordedInputs& inputs) noexcept;
  /// Takes the model back to that instant of a step over `h`; false where the method has no dense
  /// result, and a step to it is to be taken instead.
  [[nodiscard]] bool take_back(Duration h, Duration to_event) noexcept;

 private:
  struct Piece;
  double first_on(const Piece& piece, EventSides& sides, RecordedInputs& inputs) noexcept;
  void prepare_states(const Finished& step, RecordedInputs& inputs) noexcept;
  void state_within(Duration h, double theta) noexcept;

  model::Stepper* model_;
  std::vector<double> left_, right_;        // event functions at the ends of a piece of the step
  std::vector<double> third_, two_thirds_;  // and between them
  std::vector<double> u_, x_, f0_, f1_;
};

}  // namespace hild::exec
