// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/composition.hpp"

#include <algorithm>
#include <numeric>

namespace hild::coupled {

using numerics::Rational;

Composition::Composition(std::vector<Part> parts, std::vector<Connection> connections)
    : parts_(std::move(parts)), connections_(std::move(connections)) {
  std::vector<const model::Description*> models;
  for (const Part& part : parts_) {
    add(part);
    models.push_back(&part.description);
  }
  describe();
  order_ = order_of(models, connections_);
  find_method();
}

std::string_view Composition::joined(const Name& part, std::string_view name) {
  std::array<char, Name::capacity> text{};
  std::size_t size = part.view().copy(text.data(), text.size());
  size += std::string_view(".").copy(text.data() + size, text.size() - size);
  size += name.copy(text.data() + size, text.size() - size);
  return tables_.names.emplace_back(std::string_view(text.data(), size)).view();
}

void Composition::add(const Part& part) {
  const model::Description& d = part.description;
  places_.push_back({tables_.inputs.size(), tables_.outputs.size(), tables_.states.size(),
                     tables_.parameters.size(), tables_.events.size()});
  const auto take = [&](const auto& from, auto& to) {
    for (auto one : from) {
      one.name = joined(part.name, one.name);
      to.push_back(one);
    }
  };
  take(d.states, tables_.states);
  take(d.inputs, tables_.inputs);
  take(d.outputs, tables_.outputs);
  take(d.parameters, tables_.parameters);
  take(d.events, tables_.events);
  description_.time_events = description_.time_events || d.time_events;
  cycle_ = static_cast<int>(std::min<long>(std::lcm<long>(cycle_, part.rate.every), most_cycle));
}

void Composition::describe() {
  description_.name = "coupled models";
  description_.summary = "several models, connected";
  description_.states = tables_.states;
  description_.inputs = tables_.inputs;
  description_.outputs = tables_.outputs;
  description_.parameters = tables_.parameters;
  description_.events = tables_.events;
  for (const Part& part : parts_) tables_.parts.push_back(part.name.view());
  description_.parts = tables_.parts;
}

// Of parts that begin at the same place all but the last have none.
std::size_t Composition::part_of(std::size_t FirstIndices::*what,
                                 std::size_t index) const noexcept {
  const auto after = std::ranges::upper_bound(places_, index, {}, what);
  return static_cast<std::size_t>(after - places_.begin()) - 1;
}

std::vector<Rational> Composition::nodes_of(bool starting) {
  std::vector<Rational> nodes;
  const bool slow = std::ranges::any_of(parts_, [](const Part& p) { return p.rate.every > 1; });
  if (slow) nodes.emplace_back(0);
  for (const Part& part : parts_) {
    if (part.rate.every > 1) continue;
    if (part.rate.substeps > 1) {
      for (int j = 0; j < part.rate.substeps; ++j) nodes.emplace_back(j, part.rate.substeps);
      continue;
    }
    const numerics::Method* const starter = part.method->starter;
    const numerics::Method& m = starting && starter != nullptr ? *starter : *part.method;
    for (int i = 0; i < m.passes; ++i) nodes.push_back(m.node(i));
  }
  std::ranges::stable_sort(nodes, {}, &Rational::value);
  return nodes;
}

void Composition::find_method() {
  method_.name = "coupled";
  method_.source = "each model under its own";
  method_.family = numerics::Family::multirate;
  bool starts = false;
  for (const Part& part : parts_) {
    method_.order = std::max(method_.order, part.method->order);
    const bool whole_steps = part.rate.every > 1 || part.rate.substeps > 1;
    starts = starts || (!whole_steps && part.method->starter != nullptr);
    if (!whole_steps && part.method->embedded.order > method_.embedded.order) {
      method_.embedded.order = part.method->embedded.order;
    }
    method_.history =
        whole_steps ? method_.history : std::max(method_.history, part.method->history);
  }
  nodes_ = nodes_of(false);
  starter_nodes_ = nodes_of(true);
  starter_ = method_;
  starter_.history = 0;
  starter_.name = "the starters of the models";
  starter_.nodes = starter_nodes_;
  starter_.passes = static_cast<int>(starter_nodes_.size());
  method_.nodes = nodes_;
  method_.passes = static_cast<int>(nodes_.size());
  if (starts) method_.starter = &starter_;
  most_passes_ = std::max(nodes_.size(), starts ? starter_nodes_.size() : 0);
}

}  // namespace hild::coupled
