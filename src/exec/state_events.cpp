// SPDX-License-Identifier: Apache-2.0
#include "exec/state_events.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "exec/crossing.hpp"
#include "hild/io/pair.hpp"

namespace hild::exec {

StateEvents::StateEvents(model::Stepper& model, int max_events)
    : model_(&model), max_events_(max_events) {
  const auto& d = model.description();
  const std::size_t n = d.events.size();
  side_.assign(n, unknown);
  fired_.assign(n, 0);
  pending_.assign(n, 0);
  for (auto* g : {&g0_, &g1_, &ga_, &gb_, &left_, &right_, &transit_}) g->assign(n, 0.0);
  u_.assign(d.inputs.size(), 0.0);
  x_.assign(d.states.size(), 0.0);
  f0_ = f1_ = x_;
}

StateEvents::Side StateEvents::side_of(double g) noexcept {
  return g > 0 ? above : g < 0 ? below : unknown;
}

bool StateEvents::crossed(std::size_t i, double g) const noexcept {
  return model::crosses(model_->description().events[i].crossing, side_[i], g);
}

void StateEvents::evaluate(SimTime t, std::vector<double>& g) noexcept {
  model_->system().event_functions(seconds(t), model_->states(), u_, g);
}

// What nearly every step finds of nearly every function: eight at a time, with one branch for all.
bool StateEvents::all_stay(std::span<const double> g) const noexcept {
  constexpr io::LoadPair pair;
  const double* const side = side_.data();
  const auto both = [&](std::size_t i) noexcept {
    return pair(side + i) * pair(g.data() + i) > io::Pair{};
  };
  std::size_t i = 0;
  for (; i + 8 <= g.size(); i += 8) {
    const auto stay = both(i) & both(i + 2) & both(i + 4) & both(i + 6);
    if ((stay[0] & stay[1]) == 0) return false;
  }
  for (; i < g.size(); ++i) {
    if (!(side[i] * g[i] > 0)) return false;
  }
  return true;
}

void StateEvents::note_left_over() noexcept {
  left_over_ = std::ranges::any_of(pending_, [](std::uint8_t p) { return p != 0; }) ||
               std::ranges::any_of(transit_, [](double g) { return g != 0; });
}

void StateEvents::start(SimTime t, std::span<const double> u) noexcept {
  note_change();
  std::ranges::copy(u, u_.begin());
  evaluate(t, g0_);
  std::ranges::transform(g0_, side_.begin(), side_of);
  std::ranges::fill(pending_, std::uint8_t{0});
  note_left_over();
}

void StateEvents::transfer(Archive& archive) noexcept {
  for (Side& side : side_) {
    auto n = static_cast<std::int8_t>(side);
    archive.number(n, -1, 1, "the side of an event function");
    side = n;
  }
  for (std::uint8_t& one : pending_) archive.number(one, 0, 1, "whether an event is pending");
  archive(g0_, transit_);
  note_left_over();
  if (archive.loads()) note_change();
}

int StateEvents::act_at_start(SimTime t, std::span<const double> u) noexcept {
  // Nothing but inputs moves a function between two steps.
  if (!u.empty()) {
    if (t == stayed_at_ && std::memcmp(u.data(), u_.data(), u.size_bytes()) == 0) return 0;
    std::ranges::copy(u, u_.begin());
    evaluate(t, g0_);
    if (!left_over_ && all_stay(g0_)) return 0;
    for (std::size_t i = 0; i < g0_.size(); ++i) {
      if (transit_[i] == 0 && crossed(i, g0_[i])) pending_[i] = 1;
    }
  }
  const auto count = std::ranges::count(pending_, std::uint8_t{1});
  if (count == 0) return 0;
  fired_.swap(pending_);
  std::ranges::fill(pending_, std::uint8_t{0});
  act(t, false);
  note_left_over();
  return static_cast<int>(count);
}

StateEvents::Found StateEvents::process(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  inputs.inputs_at(t + h, u_);
  evaluate(t + h, g1_);
  if (left_over_ || !all_stay(g1_)) return process_found(t, h, inputs);
  g0_.swap(g1_);
  stayed_at_ = t + h;
  return {};
}

// The same where a function does not simply stay on its side; all are evaluated at the end of the
// step.
StateEvents::Found StateEvents::process_found(SimTime t, Duration h,
                                              RecordedInputs& inputs) noexcept {
  Found found;
  const SimTime end = t + h;
  note_change();
  for (;;) {
    bool any_fired = false;
    for (std::size_t i = 0; i < g1_.size(); ++i) {
      follow_transit(i);
      fired_[i] = transit_[i] == 0 && crossed(i, g1_[i]) ? 1 : 0;
      any_fired = any_fired || fired_[i] != 0;
    }
    if (!any_fired) break;
    if (found.processed >= max_events_) {
      for (std::size_t i = 0; i < fired_.size(); ++i) {
        if (fired_[i] == 0) continue;
        pending_[i] = 1;
        ++found.deferred;
      }
      break;
    }
    const Duration to_event = locate(t, h, inputs);
    if (to_event.ns > 0 && model_->dense(seconds(to_event) / seconds(h), x_)) {
      std::ranges::copy(x_, model_->states().begin());
    } else {
      model_->rewind();
      if (to_event.ns > 0) take_step(*model_, t, to_event, inputs, u_);
    }
    t += to_event;
    h -= to_event;
    if (found.processed == 0) first_ = t;
    last_ = t;
    inputs.inputs_at(t, u_);
    act(t, true);
    found.processed += static_cast<int>(std::ranges::count(fired_, std::uint8_t{1}));
    if (h.ns <= 0) {
      inputs.inputs_at(end, u_);
      evaluate(end, g1_);
      break;
    }
    take_step(*model_, t, h, inputs, u_);
    inputs.inputs_at(end, u_);
    evaluate(end, g1_);
  }
  note_sides();
  note_left_over();
  return found;
}

/// A part of a step over which inputs are smooth.
struct StateEvents::Piece {
  SimTime t;   // of the step
  Duration h;  // of the step
  SimTime from;
  Duration length;

