// SPDX-License-Identifier: Apache-2.0
#include "remote/plant.hpp"

#include <algorithm>

namespace hild::remote {

RemotePlant::RemotePlant(const model::Description& d, const numerics::Method& method,
                         std::unique_ptr<Shared> shared, std::shared_ptr<void> process,
                         Duration answer_within)
    : d_(d),
      method_(method),
      shared_(std::move(shared)),
      process_(std::move(process)),
      answer_within_(answer_within),
      states_(d.states.size()),
      start_states_(d.states.size()),
      start_derivatives_(d.states.size()),
      parameters_(shared_->parameters.begin(), shared_->parameters.end()),
      outputs_(d.outputs.size()),
      events_(d.events.size()),
      passes_(header().passes),
      together_(header().together),
      left_(answer_within) {
  nodes_ = header().nodes;
  own_time_ = d.states.empty() && d.events.empty() && !d.time_events;
  take_states();
}

// ---- one request, one answer -------------------------------------------------------------------

bool RemotePlant::ask(Call call) const noexcept {
  if (lost_) return false;
  Header& h = header();
  h.call = call;
  h.asked.ring();
  if (!h.answered.wait(answers_, left_)) {
    lost_ = step_lost_ = true;
    ++cut_short_.late_answers;
    return false;
  }
  ++answers_;
  const std::int64_t late = cut_short_.late_answers;
  cut_short_ = h.cut_short;
  cut_short_.late_answers = late;
  return true;
}

// What is asked with belongs to the other process as long as it owes an answer.
bool RemotePlant::ask(Call call, double number, In x, In u) const noexcept {
  if (lost_) return false;
  header().number = number;
  std::ranges::copy(x, shared_->x.begin());
  std::ranges::copy(u, shared_->u.begin());
  return ask(call);
}

bool RemotePlant::ask_for(Call call, double number, In x, In u, Out out) const noexcept {
  if (!ask(call, number, x, u) || !header().yes) return false;
  std::copy_n(shared_->out.begin(), out.size(), out.begin());
  return true;
}

// A call that moves the plant; its states are those that came of it.
bool RemotePlant::move(Call call) noexcept {
  if (!ask(call)) return false;
  take_states();
  return header().yes;
}

void RemotePlant::take_states() noexcept {
  std::ranges::copy(shared_->states, states_.begin());
  std::ranges::copy(shared_->start_states, start_states_.begin());
  std::ranges::copy(shared_->start_derivatives, start_derivatives_.begin());
}

// The overdue answer has come: what was held, and set meanwhile, is where it goes on from.
void RemotePlant::find_again() noexcept {
  if (header().answered.rung() == answers_) {
    ++cut_short_.late_answers;  // one more step without
    return;
  }
  ++answers_;
  lost_ = false;
  for (std::size_t i = 0; i < parameters_.size() && !lost_; ++i) {
    if (shared_->parameters[i] != parameters_[i]) send_parameter(i, parameters_[i]);
  }
  ask(Call::set_states, 0, states_, {});
}

// Co-simulation goes on from where its own solver is, and that has done the overdue step: without
// a jump, as the standard asks for, and without doing all that was missed in one step.
void RemotePlant::slip(SimTime t) noexcept { lag_ = t - reached_; }

// ---- the plant ---------------------------------------------------------------------------------

void RemotePlant::set_initial(In states) {
  left_ = answer_within_;
  lag_ = {};
  std::ranges::copy(states, states_.begin());
  if (ask(Call::set_initial, 0, states, {})) take_states();
}

void RemotePlant::reset() noexcept {
  left_ = answer_within_;
  lag_ = {};
  move(Call::reset);
}

void RemotePlant::set_states(In states) noexcept {
  left_ = answer_within_;
  std::ranges::copy(states, states_.begin());
  if (ask(Call::set_states, 0, states, {})) take_states();
}

void RemotePlant::set_parameter(std::size_t index, double value) noexcept {
  parameters_[index] = value;
  left_ = answer_within_;
  send_parameter(index, value);
}

void RemotePlant::send_parameter(std::size_t index, double value) noexcept {
  if (lost_) return;
  header().index = index;
  header().number = value;
  ask(Call::set_parameter);
}

void RemotePlant::begin(SimTime t, Duration h) noexcept {
  left_ = answer_within_;
  if (lost_) {
    find_again();
    if (!lost_ && own_time_) slip(t);
  }
  step_lost_ = lost_;
  if (lost_) return;
  header().t = reached_ = t - lag_;
  header().h = h;
  if (!ask(Call::begin)) return;
  take_states();  // an FMU may act on an event of its own
  passes_ = header().passes;
  nodes_ = header().nodes;
  starting_ = header().starting;
}

void RemotePlant::pass(int pass, In u) noexcept {
  if (lost_) return;
  header().index = static_cast<std::uint64_t>(pass);
  reached_ = header().t + header().h;  // sooner or later
  ask(Call::pass, 0, {}, u);
}

// A step that was abandoned ends where it began.
void RemotePlant::finish() noexcept {
  if (!step_lost_) move(Call::finish);
}

bool RemotePlant::finish_early() noexcept { return !step_lost_ && move(Call::finish_early); }

bool RemotePlant::shorten(double theta) noexcept {
  if (step_lost_) return false;
  header().number = theta;
  return move(Call::shorten);
}

bool RemotePlant::dense(double theta, Out x) const noexcept {
  return ask_for(Call::dense, theta, {}, {}, x);
}

bool RemotePlant::error_estimate(Out error) const noexcept {
  return ask_for(Call::error_estimate, 0, {}, {}, error);
}

void RemotePlant::rewind() noexcept {
  if (!step_lost_) move(Call::rewind);
}

void RemotePlant::restart() noexcept { ask(Call::restart); }

void RemotePlant::derivatives(double t, In x, In u, Out dx) noexcept {
  if (!ask_for(Call::derivatives, t, x, u, dx)) std::ranges::fill(dx, 0.0);
}

bool RemotePlant::jacobian(double t, In x, In u, Out j) noexcept {
  return ask_for(Call::jacobian, t, x, u, j);
}

void RemotePlant::outputs(double t, In u, Out y) noexcept {
  ask_for(Call::outputs, t, {}, u, outputs_);
  std::ranges::copy(outputs_, y.begin());
}

bool RemotePlant::outputs_at(double t, In x, In u, Out y) noexcept {
  return ask_for(Call::outputs_at, t, x, u, y);
}

bool RemotePlant::pass_outputs(int pass, In u, Out y) noexcept {
  if (lost_) return false;
  header().index = static_cast<std::uint64_t>(pass);
  return ask_for(Call::pass_outputs, 0, {}, u, y);
}

void RemotePlant::event_functions(double t, In x, In u, Out g) noexcept {
  ask_for(Call::event_functions, t, x, u, events_);
  std::ranges::copy(events_, g.begin());
}

void RemotePlant::on_event(std::size_t index, double t, In u) noexcept {
  if (lost_) return;
  header().index = index;
  if (ask(Call::on_event, t, {}, u)) take_states();
}

SimTime RemotePlant::next_time_event(SimTime t) const noexcept {
  if (!d_.time_events || lost_) return model::never;
  header().t = t;
  return ask(Call::next_time_event) ? header().next : model::never;
}

void RemotePlant::on_time_event(double t, In u) noexcept {
  if (ask(Call::on_time_event, t, {}, u)) take_states();
}

const char* RemotePlant::failed_function() const noexcept {
  return !lost_ && header().failed ? header().function.data() : nullptr;
}

}  // namespace hild::remote
