// SPDX-License-Identifier: Apache-2.0
#include "exec/state_events.hpp"

#include <algorithm>
#include <cstring>

namespace hild::exec {

StateEvents::StateEvents(model::Stepper& model, int max_events)
    : model_(&model),
      max_events_(max_events),
      sides_(model.description().events),
      locator_(model),
      g1_(model.description().events.size()),
      before_(g1_),
      u_(model.description().inputs.size()) {}

void StateEvents::evaluate(SimTime t, std::span<double> g) noexcept {
  model_->system().event_functions(seconds(t), model_->states(), u_, g);
}

void StateEvents::start(SimTime t, std::span<const double> u) noexcept {
  note_change();
  std::ranges::copy(u, u_.begin());
  evaluate(t, sides_.at_start());
  sides_.start();
}

void StateEvents::follow_time_event(SimTime t, std::span<const double> u) noexcept {
  note_change();
  std::ranges::copy(sides_.at_start(), before_.begin());
  std::ranges::copy(u, u_.begin());
  evaluate(t, sides_.at_start());
  sides_.follow_jump(before_);
}

void StateEvents::transfer(Archive& archive) noexcept {
  sides_.transfer(archive);
  if (archive.loads()) note_change();
}

int StateEvents::act_at_start(SimTime t, std::span<const double> u) noexcept {
  // Nothing but inputs moves a function between two steps.
  if (!u.empty()) {
    if (t == stayed_at_ && std::memcmp(u.data(), u_.data(), u.size_bytes()) == 0) return 0;
    std::ranges::copy(u, u_.begin());
    evaluate(t, sides_.at_start());
    if (sides_.all_stay(sides_.at_start())) return 0;
    sides_.note_crossed_at_start();
  }
  const int count = sides_.fire_pending();
  if (count == 0) return 0;
  act(t, false);
  sides_.note_left_over();
  return count;
}

StateEvents::Found StateEvents::process(SimTime t, Duration h, RecordedInputs& inputs) noexcept {
  inputs.inputs_at(t + h, u_);
  evaluate(t + h, g1_);
  if (!sides_.all_stay(g1_)) return process_found(t, h, inputs);
  sides_.end_quiet_step(g1_);
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
  while (sides_.fire_crossed(g1_) > 0) {
    if (found.processed >= max_events_) {
      found.deferred = sides_.defer_fired();
      break;
    }
    const Duration to_event = locator_.locate({.t = t, .h = h, .g = g1_, .u = u_}, sides_, inputs);
    if (to_event.ns <= 0 || !locator_.take_back(h, to_event)) {
      model_->rewind();
      if (to_event.ns > 0) take_step(*model_, t, to_event, inputs, u_);
    }
    t += to_event;
    h -= to_event;
    if (found.processed == 0) first_ = t;
    last_ = t;
    inputs.inputs_at(t, u_);
    act(t, true);
    found.processed += sides_.count_fired();
    if (h.ns > 0) take_step(*model_, t, h, inputs, u_);
    inputs.inputs_at(end, u_);
    evaluate(end, g1_);
    if (h.ns <= 0) break;
  }
  sides_.end_step(g1_);
  return found;
}

// The actions of what fired, and the side every function is on after them.
void StateEvents::act(SimTime t, bool located) noexcept {
  evaluate(t, before_);
  const auto fired = sides_.fired();
  for (std::size_t i = 0; i < fired.size(); ++i) {
    if (fired[i] != 0) model_->system().on_event(i, seconds(t), model_->states(), u_);
  }
  model_->restart(model::Restart::here);
  evaluate(t, sides_.at_start());
  sides_.note_action(before_, located);
}

}  // namespace hild::exec