  /// Parts of the step at which a part of the piece lies.
  [[nodiscard]] double theta(double part) const noexcept {
    return (seconds(from - t) + part * seconds(length)) / seconds(h);
  }
};

// How far into the step the first crossing is; leaves marked as fired only what crosses there.
Duration StateEvents::locate(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  // The Hermite polynomial takes the derivatives at both ends. `u_` are the inputs at the second.
  if (model_->method().order > 1 && !model_->dense(1, x_)) {
    model_->system().derivatives(seconds(t + h), model_->states(), u_, f1_);
    const auto [x0, f0] = model_->step_start();
    if (f0.size() == f0_.size()) {
      std::ranges::copy(f0, f0_.begin());
    } else {
      inputs.inputs_at(t, u_);
      model_->system().derivatives(seconds(t), x0, u_, f0_);
    }
  }
  const SimTime end = t + h;
  std::ranges::copy(g0_, left_.begin());
  for (SimTime from = t;;) {
    const SimTime to = inputs.next_change(from, end);
    const Piece piece{t, h, from, to - from};
    if (to == end) {
      std::ranges::copy(g1_, right_.begin());
      return from - t + part(piece.length, first_on(piece, inputs));
    }
    state_within(h, piece.theta(1));
    inputs.inputs_at(to - Duration{1}, u_);
    model_->system().event_functions(seconds(to), x_, u_, right_);
    if (any_crosses(right_)) return from - t + part(piece.length, first_on(piece, inputs));
    inputs.inputs_at(to, u_);
    model_->system().event_functions(seconds(to), x_, u_, left_);
    if (any_crosses(left_)) {
      for (std::size_t i = 0; i < fired_.size(); ++i) {
        if (!crossed(i, left_[i])) fired_[i] = 0;
      }
      return to - t;
    }
    from = to;
  }
}

bool StateEvents::any_crosses(std::span<const double> g) const noexcept {
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && crossed(i, g[i])) return true;
  }
  return false;
}

// Inside the step the state is the method's dense result, or the Hermite polynomial through both
// ends; of a method of first order the straight line.
void StateEvents::state_within(Duration h, double theta) noexcept {
  if (model_->dense(theta, x_)) return;
  const model::Stepper::In x0 = model_->step_start().states;
  const model::Stepper::In x1 = model_->states();
  if (model_->method().order > 1) return hermite(theta, seconds(h), x0, f0_, x1, f1_, x_);
  for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = (1 - theta) * x0[i] + theta * x1[i];
}

// The first crossing, in parts of the piece; leaves marked as fired only what crosses there.
double StateEvents::first_on(const Piece& piece, RecordedInputs& inputs) noexcept {
  const bool cubic = model_->method().order > 1;
  for (const int third : {1, 2}) {
    if (!cubic) break;
    const SimTime at = piece.from + piece.length * third / 3;
    state_within(piece.h, piece.theta(third / 3.0));
    inputs.inputs_at(at, u_);
    model_->system().event_functions(seconds(at), x_, u_, third == 1 ? ga_ : gb_);
  }
  double first = 1;
  const auto theta = [&](std::size_t i) {
    if (!crossed(i, right_[i])) return 2.0;  // not on this piece
    return cubic ? cubic_root(left_[i], ga_[i], gb_[i], right_[i])
                 : regula_falsi(left_[i], right_[i]);
  };
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0) first = std::min(first, theta(i));
  }
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && theta(i) > first) fired_[i] = 0;
  }
  return first;
}

// The actions of what fired, and the side every function is on after them.
void StateEvents::act(SimTime t, bool from_step) noexcept {
  evaluate(t, ga_);
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0) model_->system().on_event(i, seconds(t), model_->states(), u_);
  }
  model_->restart(model::Restart::here);
  evaluate(t, g0_);
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && from_step && g0_[i] == ga_[i]) {
      // Located a little early, it is still on its way across.
      transit_[i] = side_of(g0_[i]) == side_[i] ? std::abs(g0_[i]) : 0.0;
      side_[i] = side_[i] == above ? below : above;
    } else if (fired_[i] != 0 || g0_[i] != ga_[i]) {
      side_[i] = side_of(g0_[i]);
    }
  }
}

// A function on its way across does not cross again; one that turned away crosses back.
void StateEvents::follow_transit(std::size_t i) noexcept {
  if (transit_[i] == 0) return;
  const bool still = side_of(g1_[i]) != side_[i] && std::abs(g1_[i]) <= transit_[i];
  transit_[i] = still ? std::abs(g1_[i]) : 0.0;
}

// The end of this step is the start of the next.
void StateEvents::note_sides() noexcept {
  for (std::size_t i = 0; i < g1_.size(); ++i) {
    if (g1_[i] != 0 && transit_[i] == 0) side_[i] = side_of(g1_[i]);
  }
  g0_.swap(g1_);
}

}  // namespace hild::exec
