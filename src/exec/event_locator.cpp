// SPDX-License-Identifier: Apache-2.0
#include "exec/event_locator.hpp"

#include <algorithm>

#include "exec/crossing.hpp"

namespace hild::exec {

EventLocator::EventLocator(model::Stepper& model) : model_(&model) {
  const auto& d = model.description();
  for (auto* g : {&left_, &right_, &third_, &two_thirds_}) g->assign(d.events.size(), 0.0);
  u_.assign(d.inputs.size(), 0.0);
  x_.assign(d.states.size(), 0.0);
  f0_ = f1_ = x_;
}

/// A part of a step over which inputs are smooth.
struct EventLocator::Piece {
  SimTime t;   // of the step
  Duration h;  // of the step
  SimTime from;
  Duration length;

  /// Parts of the step at which a part of the piece lies.
  [[nodiscard]] double theta(double part) const noexcept {
    return (seconds(from - t) + part * seconds(length)) / seconds(h);
  }
};

namespace {
bool any_crosses(const EventSides& sides, std::span<const double> g) noexcept {
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (sides.fired()[i] != 0 && sides.crossed(i, g[i])) return true;
  }
  return false;
}
}  // namespace

Duration EventLocator::locate(const Finished& step, EventSides& sides,
                              RecordedInputs& inputs) noexcept {
  prepare_states(step, inputs);
  const auto [t, h, g1, u1] = step;
  const SimTime end = t + h;
  std::ranges::copy(sides.at_start(), left_.begin());
  for (SimTime from = t;;) {
    const SimTime to = inputs.next_change(from, end);
    const Piece piece{t, h, from, to - from};
    if (to == end) {
      std::ranges::copy(g1, right_.begin());
      return from - t + part(piece.length, first_on(piece, sides, inputs));
    }
    state_within(h, piece.theta(1));
    inputs.inputs_at(to - Duration{1}, u_);
    model_->system().event_functions(seconds(to), x_, u_, right_);
    if (any_crosses(sides, right_)) {
      return from - t + part(piece.length, first_on(piece, sides, inputs));
    }
    inputs.inputs_at(to, u_);
    model_->system().event_functions(seconds(to), x_, u_, left_);
    if (any_crosses(sides, left_)) {
      const auto fired = sides.fired();
      for (std::size_t i = 0; i < fired.size(); ++i) {
        if (!sides.crossed(i, left_[i])) fired[i] = 0;
      }
      return to - t;
    }
    from = to;
  }
}

// The Hermite polynomial takes the derivatives at both ends.
void EventLocator::prepare_states(const Finished& step, RecordedInputs& inputs) noexcept {
  if (model_->method().order <= 1 || model_->dense(1, x_)) return;
  model_->system().derivatives(seconds(step.t + step.h), model_->states(), step.u, f1_);
  const auto [x0, f0] = model_->step_start();
  if (f0.size() == f0_.size()) {
    std::ranges::copy(f0, f0_.begin());
  } else {
    inputs.inputs_at(step.t, u_);
    model_->system().derivatives(seconds(step.t), x0, u_, f0_);
  }
}

bool EventLocator::take_back(Duration h, Duration to_event) noexcept {
  if (!model_->dense(seconds(to_event) / seconds(h), x_)) return false;
  std::ranges::copy(x_, model_->states().begin());
  return true;
}

// Inside the step the state is the method's dense result, or the Hermite polynomial through both
// ends; of a method of first order the straight line.
void EventLocator::state_within(Duration h, double theta) noexcept {
  if (model_->dense(theta, x_)) return;
  const model::Stepper::In x0 = model_->step_start().states;
  const model::Stepper::In x1 = model_->states();
  if (model_->method().order > 1) return hermite(theta, seconds(h), x0, f0_, x1, f1_, x_);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = (1 - theta) * x0[i] + theta * x1[i];
}

// The first crossing, in parts of the piece; leaves marked as fired only what crosses there.
double EventLocator::first_on(const Piece& piece, EventSides& sides,
                              RecordedInputs& inputs) noexcept {
  const bool cubic = model_->method().order > 1;
  for (const int third : {1, 2}) {
    if (!cubic) break;
    const SimTime at = piece.from + piece.length * third / 3;
    state_within(piece.h, piece.theta(third / 3.0));
    inputs.inputs_at(at, u_);
    model_->system().event_functions(seconds(at), x_, u_, third == 1 ? third_ : two_thirds_);
  }
  double first = 1;
  const auto theta = [&](std::size_t i) {
    if (!sides.crossed(i, right_[i])) return 2.0;  // not on this piece
    return cubic ? cubic_root(left_[i], third_[i], two_thirds_[i], right_[i])
                 : regula_falsi(left_[i], right_[i]);
  };
  const auto fired = sides.fired();
  for (std::size_t i = 0; i < fired.size(); ++i) {
    if (fired[i] != 0) first = std::min(first, theta(i));
  }
  for (std::size_t i = 0; i < fired.size(); ++i) {
    if (fired[i] != 0 && theta(i) > first) fired[i] = 0;
  }
  return first;
}

}  // namespace hild::exec
