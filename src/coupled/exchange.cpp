// SPDX-License-Identifier: Apache-2.0
/// What models get of each other.
#include <algorithm>

#include "coupled/plant.hpp"

namespace hild::coupled {

// ---- connections -------------------------------------------------------------------------------

void CoupledPlant::connect(SimTime t, Out u) noexcept {
  std::ranges::copy(u, u_.begin());
  connected_at_ = t;
  connected_ = true;
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) {
    if (connections[c].delayed) u_[connections[c].to] = supplied(c, t, t);
  }
  evaluate(composition_->order().sources, t);
  for (Member& m : members_) {
    if (!m.slow.under_way) m.history.push(t, outputs_of(m));
  }
  for (std::size_t c = 0; c < connections.size(); ++c) {
    given_[c] = supplied(c, t, t);
    u[connections[c].to] = given_[c];
  }
}

void CoupledPlant::reconnect(Out u) const noexcept {
  const auto connections = composition_->connections();
  for (std::size_t c = 0; c < connections.size(); ++c) u[connections[c].to] = given_[c];
}

// A connection at t, in a step that begins at `step`, from what is known of its source. A delayed
// one of which nothing was known before gives what its input starts with.
double CoupledPlant::supplied(std::size_t connection, SimTime t, SimTime step) const noexcept {
  const Connection& c = composition_->connections()[connection];
  const History& history = members_[source_[connection]].history;
  const std::size_t output = source_output_[connection];
  if (!c.delayed) return c.factor * history.at(t, output, c.degree) + c.offset;
  if (!history.reaches_before(step)) {
    return composition_->description().inputs[c.to].start;
  }
  return c.factor * history.before(step, t, output, c.degree) + c.offset;
}

// The same while outputs are being evaluated: from those that were just found.
double CoupledPlant::of_now(std::size_t connection, SimTime t) const noexcept {
  const Connection& c = composition_->connections()[connection];
  if (c.delayed || members_[source_[connection]].slow.under_way) return supplied(connection, t, t);
  return c.factor * y_[c.from] + c.offset;
}

void CoupledPlant::evaluate(const Schedule& schedule, SimTime t) noexcept {
  for (const std::size_t k : schedule) {
    Member& m = members_[k];
    if (m.slow.under_way) continue;  // its outputs hold
    for (const std::size_t c : m.fed_by) {
      const Connection& one = composition_->connections()[c];
      if (!one.delayed) u_[one.to] = of_now(c, t);
    }
    m.plant->outputs(seconds(t), inputs_of(m), outputs_of(m));
  }
}

void CoupledPlant::evaluate(Member& m, SimTime t) noexcept {
  m.plant->outputs(seconds(t), inputs_of(m), outputs_of(m));
  m.history.push(t, outputs_of(m));
}

// The inputs of a model at t within the step. A connected one that is not what connect() gave was
// falsified, and holds.
void CoupledPlant::give(Member& m, SimTime t, In u) noexcept {
  std::ranges::copy(of(u, m.first.inputs, m.inputs),
                    u_.begin() + static_cast<std::ptrdiff_t>(m.first.inputs));
  for (const std::size_t c : m.fed_by) {
    const Connection& one = composition_->connections()[c];
    if (one.degree > 0 && u[one.to] == given_[c]) u_[one.to] = supplied(c, t, connected_at_);
  }
}

void CoupledPlant::outputs(double t, In u, Out y) noexcept {
  rewound_ = false;  // the step stands
  const SimTime at = instant_of(t);
  std::ranges::copy(u, u_.begin());
  for (const std::size_t k : composition_->order().all) {
    Member& m = members_[k];
    if (m.slow.under_way) continue;
    for (const std::size_t c : m.fed_by) {
      const std::size_t to = composition_->connections()[c].to;
      if (u[to] == given_[c]) u_[to] = of_now(c, at);  // else it was falsified
    }
    m.plant->outputs(t, inputs_of(m), outputs_of(m));
  }
  std::ranges::copy(y_, y.begin());
  if (any_cut_short_) count_cut_short();
}

void CoupledPlant::count_cut_short() noexcept {
  cap_counts_ = {};
  for (const Member& m : members_) {
    const model::CapCounts* const one = m.plant->cap_counts();
    if (one == nullptr) continue;
    cap_counts_.event_iterations += one->event_iterations;
    cap_counts_.zero_advance += one->zero_advance;
    cap_counts_.step_parts += one->step_parts;
    cap_counts_.late_answers += one->late_answers;
    cap_counts_.owes |= one->owes;
    cap_counts_.gone |= one->gone;
  }
}

}  // namespace hild::coupled
