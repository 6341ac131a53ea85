// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/stepper.hpp"

#include <algorithm>
#include <utility>

namespace hild::remote {

RemoteStepper::RemoteStepper(const model::Description& d, const numerics::Method& method, Link link)
    : Stepper(system_, link.compiled_together()),
      method_(method),
      system_(d, std::move(link), RemoteSystem::Use::stepped),
      passes_(model::passes_of(method, false)),
      states_(d.states.size()),
      start_states_(d.states.size()),
      start_derivatives_(d.states.size()),
      u_(d.inputs.size()),
      own_time_(d.states.empty() && d.events.empty() && !d.time_events) {
  if (method.starter != nullptr) starter_ = model::passes_of(*method.starter, true);
  if (!system_.link().lost()) take_states();
}

void RemoteStepper::take_states() noexcept {
  system_.link().take_states(states_);
  system_.link().take_step_start(start_states_, start_derivatives_);
}

// A call that moves the model; its states are those that came of it.
bool RemoteStepper::move(Call call) noexcept {
  if (system_.link().step_lost() || !system_.link().ask(call)) return false;
  take_states();
  return system_.link().reply().yes == 1;
}

// What was held, and set meanwhile, is where it goes on from.
void RemoteStepper::find_again() noexcept {
  system_.link().find_again();
  if (system_.link().lost()) return;
  if (system_.make_up()) {
    reset();
  } else {
    restart(model::Restart::from_states);
  }
}

// A step is to be asked for. False: the process owes an answer.
bool RemoteStepper::open_step(SimTime t, Duration h) noexcept {
  Link& link = system_.link();
  link.renew();
  if (link.lost()) {
    find_again();
    // Co-simulation goes on from where its own solver is, and that has done the overdue step:
    // without a jump, as the standard asks for, and without doing all that was missed in one step.
    if (!link.lost() && own_time_) lag_ = t - reached_;
  }
  link.begin_step();
  if (link.lost()) return false;
  t_ = reached_ = t - lag_;
  link.request().h = h_ = h;
  return true;
}

// Where its passes are known the process is told with the first of them.
const model::Passes& RemoteStepper::begin(SimTime t, Duration h) noexcept {
  if (system_.link().yet_to_begin()) begin_now();
  if (!open_step(t, h)) return passes();
  if (starter_.count() == 0) {
    system_.link().begin_with_next(t_, h_);
    return passes();
  }
  if (!system_.link().ask_after(Call::begin, t_)) return passes();
  take_states();  // an FMU may act on an event of its own
  starting_ = system_.link().reply().starting == 1;
  return passes();
}

// One question a step.
const model::Passes& RemoteStepper::advance(SimTime t, Duration h, int steps, In u) noexcept {
  for (; steps > 0; --steps, t += h) {
    ask_step(t, h, u);
    take_asked_step();
  }
  return passes();
}

void RemoteStepper::ask_step(SimTime t, Duration h, In u) noexcept {
  asked_ = false;
  if (!open_step(t, h)) return;
  reached_ = t_ + h_;  // sooner or later
  std::ranges::copy(u, u_.begin());
  asked_ = system_.send_step(Call::advance, t_, h_, seconds(t + h), u);
}

const model::Passes& RemoteStepper::take_asked_step() noexcept {
  if (std::exchange(asked_, false) && take_step_end()) {
    starting_ = system_.link().reply().starting == 1;
  }
  return passes();
}

// The answer to what ended a step.
bool RemoteStepper::take_step_end() noexcept {
  if (!system_.link().receive()) return false;
  take_states();
  system_.take_end(t_ + lag_, t_ + lag_ + h_, states_, u_);
  return true;
}

// The step has begun and nothing else is asked for, but its states are.
void RemoteStepper::begin_now() noexcept {
  if (system_.link().ask(Call::begun)) take_states();
}

void RemoteStepper::pass(int pass, In u) noexcept {
  Link& link = system_.link();
  if (link.lost()) return;
  link.request().index = static_cast<std::uint64_t>(pass);
  reached_ = t_ + h_;  // sooner or later
  std::ranges::copy(u, u_.begin());
  const bool begins = link.yet_to_begin();
  if (link.ask(Call::pass, 0, {}, u) && begins) take_states();
}

// A step that was abandoned ends where it began.
void RemoteStepper::pass_and_finish(int pass, In u) noexcept {
  Link& link = system_.link();
  if (link.step_lost()) return;
  link.request().index = static_cast<std::uint64_t>(pass);
  reached_ = t_ + h_;  // sooner or later
  std::ranges::copy(u, u_.begin());
  if (system_.send_step(Call::last_pass, t_, h_, seconds(t_ + lag_ + h_), u)) take_step_end();
}

// A step that was abandoned ends where it began.
void RemoteStepper::finish() noexcept {
  if (system_.link().step_lost()) return;
  if (system_.send_step(Call::finish, t_, h_, seconds(t_ + lag_ + h_), u_)) take_step_end();
}

bool RemoteStepper::finish_early() noexcept { return move(Call::finish_early); }

bool RemoteStepper::pass_outputs(int pass, In u, Out y) noexcept {
  if (system_.link().lost()) return false;
  system_.link().request().index = static_cast<std::uint64_t>(pass);
  return system_.link().ask_for(Call::pass_outputs, 0, {}, u, y);
}

bool RemoteStepper::dense(double theta, Out x) const noexcept {
  return !system_.link().step_lost() && system_.link().ask_for(Call::dense, theta, {}, {}, x);
}

bool RemoteStepper::error_estimate(Out error) const noexcept {
  return system_.error_estimate(error);
}

void RemoteStepper::rewind() noexcept { move(Call::rewind); }

void RemoteStepper::transfer(Archive& archive, int made) noexcept {
  system_.transfer(archive, made);
  archive(states_, start_states_, start_derivatives_, starting_, reached_, t_, h_, lag_);
  archive.check(!starting_ || starter_.count() > 0, "the step of a starter");
}

void RemoteStepper::restart(model::Restart from) noexcept {
  if (from != model::Restart::here) system_.link().renew();
  if (from == model::Restart::from_start) lag_ = {};
  if (from == model::Restart::from_states) system_.forget_start();
  if (system_.link().lost()) return;
  system_.link().request().index = static_cast<std::uint64_t>(from);
  system_.link().ask(Call::restart, 0, states_, {});
}

}  // namespace hild::remote
