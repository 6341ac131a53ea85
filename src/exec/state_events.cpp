// SPDX-License-Identifier: Apache-2.0
#include "exec/state_events.hpp"

#include <algorithm>
#include <cmath>

#include "exec/crossing.hpp"

namespace hild::exec {

StateEvents::StateEvents(model::Stepper& plant, int max_events)
    : plant_(&plant), max_events_(max_events) {
  const auto& d = plant.description();
  const std::size_t n = d.events.size();
  side_.assign(n, Side::unknown);
  fired_.assign(n, 0);
  pending_.assign(n, 0);
  for (auto* g : {&g0_, &g1_, &ga_, &gb_, &transit_}) g->assign(n, 0.0);
  u_.assign(d.inputs.size(), 0.0);
  x_.assign(d.states.size(), 0.0);
  f1_.assign(d.states.size(), 0.0);
}

StateEvents::Side StateEvents::side_of(double g) noexcept {
  return g > 0 ? Side::above : g < 0 ? Side::below : Side::unknown;
}

bool StateEvents::crossed(std::size_t i, double g) const noexcept {
  const auto direction = plant_->description().events[i].crossing;
  const bool falls = side_[i] == Side::above && g <= 0;
  const bool rises = side_[i] == Side::below && g >= 0;
  return (falls && direction != model::Crossing::rising) ||
         (rises && direction != model::Crossing::falling);
}

void StateEvents::evaluate(SimTime t, std::vector<double>& g) noexcept {
  plant_->system().event_functions(seconds(t), plant_->states(), u_, g);
}

void StateEvents::start(SimTime t, std::span<const double> u) noexcept {
  std::ranges::copy(u, u_.begin());
  evaluate(t, g0_);
  std::ranges::transform(g0_, side_.begin(), side_of);
  std::ranges::fill(pending_, std::uint8_t{0});
}

void StateEvents::transfer(Archive& archive) noexcept {
  for (Side& side : side_) {
    auto n = static_cast<std::int8_t>(side);
    archive.number(n, -1, 1, "the side of an event function");
    side = static_cast<Side>(n);
  }
  for (std::uint8_t& one : pending_) archive.number(one, 0, 1, "whether an event is pending");
  archive(g0_, transit_);
}

int StateEvents::act_pending(SimTime t, std::span<const double> u) noexcept {
  const auto count = std::ranges::count(pending_, std::uint8_t{1});
  if (count == 0) return 0;
  std::ranges::copy(u, u_.begin());
  fired_.swap(pending_);
  std::ranges::fill(pending_, std::uint8_t{0});
  evaluate(t, g1_);
  act(t, false);
  return static_cast<int>(count);
}

StateEvents::Found StateEvents::process(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  Found found;
  const SimTime end = t + h;
  for (;;) {
    inputs.inputs_at(end, u_);
    evaluate(end, g1_);
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
        if (plant_->models() != nullptr) found.deferred_by |= plant_->models()->event_by(i);
      }
      break;
    }
    const Duration to_event = part(h, locate(t, h, inputs));
    if (to_event.ns > 0 && plant_->dense(seconds(to_event) / seconds(h), x_)) {
      std::ranges::copy(x_, plant_->states().begin());
    } else {
      plant_->rewind();
      if (to_event.ns > 0) run(t, to_event, inputs);
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
    run(t, h, inputs);
  }
  note_sides();
  return found;
}

// The first crossing, in parts of the step; leaves marked as fired only what crosses there.
double StateEvents::locate(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  const bool cubic = plant_->method().order > 1;
  if (cubic) {
    // Inside the step the state is the method's dense result, or the Hermite polynomial through
    // both ends, which takes the derivatives at the end.
    const bool dense = plant_->dense(1, x_);
    if (!dense) plant_->system().derivatives(seconds(t + h), plant_->states(), u_, f1_);
    for (const int third : {1, 2}) {
      const SimTime at = t + h * third / 3;
      if (!plant_->dense(third / 3.0, x_)) {
        const auto [x0, f0] = plant_->step_start();
        hermite(third / 3.0, seconds(h), x0, f0, plant_->states(), f1_, x_);
      }
      inputs.inputs_at(at, u_);
      plant_->system().event_functions(seconds(at), x_, u_, third == 1 ? ga_ : gb_);
    }
  }
  double first = 1;
  const auto theta = [&](std::size_t i) {
    // The function may have been moved across by an input at the tick itself.
    if (side_of(g0_[i]) != side_[i]) return 0.0;
    return cubic ? cubic_root(g0_[i], ga_[i], gb_[i], g1_[i]) : regula_falsi(g0_[i], g1_[i]);
  };
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0) first = std::min(first, theta(i));
  }
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && theta(i) > first) fired_[i] = 0;
  }
  return first;
}

void StateEvents::run(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  const model::Passes& passes = plant_->begin(t, h);
  for (int i = 0; i < passes.count(); ++i) {
    inputs.inputs_at(t + part(h, passes.nodes[static_cast<std::size_t>(i)]), u_);
    plant_->pass(i, u_);
  }
  plant_->finish();
}

// The actions of what fired, and the side every function is on after them.
void StateEvents::act(SimTime t, bool from_step) noexcept {
  evaluate(t, ga_);
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0) plant_->system().on_event(i, seconds(t), plant_->states(), u_);
  }
  plant_->restart(model::Restart::here);
  evaluate(t, g0_);
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && from_step && g0_[i] == ga_[i]) {
      // Located a little early, it is still on its way across.
      transit_[i] = side_of(g0_[i]) == side_[i] ? std::abs(g0_[i]) : 0.0;
      side_[i] = side_[i] == Side::above ? Side::below : Side::above;
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
