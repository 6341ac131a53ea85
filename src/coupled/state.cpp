// SPDX-License-Identifier: Apache-2.0
/// States, parameters and events of several plants as those of one.
#include <algorithm>
#include <string_view>
#include <utility>

#include "coupled/plant.hpp"

namespace hild::coupled {

// ---- states and parameters ---------------------------------------------------------------------

void CoupledPlant::set_initial(In states) {
  for (Member& m : members_) m.plant->set_initial(of(states, m.first.states, m.states));
  forget();
}

void CoupledPlant::reset() noexcept {
  for (Member& m : members_) m.plant->reset();
  forget();
}

// Back to the beginning: nothing was exchanged yet.
void CoupledPlant::forget() noexcept {
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) {
    given_[c] = composition_->description().inputs[connections[c].to].start;
  }
  for (Member& m : members_) {
    m.history.clear();
    m.slow.abandon();
    m.acted = false;
  }
  rewound_ = false;
}

void CoupledPlant::set_states(In states) noexcept {
  for (Member& m : members_) {
    m.plant->set_states(of(states, m.first.states, m.states));
    m.history.interrupt();
    m.slow.abandon();
    m.acted = false;
  }
  rewound_ = false;
}

void CoupledPlant::set_parameter(std::size_t index, double value) noexcept {
  Member& m = members_[owner_[index]];
  m.plant->set_parameter(index - m.first.parameters, value);
}

double CoupledPlant::parameter(std::size_t index) const noexcept {
  const Member& m = members_[owner_[index]];
  return m.plant->parameter(index - m.first.parameters);
}

CoupledPlant::In CoupledPlant::states() const noexcept {
  for (const Member& m : members_) {
    std::ranges::copy(m.plant->states(), of(std::span(x_), m.first.states, m.states).begin());
  }
  return x_;
}

CoupledPlant::In CoupledPlant::start_states() const noexcept {
  for (const Member& m : members_) {
    std::ranges::copy(m.plant->start_states(),
                      of(std::span(x0_), m.first.states, m.states).begin());
  }
  return x0_;
}

CoupledPlant::In CoupledPlant::start_derivatives() const noexcept {
  for (const Member& m : members_) {
    std::ranges::copy(m.plant->start_derivatives(),
                      of(std::span(f0_), m.first.states, m.states).begin());
  }
  return f0_;
}

const char* CoupledPlant::failed_function() const noexcept {
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const char* const failed = members_[k].plant->failed_function();
    if (failed == nullptr) continue;
    std::size_t used = 0;
    for (const std::string_view words :
         {composition_->parts()[k].name.view(), std::string_view(": "), std::string_view(failed)}) {
      const std::size_t n = std::min(words.size(), failed_.size() - 1 - used);
      std::copy_n(words.begin(), n, failed_.begin() + static_cast<std::ptrdiff_t>(used));
      used += n;
    }
    failed_[used] = '\0';
    return failed_.data();
  }
  return nullptr;
}

// ---- the models as functions -------------------------------------------------------------------

// After a hundred days seconds tell a nanosecond no more: what is meant is an instant of the step
// where one reads like that.
SimTime CoupledPlant::instant_of(double t) const noexcept {
  for (const SimTime known : {end_, t_, connected_at_}) {
    if (seconds(known) == t) return known;
  }
  return {std::llround(t * 1e9)};
}

// Of connections without steps, all inputs follow from the states.
void CoupledPlant::resolve(double t, In x, In u) noexcept {
  for (Member& m : members_) m.plant->set_states(of(x, m.first.states, m.states));
  std::ranges::copy(u, u_.begin());
  evaluate(composition_->order().sources, instant_of(t));
  for (const Connection& c : composition_->connections()) {
    u_[c.to] = c.factor * y_[c.from] + c.offset;
  }
}

void CoupledPlant::derivatives(double t, In x, In u, Out dx) noexcept {
  if (coupling_ == Coupling::continuous) resolve(t, x, u);
  for (Member& m : members_) {
    if (coupling_ == Coupling::frames) give(m, instant_of(t), u);
    m.plant->derivatives(t, of(x, m.first.states, m.states), inputs_of(m),
                         of(dx, m.first.states, m.states));
  }
}

void CoupledPlant::event_functions(double t, In x, In u, Out g) noexcept {
  if (coupling_ == Coupling::continuous) resolve(t, x, u);
  for (Member& m : members_) {
    if (m.events == 0) continue;
    if (coupling_ == Coupling::frames) give(m, instant_of(t), u);
    m.plant->event_functions(t, of(x, m.first.states, m.states), inputs_of(m),
                             of(g, m.first.events, m.events));
  }
}

// ---- events ------------------------------------------------------------------------------------

void CoupledPlant::on_event(std::size_t index, double t, In u) noexcept {
  if (coupling_ == Coupling::continuous) resolve(t, states(), u);
  Member& m = members_[event_owner_[index]];
  if (coupling_ == Coupling::frames) give(m, instant_of(t), u);
  m.plant->on_event(index - m.first.events, t, inputs_of(m));
  m.acted = true;
}

SimTime CoupledPlant::next_time_event(SimTime t) const noexcept {
  asked_ = t;
  SimTime next = model::never;
  for (const Member& m : members_) {
    if (m.timed) next = std::min(next, event_of(m, t));
  }
  return next;
}

SimTime CoupledPlant::event_of(const Member& m, SimTime t) const noexcept {
  if (m.pace != Pace::slow) return m.plant->next_time_event(t);
  SlowStep next = m.slow;
  if (next.event != model::never) return std::max(next.event, t + Duration{1});
  if (next.under_way) return model::never;
  const SimTime start = next.placed ? next.end : t;
  next.end = next.end_of_step_from(start);
  return next.put_off(m.plant->next_time_event(start));
}

std::uint32_t CoupledPlant::time_event_by(SimTime t) const noexcept {
  const SimTime next = next_time_event(t);
  std::uint32_t by = 0;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    if (members_[m].timed && event_of(members_[m], t) == next) by |= bit_of(m);
  }
  return by;
}

void CoupledPlant::on_time_event(double t, In u) noexcept {
  const SimTime at = next_time_event(asked_);
  if (coupling_ == Coupling::continuous) resolve(t, states(), u);
  for (Member& m : members_) {
    if (!m.timed || event_of(m, asked_) != at) continue;
    if (coupling_ == Coupling::frames) give(m, at, u);
    m.plant->on_time_event(t, inputs_of(m));
    m.slow.event = model::never;
    m.acted = true;
  }
}

}  // namespace hild::coupled
