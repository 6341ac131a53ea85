// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/system.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hild::coupled {
namespace {

std::vector<model::System*> all_of(const std::vector<std::unique_ptr<model::System>>& systems) {
  std::vector<model::System*> all;
  all.reserve(systems.size());
  for (const auto& one : systems) all.push_back(one.get());
  return all;
}

}  // namespace

// ---- however they are connected ----------------------------------------------------------------

ComposedSystem::ComposedSystem(std::shared_ptr<const Composition> composition,
                               std::vector<model::System*> systems)
    : composition_(std::move(composition)),
      systems_(std::move(systems)),
      any_capped_(
          std::ranges::any_of(
              systems_, [](const model::System* one) { return one->cap_counts() != nullptr; }) ||
          !composition_->order().solved.empty()) {}

void ComposedSystem::set_initial(In states) {
  for (std::size_t p = 0; p < systems_.size(); ++p) systems_[p]->set_initial(states_of(p, states));
}

void ComposedSystem::start(Out x) noexcept {
  for (std::size_t p = 0; p < systems_.size(); ++p) systems_[p]->start(states_of(p, x));
}

void ComposedSystem::set_parameter(std::size_t index, double value) noexcept {
  const std::size_t part = composition_->part_of(&FirstIndices::parameters, index);
  systems_[part]->set_parameter(index - composition_->places(part).parameters, value);
}

double ComposedSystem::parameter(std::size_t index) const noexcept {
  const std::size_t part = composition_->part_of(&FirstIndices::parameters, index);
  return systems_[part]->parameter(index - composition_->places(part).parameters);
}

const model::CapCounts* ComposedSystem::cap_counts() const noexcept {
  if (!any_capped_) return nullptr;
  cap_counts_ = {};
  for (std::size_t p = 0; p < systems_.size(); ++p) {
    const model::CapCounts* const one = caps_of(p);
    if (one == nullptr) continue;
    cap_counts_.event_iterations += one->event_iterations;
    cap_counts_.zero_advance += one->zero_advance;
    cap_counts_.step_parts += one->step_parts;
    cap_counts_.late_answers += one->late_answers;
    cap_counts_.algebraic_iterations += one->algebraic_iterations;
    cap_counts_.owes |= one->owes;
    cap_counts_.gone |= one->gone;
  }
  cap_counts_.algebraic_iterations += unsolved();
  return &cap_counts_;
}

const char* ComposedSystem::failed_function() const noexcept {
  for (std::size_t p = 0; p < systems_.size(); ++p) {
    const char* const failed = failed_in(p);
    if (failed == nullptr) continue;
    std::size_t used = 0;
    for (const std::string_view words :
         {composition_->parts()[p].name.view(), std::string_view(": "), std::string_view(failed)}) {
      const std::size_t n = std::min(words.size(), failed_.size() - 1 - used);
      std::copy_n(words.begin(), n, failed_.begin() + static_cast<std::ptrdiff_t>(used));
      used += n;
    }
    failed_[used] = '\0';
    return failed_.data();
  }
  return nullptr;
}

// ---- connected at every instant ----------------------------------------------------------------

ContinuousSystem::ContinuousSystem(std::shared_ptr<const Composition> composition,
                                   std::vector<std::unique_ptr<model::System>> systems)
    : ComposedSystem(std::move(composition), all_of(systems)),
      owned_(std::move(systems)),
      u_(description().inputs.size()),
      y_(description().outputs.size()),
      solver_(this->composition().order().solved.size()) {
  for (const std::size_t c : this->composition().order().solved) {
    closing_.push_back(description().inputs[this->composition().connections()[c].to].start);
  }
}

ContinuousSystem::In ContinuousSystem::inputs_of(std::size_t part) const noexcept {
  return std::span(u_).subspan(composition().places(part).inputs,
                               composition().parts()[part].description.inputs.size());
}

void ContinuousSystem::evaluate(const Schedule& schedule, double t, In x) noexcept {
  for (const std::size_t p : schedule) {
    const std::size_t first = composition().places(p).inputs;
    const std::size_t count = composition().parts()[p].description.inputs.size();
    for (const Connection& c : composition().connections()) {
      if (!c.solved && c.to >= first && c.to - first < count)
        u_[c.to] = c.factor * y_[c.from] + c.offset;
    }
    systems()[p]->outputs(t, states_of(p, x), inputs_of(p),
                          std::span(y_).subspan(composition().places(p).outputs));
  }
}

// The same, with values of the connections that close loops which the models give back.
void ContinuousSystem::settle(const Schedule& schedule, double t, In x) noexcept {
  const Ordered& order = composition().order();
  const auto connections = composition().connections();
  const auto put = [&](std::span<const double> values) {
    for (std::size_t k = 0; k < values.size(); ++k) {
      u_[connections[order.solved[k]].to] = values[k];
    }
  };
  put(closing_);
  evaluate(schedule, t, x);
  if (closing_.empty()) return;
  const bool found = solver_.solve(
      closing_, true, [&](std::span<const double> values, std::span<double> results) noexcept {
        put(values);
        evaluate(order.loops, t, x);
        for (std::size_t k = 0; k < results.size(); ++k) {
          const Connection& c = connections[order.solved[k]];
          results[k] = c.factor * y_[c.from] + c.offset;
        }
      });
  if (!found) ++unsolved_;
  put(closing_);
  evaluate(schedule, t, x);
}

// All inputs follow from the states.
void ContinuousSystem::resolve(double t, In x, In u) noexcept {
  std::ranges::copy(u, u_.begin());
  settle(composition().order().sources, t, x);
  for (const Connection& c : composition().connections()) {
    u_[c.to] = c.factor * y_[c.from] + c.offset;
  }
}

void ContinuousSystem::connect(double t, In x, Out u) noexcept {
  resolve(t, x, u);
  std::ranges::copy(u_, u.begin());
}

void ContinuousSystem::derivatives(double t, In x, In u, Out dx) noexcept {
  resolve(t, x, u);
  for (std::size_t p = 0; p < systems().size(); ++p) {
    systems()[p]->derivatives(t, states_of(p, x), inputs_of(p), states_of(p, dx));
  }
}

void ContinuousSystem::outputs(double t, In x, In u, Out y) noexcept {
  std::ranges::copy(u, u_.begin());
  settle(composition().order().all, t, x);
  std::ranges::copy(y_, y.begin());
}

void ContinuousSystem::event_functions(double t, In x, In u, Out g) noexcept {
  resolve(t, x, u);
  for (std::size_t p = 0; p < systems().size(); ++p) {
    systems()[p]->event_functions(t, states_of(p, x), inputs_of(p), events_of(p, g));
  }
}

void ContinuousSystem::on_event(std::size_t index, double t, Out x, In u) noexcept {
  resolve(t, x, u);
  const std::size_t p = composition().part_of(&FirstIndices::events, index);
  systems()[p]->on_event(index - composition().places(p).events, t, states_of(p, x), inputs_of(p));
}

SimTime ContinuousSystem::next_time_event(SimTime t) const noexcept {
  asked_ = t;
  SimTime next = model::never;
  for (const model::System* system : systems()) next = std::min(next, system->next_time_event(t));
  return next;
}

void ContinuousSystem::on_time_event(double t, Out x, In u) noexcept {
  const SimTime at = next_time_event(asked_);
  resolve(t, x, u);
  for (std::size_t p = 0; p < systems().size(); ++p) {
    if (systems()[p]->next_time_event(asked_) != at) continue;
    systems()[p]->on_time_event(t, states_of(p, x), inputs_of(p));
  }
}

}  // namespace hild::coupled
