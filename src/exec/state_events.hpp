// SPDX-License-Identifier: Apache-2.0
/// \file
/// Handles the state events of a model: each is found at the end of a step and located by one
/// interpolation; then follow a step to the event, the action, a restart, and a step to the end
/// (Cellier, Discontinuous Systems IV). At most `max_events` a frame are processed in place; a
/// further one stays pending and acts at the start of the next step, counted and never lost.
///
/// It is remembered on which side of zero each event function g is. A function that leaves an event
/// with exactly the value it had before the action has crossed; any other value after the action
/// counts by its sign. Exactly 0 at the end of a step belongs to that step. What the inputs of a
/// new image take across zero crosses at the instant of that image. Real-time safe after
/// construction.
#pragma once

#include <cstdint>
#include <vector>

#include "exec/recorded_inputs.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class StateEvents {
 public:
  StateEvents(model::Stepper& model, int max_events);

  [[nodiscard]] bool any() const noexcept { return !g0_.empty(); }

  /// Notes on which side of zero every function is. To be called before the first step, and after a
  /// reset.
  void start(SimTime t, std::span<const double> u) noexcept;

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
  /// The side of zero as a factor: a function stays there while its product with it is positive.
  using Side = double;
  static constexpr Side below = -1, unknown = 0, above = 1;
  static Side side_of(double g) noexcept;
  [[nodiscard]] bool all_stay(std::span<const double> g) const noexcept;
  void note_left_over() noexcept;
  [[nodiscard]] bool crossed(std::size_t i, double g) const noexcept;
  void evaluate(SimTime t, std::vector<double>& g) noexcept;
  Found process_found(SimTime t, Duration h, RecordedInputs& inputs) noexcept;
  Duration locate(SimTime t, Duration h, RecordedInputs& inputs) noexcept;
  struct Piece;
  double first_on(const Piece& piece, RecordedInputs& inputs) noexcept;
  void state_within(Duration h, double theta) noexcept;
  [[nodiscard]] bool any_crosses(std::span<const double> g) const noexcept;
  void act(SimTime t, bool from_step) noexcept;
  void follow_transit(std::size_t i) noexcept;
  void note_sides() noexcept;

  model::Stepper* model_;
  int max_events_;
  // When all functions stayed where they were, with inputs u_: with the same ones they need not be
  // evaluated again.
  SimTime stayed_at_ = model::never;
  std::vector<Side> side_;
  std::vector<std::uint8_t> fired_;
  std::vector<std::uint8_t> pending_;
  bool left_over_ = false;  // an event is pending, or a function still on its way across
  std::vector<double> g0_;  // at the start of the step
  std::vector<double> g1_;  // at its end
  std::vector<double> ga_, gb_;
  std::vector<double> left_, right_;  // at the ends of a piece of the step
  std::vector<double> transit_;       // |g| of a function located early and still on its way across
  std::vector<double> u_, x_, f0_, f1_;
  SimTime first_{};
  SimTime last_{};
};

}  // namespace hild::exec
