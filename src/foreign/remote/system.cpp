// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/system.hpp"

#include <algorithm>
#include <utility>

#include "hild/model/check_structure.hpp"

namespace hild::remote {

RemoteSystem::RemoteSystem(const model::Description& d, Link link, Use use)
    : d_(d),
      link_(std::move(link)),
      use_(use),
      outputs_(d.outputs.size()),
      events_(d.events.size()),
      told_{.x = std::vector<double>(d.states.size()), .u = std::vector<double>(d.inputs.size())},
      given_(d.parameters.size()),
      unsent_(d.parameters.size()) {
  for (const model::Parameter& p : d.parameters) parameters_.push_back(p.value);
  for (const model::State& s : d.states) initial_.push_back(s.start);
}

void RemoteSystem::set_initial(In states) {
  std::ranges::copy(states, initial_.begin());
  link_.renew();
  send_initial();
}

void RemoteSystem::send_initial() noexcept {
  initial_unsent_ = !link_.ask(Call::set_initial, 0, initial_, {});
}

void RemoteSystem::start(Out x) noexcept {
  link_.renew();
  start_unsent_ = !link_.ask(Call::start);
  if (!start_unsent_) link_.take_states(x);
}

void RemoteSystem::set_parameter(std::size_t index, double value) noexcept {
  parameters_[index] = value;
  link_.renew();
  send_parameter(index);
}

void RemoteSystem::send_parameter(std::size_t index) noexcept {
  unsent_[index] = link_.lost() ? 1 : 0;
  if (link_.lost()) return;
  link_.request().index = index;
  link_.ask(Call::set_parameter, parameters_[index], {}, {});
}

void RemoteSystem::transfer(Archive& archive, int made) noexcept {
  link_.transfer(archive, made);
  archive(parameters_, outputs_, events_);
}

bool RemoteSystem::make_up() noexcept {
  for (std::size_t i = 0; i < parameters_.size() && !link_.lost(); ++i) {
    if (unsent_[i] != 0) send_parameter(i);
  }
  if (initial_unsent_) send_initial();
  return start_unsent_;
}

void RemoteSystem::take_end(double t, In x, In u) noexcept {
  link_.take_end(outputs_, events_);
  told_.answers = link_.answers();
  told_.t = t;
  std::ranges::copy(x, told_.x.begin());
  std::ranges::copy(u, told_.u.begin());
}

bool RemoteSystem::told(double t, In x, In u) const noexcept {
  return told_.answers == link_.answers() && t == told_.t && !link_.lost() &&
         std::ranges::equal(x, told_.x) && std::ranges::equal(u, told_.u);
}

void RemoteSystem::derivatives(double t, In x, In u, Out dx) noexcept {
  between_steps();
  if (!link_.ask_for(Call::derivatives, t, x, u, dx)) std::ranges::fill(dx, 0.0);
}

bool RemoteSystem::jacobian(double t, In x, In u, numerics::Jacobian j) noexcept {
  if (model::beyond_dense(d_)) return false;
  between_steps();
  return link_.ask_for(Call::jacobian, t, x, u, j.values());
}

void RemoteSystem::outputs(double t, In x, In u, Out y) noexcept {
  between_steps();
  if (!told(t, x, u)) link_.ask_for(Call::outputs, t, x, u, outputs_);
  std::ranges::copy(outputs_, y.begin());
}

void RemoteSystem::event_functions(double t, In x, In u, Out g) noexcept {
  between_steps();
  if (!told(t, x, u)) link_.ask_for(Call::event_functions, t, x, u, events_);
  std::ranges::copy(events_, g.begin());
}

void RemoteSystem::on_event(std::size_t index, double t, Out x, In u) noexcept {
  between_steps();
  if (link_.lost()) return;
  link_.request().index = index;
  if (link_.ask_for(Call::on_event, t, x, u, given_)) take_what_an_event_left(x);
}

// Its action may change parameters too; those that the model has yet to be told of stay.
void RemoteSystem::take_what_an_event_left(Out x) noexcept {
  link_.take_states(x);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (unsent_[i] == 0) parameters_[i] = given_[i];
  }
}

SimTime RemoteSystem::next_time_event(SimTime t) const noexcept {
  if (!d_.time_events) return model::never;
  between_steps();
  return link_.ask_after(Call::next_time_event, t) ? link_.reply().next : model::never;
}

void RemoteSystem::on_time_event(double t, Out x, In u) noexcept {
  between_steps();
  if (link_.ask_for(Call::on_time_event, t, x, u, given_)) take_what_an_event_left(x);
}

const char* RemoteSystem::failed_function() const noexcept {
  return link_.reply().failed == 1 && !link_.lost() ? link_.reply().function.data() : nullptr;
}

}  // namespace hild::remote
