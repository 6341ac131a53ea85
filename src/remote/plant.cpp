// SPDX-License-Identifier: Apache-2.0
#include "remote/plant.hpp"

#include <algorithm>
#include <utility>

#include "hild/rt/fetch.hpp"

namespace hild::remote {

RemotePlant::RemotePlant(const model::Description& d, const numerics::Method& method,
                         std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process,
                         Duration answer_within)
    : d_(d),
      method_(method),
      shared_(std::move(shared)),
      process_(std::move(process)),
      answer_within_(answer_within),
      states_(d.states.size()),
      start_states_(d.states.size()),
      start_derivatives_(d.states.size()),
      outputs_(d.outputs.size()),
      events_(d.events.size()),
      unsent_(d.parameters.size()),
      left_(answer_within) {
  for (const model::Parameter& p : d.parameters) parameters_.push_back(p.value);
  own_time_ = d.states.empty() && d.events.empty() && !d.time_events;
  known_.starts = method_.starter != nullptr;
  rt::fetch(header().reply.together, reply_.together);
  known_.together = reply_.together == 1;
  if (!take_reply()) return;
  take_states();
  starting_ = reply_.starting == 1;
}

// ---- one request, one answer -------------------------------------------------------------------

bool RemotePlant::ask(Call call) const noexcept {
  if (lost_) return false;
  Header& h = header();
  call_ = call;
  h.request.call = call;
  h.asked.ring();
  if (!h.answered.wait(answers_, left_)) {
    lost_ = step_lost_ = true;
    owe();
    return false;
  }
  return take_reply();
}

// What came is one answer, with words within their bounds; or it is the last.
bool RemotePlant::take_reply() const noexcept {
  const std::uint32_t came = header().answered.rung() - answers_;
  ++answers_;
  rt::fetch(header().reply, reply_);
  const auto breach = came == 1 ? breach_of(reply_, call_, asked_, known_)
                                : Breach{"answers", came, "1 to a request"};
  if (breach) {
    break_off(*breach);
    return false;
  }
  const std::int64_t late = known_.cap_counts.late_answers;
  known_.cap_counts = reply_.cap_counts;
  known_.cap_counts.late_answers = late;
  known_.cap_counts.owes = known_.cap_counts.gone = false;
  return true;
}

// One more step without an answer, which may be the end of them.
void RemotePlant::owe() const noexcept {
  ++known_.cap_counts.late_answers;
  known_.cap_counts.owes = true;
  known_.cap_counts.gone = breach_.has_value() || header().life.cut();
}

void RemotePlant::break_off(const Breach& why) const noexcept {
  breach_ = why;
  lost_ = step_lost_ = true;
  owe();
  process_->end(why);
}

// What is asked with belongs to the other process as long as it owes an answer.
bool RemotePlant::ask(Call call, double number, In x, In u) const noexcept {
  if (lost_) return false;
  header().request.number = number;
  std::ranges::copy(x, shared_->x.begin());
  std::ranges::copy(u, shared_->u.begin());
  return ask(call);
}

bool RemotePlant::ask_for(Call call, double number, In x, In u, Out out) const noexcept {
  if (!ask(call, number, x, u) || reply_.yes == 0) return false;
  rt::fetch_all(shared_->out.first(out.size()), out);
  return true;
}

// A call that moves the plant; its states are those that came of it.
bool RemotePlant::move(Call call) noexcept {
  if (!ask(call)) return false;
  take_states();
  return reply_.yes == 1;
}

void RemotePlant::take_states() noexcept {
  rt::fetch_all(shared_->states, states_);
  rt::fetch_all(shared_->start_states, start_states_);
  rt::fetch_all(shared_->start_derivatives, start_derivatives_);
}

// The overdue answer has come: what was held, and set meanwhile, is where it goes on from.
void RemotePlant::find_again() noexcept {
  if (breach_ || header().answered.rung() == answers_) {
    owe();
    return;
  }
  lost_ = false;
  if (!take_reply()) return;
  for (std::size_t i = 0; i < parameters_.size() && !lost_; ++i) {
    if (unsent_[i] != 0) send_parameter(i);
  }
  go_on(std::exchange(going_on_, Call::set_states));
}

// From the states at hand, or from those of the start where that was asked for in vain.
void RemotePlant::go_on(Call call) noexcept {
  if (call == Call::reset ? ask(call) : ask(call, 0, states_, {})) {
    take_states();
  } else if (lost_) {
    going_on_ = call;
  }
}

// Co-simulation goes on from where its own solver is, and that has done the overdue step: without
// a jump, as the standard asks for, and without doing all that was missed in one step.
void RemotePlant::slip(SimTime t) noexcept { lag_ = t - reached_; }

// ---- the plant ---------------------------------------------------------------------------------

void RemotePlant::set_initial(In states) {
  left_ = answer_within_;
  lag_ = {};
  std::ranges::copy(states, states_.begin());
  go_on(Call::set_initial);
}

void RemotePlant::reset() noexcept {
  left_ = answer_within_;
  lag_ = {};
  go_on(Call::reset);
}

void RemotePlant::set_states(In states) noexcept {
  left_ = answer_within_;
  std::ranges::copy(states, states_.begin());
  go_on(Call::set_states);
}

void RemotePlant::set_parameter(std::size_t index, double value) noexcept {
  parameters_[index] = value;
  left_ = answer_within_;
  send_parameter(index);
}

void RemotePlant::send_parameter(std::size_t index) noexcept {
  unsent_[index] = lost_ ? 1 : 0;
  if (lost_) return;
  header().request.index = index;
  header().request.number = parameters_[index];
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
  header().request.t = t_ = reached_ = t - lag_;
  header().request.h = h_ = h;
  if (!ask(Call::begin)) return;
  take_states();  // an FMU may act on an event of its own
  starting_ = reply_.starting == 1;
}

void RemotePlant::pass(int pass, In u) noexcept {
  if (lost_) return;
  header().request.index = static_cast<std::uint64_t>(pass);
  reached_ = t_ + h_;  // sooner or later
  ask(Call::pass, 0, {}, u);
}

// A step that was abandoned ends where it began.
void RemotePlant::finish() noexcept {
  if (!step_lost_) move(Call::finish);
}

bool RemotePlant::finish_early() noexcept { return !step_lost_ && move(Call::finish_early); }

bool RemotePlant::shorten(double theta) noexcept {
  if (step_lost_) return false;
  header().request.number = theta;
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
  header().request.index = static_cast<std::uint64_t>(pass);
  return ask_for(Call::pass_outputs, 0, {}, u, y);
}

void RemotePlant::event_functions(double t, In x, In u, Out g) noexcept {
  ask_for(Call::event_functions, t, x, u, events_);
  std::ranges::copy(events_, g.begin());
}

void RemotePlant::on_event(std::size_t index, double t, In u) noexcept {
  if (lost_) return;
  header().request.index = index;
  if (ask(Call::on_event, t, {}, u)) take_states();
}

SimTime RemotePlant::next_time_event(SimTime t) const noexcept {
  if (!d_.time_events || lost_) return model::never;
  header().request.t = asked_ = t;
  return ask(Call::next_time_event) ? reply_.next : model::never;
}

void RemotePlant::on_time_event(double t, In u) noexcept {
  if (ask(Call::on_time_event, t, {}, u)) take_states();
}

const char* RemotePlant::failed_function() const noexcept {
  return reply_.failed == 1 && !lost_ ? reply_.function.data() : nullptr;
}

}  // namespace hild::remote
