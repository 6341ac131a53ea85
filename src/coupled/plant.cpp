// SPDX-License-Identifier: Apache-2.0
/// The step of several plants: who takes which pass.
#include "coupled/plant.hpp"

#include <algorithm>
#include <utility>

namespace hild::coupled {

CoupledPlant::CoupledPlant(std::shared_ptr<const Composition> composition,
                           std::vector<std::unique_ptr<model::Plant>> plants, const Grid& grid,
                           Coupling coupling)
    : composition_(std::move(composition)), coupling_(coupling) {
  const model::Description& all = composition_->description();
  for (auto* u : {&u_, &sampled_}) u->assign(all.inputs.size(), 0.0);
  y_.assign(all.outputs.size(), 0.0);
  for (auto* x : {&x_, &x0_, &f0_}) x->assign(all.states.size(), 0.0);
  std::vector<std::size_t> output_owner;
  for (std::size_t p = 0; p < plants.size(); ++p) {
    const Part& part = composition_->parts()[p];
    const model::Description& d = part.description;
    const Pace pace = part.rate.every > 1      ? Pace::slow
                      : part.rate.substeps > 1 ? Pace::substeps
                                               : Pace::frame;
    any_slow_ = any_slow_ || pace == Pace::slow;
    any_cut_short_ = any_cut_short_ || plants[p]->cap_counts() != nullptr;
    members_.push_back({std::move(plants[p]), composition_->places(p), d.inputs.size(),
                        d.outputs.size(), d.states.size(), d.parameters.size(), d.events.size(),
                        pace, part.rate, History(d.outputs.size()),
                        SlowStep(grid, part.rate.every)});
    members_.back().timed = d.time_events;
    output_owner.insert(output_owner.end(), d.outputs.size(), p);
    owner_.insert(owner_.end(), d.parameters.size(), p);
    event_owner_.insert(event_owner_.end(), d.events.size(), p);
  }
  for (const Connection& c : composition_->connections()) {
    source_.push_back(output_owner[c.from]);
    source_output_.push_back(c.from - members_[source_.back()].first.outputs);
    const auto to = std::ranges::find_if(members_, [&](const Member& m) {
      return c.to >= m.first.inputs && c.to - m.first.inputs < m.inputs;
    });
    to->fed_by.push_back(given_.size());
    given_.push_back(all.inputs[c.to].start);
  }
  slots_.resize(composition_->most_passes());
  list_passes();
}

bool CoupledPlant::compiled_together() const noexcept {
  return std::ranges::all_of(members_,
                             [](const Member& m) { return m.plant->compiled_together(); });
}

// ---- a step ------------------------------------------------------------------------------------

void CoupledPlant::begin(SimTime t, Duration h) noexcept {
  connected_ = false;
  again_ = rewound_ && t < end_;
  if (!again_) {
    rewound_ = false;
    end_ = t + h;
  }
  t_ = t;
  h_ = h;
  const bool was_starting = starting_;
  starting_ = false;
  for (Member& m : members_) {
    if (!takes_part(m)) continue;
    m.plant->begin(t, h);
    starting_ = starting_ || m.plant->starting();
  }
  if (!listed_ || was_starting || starting_ || again_) list_passes();
  listed_ = !again_;
}

void CoupledPlant::list_passes() noexcept {
  slots_used_ = 0;
  if (any_slow_ && !again_) insert({0, slow_ones, 0});
  for (std::size_t k = 0; k < members_.size(); ++k) {
    const Member& m = members_[k];
    if (m.pace == Pace::substeps && !again_) {
      for (int j = 0; j < m.rate.substeps; ++j) {
        insert({static_cast<double>(j) / m.rate.substeps, k, j});
      }
    }
    if (!takes_part(m)) continue;
    for (int i = 0; i < m.plant->passes(); ++i) insert({m.plant->node(i), k, i});
  }
}

// Stable: passes of one model keep their order, models theirs where nodes are equal.
void CoupledPlant::insert(const Slot& slot) noexcept {
  if (slots_used_ == slots_.size()) return;  // as many as there can be
  std::size_t at = slots_used_++;
  for (; at > 0 && slots_[at - 1].node > slot.node; --at) slots_[at] = slots_[at - 1];
  slots_[at] = slot;
}

void CoupledPlant::pass(int pass, In u) noexcept {
  const Slot& slot = slots_[static_cast<std::size_t>(pass)];
  if (slot.member == slow_ones) {
    for (Member& m : members_) {
      if (m.pace == Pace::slow) slow_passes(m, u);
    }
    return;
  }
  Member& m = members_[slot.member];
  if (m.pace == Pace::substeps) return substep(m, slot.pass, u);
  give(m, t_ + part(h_, slot.node), u);
  m.plant->pass(slot.pass, inputs_of(m));
}

void CoupledPlant::finish() noexcept {
  for (Member& m : members_) {
    if (takes_part(m)) m.plant->finish();
  }
}

void CoupledPlant::advance(SimTime t, Duration h, int steps, In u) noexcept {
  for (int n = 0; n < steps; ++n, t += h) {
    std::ranges::copy(u, sampled_.begin());
    connect(t, sampled_);
    begin(t, h);
    for (int i = 0; i < passes(); ++i) pass(i, sampled_);
    finish();
  }
}

bool CoupledPlant::error_estimate(Out error) const noexcept {
  bool any = false;
  std::ranges::fill(error, 0.0);
  for (const Member& m : members_) {
    if (m.pace != Pace::frame) continue;
    any = m.plant->error_estimate(of(error, m.first.states, m.states)) || any;
  }
  return any;
}

// Only models with events are ever taken back: of the others nothing within the step depends on
// what they do there.
void CoupledPlant::rewind() noexcept {
  rewound_ = true;
  for (Member& m : members_) {
    if (m.events > 0) m.plant->rewind();
  }
}

// After an event only the models it acted in begin anew; the others see what came of it with the
// next step. What jumped at the tick, connect() has seen.
void CoupledPlant::restart() noexcept {
  const bool any_acted = std::ranges::any_of(members_, &Member::acted);
  for (Member& m : members_) {
    if (any_acted && !std::exchange(m.acted, false)) continue;
    if (connected_ && !any_acted && !m.slow.under_way) {
      m.history.begin_with_newest();
    } else {
      m.history.interrupt();
    }
    if (m.slow.under_way) {
      m.slow.restart = true;
    } else {
      m.plant->restart();
    }
  }
}

}  // namespace hild::coupled
