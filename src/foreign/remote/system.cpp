// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/system.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "hild/model/check_structure.hpp"

namespace hild::remote {
namespace {

bool same_bits(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<std::size_t> all_inputs(const model::Description& d) {
  std::vector<std::size_t> all(d.inputs.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

// Those that outputs depend on at once.
std::vector<std::size_t> inputs_of_outputs(const model::Description& d) {
  std::vector<std::size_t> all = all_inputs(d);
  if (!d.feedthrough) return all;
  std::erase_if(all, [&](std::size_t i) {
    return std::ranges::find(*d.feedthrough, d.inputs[i].name, &model::Feedthrough::input) ==
           d.feedthrough->end();
  });
  return all;
}

}  // namespace

void RemoteSystem::Told::note(std::uint32_t changes, double t, In x, In u) noexcept {
  any_ = true;
  changes_ = changes;
  t_ = t;
  std::ranges::copy(x, x_.begin());
  for (std::size_t k = 0; k < matter_.size(); ++k) u_[k] = u[matter_[k]];
}

bool RemoteSystem::Told::is(std::uint32_t changes, double t, In x, In u) const noexcept {
  if (!any_ || changes_ != changes || !same_bits(t_, t)) return false;
  for (std::size_t k = 0; k < matter_.size(); ++k) {
    if (!same_bits(u_[k], u[matter_[k]])) return false;
  }
  return std::memcmp(x_.data(), x.data(), x.size_bytes()) == 0;
}

RemoteSystem::RemoteSystem(const model::Description& d, Link link, Use use)
    : d_(d),
      link_(std::move(link)),
      use_(use),
      outputs_(d.outputs.size(), d.states.size(), inputs_of_outputs(d)),
      events_(d.events.size(), d.states.size(), all_inputs(d)),
      slopes_(d.states.size(), d.states.size(), all_inputs(d)),
      error_(d.states.size()),
      given_(d.parameters.size()),
      unsent_{.parameters = std::vector<std::uint8_t>(d.parameters.size())} {
  for (const model::Parameter& p : d.parameters) parameters_.push_back(p.value);
  for (const model::State& s : d.states) initial_.push_back(s.start);
}

void RemoteSystem::set_initial(In states) {
  std::ranges::copy(states, initial_.begin());
  link_.renew();
  send_initial();
}

void RemoteSystem::send_initial() noexcept {
  unsent_.initial = !link_.ask(Call::set_initial, 0, initial_, {});
}

void RemoteSystem::start(Out x) noexcept {
  link_.renew();
  unsent_.start = !link_.ask(Call::start);
  if (!unsent_.start) link_.take_states(x);
}

void RemoteSystem::set_parameter(std::size_t index, double value) noexcept {
  parameters_[index] = value;
  link_.renew();
  send_parameter(index);
}

void RemoteSystem::send_parameter(std::size_t index) noexcept {
  unsent_.parameters[index] = link_.lost() ? 1 : 0;
  if (link_.lost()) return;
  link_.request().index = index;
  link_.ask(Call::set_parameter, parameters_[index], {}, {});
}

void RemoteSystem::transfer(Archive& archive, int made) noexcept {
  link_.transfer(archive, made);
  archive(parameters_, outputs_.values(), events_.values());
}

bool RemoteSystem::make_up() noexcept {
  for (std::size_t i = 0; i < parameters_.size() && !link_.lost(); ++i) {
    if (unsent_.parameters[i] != 0) send_parameter(i);
  }
  if (unsent_.initial) send_initial();
  return unsent_.start;
}

bool RemoteSystem::send_step(Call call, SimTime t, Duration h, double end, In u) noexcept {
  link_.request().slopes = slopes_wanted_ ? 1 : 0;
  return link_.send_step(call, t, h, end, u);
}

void RemoteSystem::take_end(SimTime t, SimTime end, In x, In u) noexcept {
  const double at = seconds(end);
  const std::uint32_t changes = link_.changes();
  link_.take_end(outputs_.values(), events_.values());
  outputs_.note(changes, at, x, u);
  if (!d_.events.empty()) events_.note(changes, at, x, u);
  if (std::exchange(slopes_wanted_, false)) {
    link_.take_slopes(slopes_.values());
    slopes_.note(changes, at, x, u);
  }
  const ModelReply& reply = link_.reply();
  end_ = {true, changes, t, end, reply.next_from_start, reply.next, reply.estimated == 1};
  if (end_.estimated) link_.take_error(error_);
}

// Once it was asked for at the end of a step, it comes with the next one.
void RemoteSystem::derivatives(double t, In x, In u, Out dx) noexcept {
  between_steps();
  if (still_at_end() && same_bits(t, seconds(end_.end))) slopes_wanted_ = true;
  if (told(slopes_, t, x, u)) return void(std::ranges::copy(slopes_.values(), dx.begin()));
  if (!link_.ask_for(Call::derivatives, t, x, u, dx)) std::ranges::fill(dx, 0.0);
}

bool RemoteSystem::jacobian(double t, In x, In u, numerics::Jacobian j) noexcept {
  if (model::beyond_dense(d_)) return false;
  between_steps();
  return link_.ask_for(Call::jacobian, t, x, u, j.values());
}

void RemoteSystem::outputs(double t, In x, In u, Out y) noexcept {
  between_steps();
  if (!told(outputs_, t, x, u) && link_.ask_for(Call::outputs, t, x, u, outputs_.values())) {
    outputs_.note(link_.changes(), t, x, u);
  }
  std::ranges::copy(outputs_.values(), y.begin());
}

void RemoteSystem::event_functions(double t, In x, In u, Out g) noexcept {
  between_steps();
  if (!told(events_, t, x, u) && link_.ask_for(Call::event_functions, t, x, u, events_.values())) {
    events_.note(link_.changes(), t, x, u);
  }
  std::ranges::copy(events_.values(), g.begin());
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
    if (unsent_.parameters[i] == 0) parameters_[i] = given_[i];
  }
}

SimTime RemoteSystem::next_time_event(SimTime t) const noexcept {
  if (!d_.time_events) return model::never;
  between_steps();
  if (still_at_end() && t == end_.end) return end_.next;
  if (still_at_end() && t == end_.start) return end_.next_from_start;
  return link_.ask_after(Call::next_time_event, t) ? link_.reply().next : model::never;
}

bool RemoteSystem::error_estimate(Out error) const noexcept {
  if (!still_at_end()) return link_.ask_for(Call::error_estimate, 0, {}, {}, error);
  if (end_.estimated) std::ranges::copy(error_, error.begin());
  return end_.estimated;
}

void RemoteSystem::on_time_event(double t, Out x, In u) noexcept {
  between_steps();
  if (link_.ask_for(Call::on_time_event, t, x, u, given_)) take_what_an_event_left(x);
}

const char* RemoteSystem::failed_function() const noexcept {
  return link_.reply().failed == 1 && !link_.lost() ? link_.reply().function.data() : nullptr;
}

}  // namespace hild::remote
