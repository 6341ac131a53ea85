// SPDX-License-Identifier: Apache-2.0
/// The step of several models: who takes which pass.
#include "model/coupled/stepper.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hild/core/copy_values.hpp"

namespace hild::coupled {
namespace {

std::vector<model::System*> systems_of(const Exchange& exchange) {
  std::vector<model::System*> all;
  for (const Member& m : exchange.members()) all.push_back(&m.system());
  return all;
}

bool all_compiled(const std::vector<std::unique_ptr<model::Stepper>>& steppers) {
  return std::ranges::all_of(steppers, [](const auto& one) { return one->compiled_together(); });
}

}  // namespace

// ---- the equations -----------------------------------------------------------------------------

ExchangingSystem::ExchangingSystem(Exchange& exchange)
    : ComposedSystem(exchange.composition(), systems_of(exchange)), exchange_(&exchange) {}

// Of a model whose step is being taken nothing is asked or changed until it is over.
void ExchangingSystem::start(Out x) noexcept {
  for (std::size_t p = 0; p < systems().size(); ++p) {
    if (!runs(p)) systems()[p]->start(states_of(p, x));
  }
}

void ExchangingSystem::set_parameter(std::size_t index, double value) noexcept {
  const std::size_t part = composition().part_of(&FirstIndices::parameters, index);
  if (!runs(part)) return ComposedSystem::set_parameter(index, value);
  const Member& m = exchange_->members()[part];
  m.background->set_parameter(index - m.first.parameters, value);
}

double ExchangingSystem::parameter(std::size_t index) const noexcept {
  const std::size_t part = composition().part_of(&FirstIndices::parameters, index);
  const Member& m = exchange_->members()[part];
  return runs(part) ? m.background->parameter(index - m.first.parameters)
                    : ComposedSystem::parameter(index);
}

void ExchangingSystem::derivatives(double t, In x, In u, Out dx) noexcept {
  for (const Member& m : exchange_->members()) {
    if (m.pace == Pace::background && m.background->busy()) [[unlikely]] {
      std::ranges::fill(m.states_of(dx), 0.0);
    } else {
      m.system().derivatives(t, m.states_of(x), exchange_->inputs(m, t, u), m.states_of(dx));
    }
  }
}

void ExchangingSystem::outputs(double t, In x, In u, Out y) noexcept {
  copy_values(exchange_->outputs(t, x, u), y.data());
}

void ExchangingSystem::event_functions(double t, In x, In u, Out g) noexcept {
  for (const Member& m : exchange_->members()) {
    if (m.events == 0) continue;
    m.system().event_functions(t, m.states_of(x), exchange_->inputs(m, t, u),
                               g.subspan(m.first.events, m.events));
  }
}

// The states of a model are its stepper's; `x` has a copy.
void ExchangingSystem::on_event(std::size_t index, double t, Out x, In u) noexcept {
  Member& m = exchange_->members()[composition().part_of(&FirstIndices::events, index)];
  m.system().on_event(index - m.first.events, t, m.stepper->states(), exchange_->inputs(m, t, u));
  std::ranges::copy(m.stepper->states(), m.states_of(x).begin());
  m.acted = true;
}

SimTime ExchangingSystem::next_time_event(SimTime t) const noexcept {
  asked_ = t;
  SimTime next = model::never;
  for (const Member& m : exchange_->members()) next = std::min(next, event_of(m, t));
  return next;
}

SimTime ExchangingSystem::event_of(const Member& m, SimTime t) noexcept {
  return m.timed && !takes_several(m.pace) ? m.system().next_time_event(t) : model::never;
}

void ExchangingSystem::on_time_event(double t, Out x, In u) noexcept {
  const SimTime at = next_time_event(asked_);
  for (Member& m : exchange_->members()) {
    if (event_of(m, asked_) != at) continue;
    m.system().on_time_event(t, m.stepper->states(), exchange_->inputs(m, at, u));
    std::ranges::copy(m.stepper->states(), m.states_of(x).begin());
    m.acted = true;
  }
}

// ---- a step ------------------------------------------------------------------------------------

CoupledStepper::CoupledStepper(std::shared_ptr<const Composition> composition,
                               std::vector<std::unique_ptr<model::Stepper>> steppers,
                               const Grid& grid)
    : Stepper(system_, all_compiled(steppers), this),
      exchange_(std::move(composition), std::move(steppers), grid),
      background_(exchange_),
      system_(exchange_),
      sampled_(description().inputs.size()),
      x_(description().states.size()),
      x0_(x_.size()),
      f0_(x_.size()) {
  schedule_.slots.resize(exchange_.composition()->most_passes());
  schedule_.passes.nodes.reserve(schedule_.slots.size());
  for (const Member& m : exchange_.members()) {
    has_.slow |= takes_several(m.pace);
    has_.elsewhere |= m.elsewhere != nullptr;
  }
  has_.unusual = has_.slow || has_.elsewhere;
}

void CoupledStepper::open_step(SimTime t, Duration h) noexcept {
  step_.t = t;
  step_.h = h;
  exchange_.begin(t, t + h);
}

const model::Passes& CoupledStepper::begin(SimTime t, Duration h) noexcept {
  open_step(t, h);
  bool starting = false;
  for (Member& m : exchange_.members()) {
    if (!takes_part(m)) continue;
    m.passes = &m.stepper->begin(t, h);
    starting = starting || m.passes->starting;
  }
  return passes_now(starting);
}

// Those of the step at hand, once the models know theirs; whether any of these is a starter's.
const model::Passes& CoupledStepper::passes_now(bool starting) noexcept {
  const bool was_starting = std::exchange(schedule_.passes.starting, starting);
  schedule_.passes.once = has_.aside;
  if (!schedule_.listed || was_starting || schedule_.passes.starting || has_.aside) list_passes();
  schedule_.listed = !has_.aside;
  return schedule_.passes;
}

// By their nodes; of one model in their order, of several in theirs, the slow ones first.
void CoupledStepper::list_passes() noexcept {
  std::size_t n = 0;
  const auto add = [&](const Slot& slot) noexcept {
    if (n < schedule_.slots.size()) schedule_.slots[n++] = slot;  // as many as there can be
  };
  const auto& members = exchange_.members();
  if (has_.slow) add({0, slow_ones, 0});
  for (std::size_t k = 0; k < members.size(); ++k) {
    const Member& m = members[k];
    if (m.aside) continue;
    if (m.pace == Pace::substeps) {
      for (int j = 0; j < m.rate.substeps; ++j) {
        add({static_cast<double>(j) / m.rate.substeps, k, j});
      }
    }
    if (!takes_part(m)) continue;
    for (int i = 0; i < m.passes->count(); ++i) {
      add({m.passes->nodes[static_cast<std::size_t>(i)], k, i});
    }
  }
  const auto place = [](const Slot& slot) noexcept {
    return std::tuple(slot.node, slot.member == slow_ones ? 0 : slot.member + 1, slot.pass);
  };
  std::ranges::sort(std::span(schedule_.slots).first(n), {}, place);
  schedule_.passes.nodes.resize(n);  // within what is reserved
  for (std::size_t i = 0; i < n; ++i) schedule_.passes.nodes[i] = schedule_.slots[i].node;
  if (shared_.runner != nullptr) list_shared(n);
}

void CoupledStepper::pass(int pass, In u) noexcept {
  const Slot& slot = schedule_.slots[static_cast<std::size_t>(pass)];
  if (slot.member >= no_member) return take_unusual_pass(slot, u);
  take_pass(slot, u);
}

void CoupledStepper::take_pass(const Slot& slot, In u) noexcept {
  Member& m = exchange_.members()[slot.member];
  if (m.pace == Pace::substeps) return substep(m, slot.pass, u);
  m.stepper->pass(slot.pass, exchange_.inputs(m, step_.t + part(step_.h, slot.node), u));
}

void CoupledStepper::finish() noexcept {
  for (Member& m : exchange_.members()) {
    if (takes_part(m)) m.stepper->finish();
  }
  if (has_.aside) end_aside();
}

// ---- models set aside, and events --------------------------------------------------------------

void CoupledStepper::set_aside(std::size_t part) noexcept {
  exchange_.members()[part].aside = has_.aside = true;
}

void CoupledStepper::end_aside() noexcept {
  for (Member& m : exchange_.members()) m.aside = false;
  has_.aside = false;
}

// The others see what came of it with the next step.
void CoupledStepper::note_event(std::size_t part) noexcept {
  exchange_.members()[part].history.interrupt();
  exchange_.interrupt();
}

// ---- steps taken whole -------------------------------------------------------------------------

const model::Passes& CoupledStepper::advance(SimTime t, Duration h, int steps, In u) noexcept {
  const model::Passes* passes = nullptr;
  do {
    std::ranges::copy(u, sampled_.begin());
    connect(t, sampled_);
    passes = &step_connected(t, h, sampled_);
    t += h;
  } while (--steps > 0);
  return *passes;
}

// Models know nothing of one another within a step: in which order they take it makes no
// difference. Slow ones may begin a second step in a doubled one, and come first as they do among
// the passes.
const model::Passes& CoupledStepper::step_connected(SimTime t, Duration h, In u) noexcept {
  open_step(t, h);
  const model::Passes& passes = passes_now(has_.unusual ? take_unusual_steps(u) : take_steps(u));
  if (has_.aside) end_aside();
  return passes;
}

// Whether some are a starter's.
bool CoupledStepper::take_steps(In u) noexcept {
  bool starting = false;
  for (Member& m : exchange_.members()) {
    if (!m.aside) starting = take_step<false>(m, u) || starting;
  }
  return starting;
}

// The same where some are taken elsewhere: those that were asked ahead come last, and of these
// first those that are to be asked for more.
bool CoupledStepper::take_steps_elsewhere(In u) noexcept {
  bool starting = false;
  ask_ahead(u);
  for (Member& m : exchange_.members()) {
    if (!m.aside && !m.asked) starting = take_step<true>(m, u) || starting;
  }
  for (const Pace pace : {Pace::substeps, Pace::frame}) {
    for (Member& m : exchange_.members()) {
      if (m.asked && m.pace == pace) starting = take_step<true>(m, u) || starting;
    }
  }
  return starting;
}

// Of a member that was not set aside. Whether its passes are a starter's.
template <bool elsewhere>
bool CoupledStepper::take_step(Member& m, In u) noexcept {
  if (m.pace == Pace::frame) {
    m.passes = m.interpolates ? &take_passes(m, u)
               : elsewhere    ? &take_held(m, step_.t, step_.h, u)
                              : &m.stepper->step(step_.t, step_.h, exchange_.inputs(m, step_.t, u));
    return m.passes->starting;
  }
  for (int j = 0; m.pace == Pace::substeps && j < m.rate.substeps; ++j) substep(m, j, u);
  return false;
}

// The part of one of them in what is shared.
void CoupledStepper::run(std::size_t member) noexcept {
  Member& m = exchange_.members()[member];
  if (shared_.whole) {
    take_step<true>(m, shared_.u);
    return;
  }
  for (const Slot& slot : shared_.passes[member]) take_pass(slot, shared_.u);
}

const model::Passes& CoupledStepper::take_passes(Member& m, In u) noexcept {
  const model::Passes& passes = m.stepper->begin(step_.t, step_.h);
  complete_step(*m.stepper, m.elsewhere, passes.count(), [&](int i) noexcept {
    const SimTime node = step_.t + part(step_.h, passes.nodes[static_cast<std::size_t>(i)]);
    return exchange_.inputs(m, node, u);
  });
  return passes;
}

bool CoupledStepper::error_estimate(Out error) const noexcept {
  bool any = false;
  std::ranges::fill(error, 0.0);
  for (const Member& m : exchange_.members()) {
    if (m.pace != Pace::frame) continue;
    any = m.stepper->error_estimate(m.states_of(error)) || any;
  }
  return any;
}

// Those that take a step in one of the whole. Others cannot be taken back, and nobody does: who
// acts on events takes back the model that has one.
void CoupledStepper::rewind() noexcept {
  for (Member& m : exchange_.members()) {
    if (m.pace == Pace::frame) m.stepper->rewind();
  }
}

void CoupledStepper::restart(model::Restart from) noexcept {
  exchange_.interrupt();
  if (from == model::Restart::here) {
    restart_members();
  } else {
    set_members(from);
  }
}

// After an event only the models it acted in begin anew. What jumped at the tick, connect() has
// seen.
void CoupledStepper::restart_members() noexcept {
  std::vector<Member>& members = exchange_.members();
  const bool any_acted = std::ranges::any_of(members, &Member::acted);
  for (Member& m : members) {
    if (any_acted && !std::exchange(m.acted, false)) continue;
    if (exchange_.connected() && !any_acted && !m.slow.under_way) {
      m.history.begin_with_newest();
    } else {
      m.history.interrupt();
    }
    if (m.slow.under_way) {
      m.slow.restart = true;
    } else {
      m.stepper->restart(model::Restart::here);
    }
  }
}

void CoupledStepper::set_members(model::Restart from) noexcept {
  for (Member& m : exchange_.members()) {
    if (m.background != nullptr && m.background->busy()) {
      m.background->set_states(m.states_of(std::span(std::as_const(x_))), from);
      continue;
    }
    if (m.background != nullptr) background_.abandon(m);
    std::ranges::copy(m.states_of(std::span(x_)), m.stepper->states().begin());
    m.stepper->restart(from);
    m.history.interrupt();
    m.slow.abandon();
    m.acted = m.aside = false;
  }
  if (from == model::Restart::from_start) exchange_.forget();
  has_.aside = false;
}

// ---- of all ------------------------------------------------------------------------------------

// What is written there goes to the models by restart().
CoupledStepper::Out CoupledStepper::states() noexcept {
  if (background_.any()) [[unlikely]]
    return states_beside();
  for (const Member& m : exchange_.members()) {
    copy_values(m.stepper->states(), x_.data() + m.first.states);
  }
  return x_;
}

// A model whose step is being taken has the states that step began with.
[[gnu::noinline]] CoupledStepper::Out CoupledStepper::states_beside() noexcept {
  for (const Member& m : exchange_.members()) {
    const bool runs = m.pace == Pace::background && m.background->runs();
    copy_values(runs ? m.background->states_before() : m.stepper->states(),
                x_.data() + m.first.states);
  }
  return x_;
}

void CoupledStepper::outputs(double t, In u, Out y) noexcept {
  copy_values(exchange_.outputs(t, u), y.data());
}

// Nobody is the member of a member: of a step of the whole there is nothing under way.
void CoupledStepper::transfer(Archive& archive, int /*made*/) noexcept {
  exchange_.transfer(archive);
}

// Of a model in the midst of its step nothing has moved.
CoupledStepper::StepStart CoupledStepper::step_start() const noexcept {
  bool known = true;
  const auto runs = [](const Member& m) {
    return m.pace == Pace::background && m.background->runs();
  };
  for (const Member& m : exchange_.members()) {
    if (runs(m)) [[unlikely]]
      continue;
    const StepStart start = m.stepper->step_start();
    copy_values(start.states, x0_.data() + m.first.states);
    copy_values(start.derivatives, f0_.data() + m.first.states);
    known = known && start.derivatives.size() == start.states.size();
  }
  if (known) return {x0_, f0_};
  for (const Member& m : exchange_.members()) {
    if (runs(m)) copy_values(m.background->states_before(), x0_.data() + m.first.states);
  }
  return {x0_, {}};
}

}  // namespace hild::coupled
