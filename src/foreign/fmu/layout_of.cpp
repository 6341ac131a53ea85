// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/layout_of.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "foreign/fmu/attributes.hpp"
#include "hild/core/name.hpp"
#include "hild/core/units.hpp"
#include "hild/numerics/sparse_system.hpp"

namespace hild::fmu {
namespace {

using fmi::Group;
using fmi::Type;

bool real(Type t) { return t == Type::float64 || t == Type::float32; }

// What a type holds, as far as doubles tell it.
std::pair<double, double> range_of(Type type) {
  if (real(type)) return {-model::unlimited, model::unlimited};
  if (type == Type::boolean) return {0, 1};
  const auto [low, high] = whole_range(type);
  const auto most = static_cast<double>(high);
  const bool rounded_up = type == Type::int64 || type == Type::uint64;  // it is one too many
  return {static_cast<double>(low), rounded_up ? std::nextafter(most, 0) : most};
}

class Builder {
 public:
  Builder(const ModelDescription& d, Kind kind, NamedLayout& to)
      : d_(d), kind_(kind), texts_(to.texts), l_(to.layout) {
    std::size_t first = 0;
    for (const std::size_t s : d.states) {
      if (kind == Kind::model_exchange) first_states_.try_emplace(&d.variables[s], first);
      first += d.variables[s].size();
    }
  }

  Result<void> add(const Variable& v) {
    if (!v.numeric || v.size() == 0) return {};
    const bool too_long = v.element(v.size() - 1).size() > Name::capacity;
    if (v.causality == Causality::parameter && !too_long) add_parameter(v);
    if (v.causality != Causality::input && v.causality != Causality::output) return {};
    if (too_long) {
      return fail("`{}`: a name has at most {} characters", v.element(v.size() - 1),
                  Name::capacity);
    }
    if (v.causality == Causality::input) add_input(v);
    if (v.causality == Causality::output) add_output(v);
    return {};
  }

  Result<void> add_states() {
    if (auto good = check_states(); !good) return good;
    for (std::size_t i = 0; i < d_.states.size(); ++i) {
      const Variable& x = d_.variables[d_.states[i]];
      const Variable& dx = d_.variables[d_.derivatives[i]];
      l_.state_refs.push_back(x.ref);
      l_.derivative_refs.push_back(dx.ref);
      for (std::size_t e = 0; e < x.size(); ++e) {
        const std::string name = x.element(e);
        if (name.size() > Name::capacity) {
          return fail("state `{}`: a name has at most {} characters", name, Name::capacity);
        }
        l_.states.push_back({.name = keep(name),
                             .unit = unit(x),
                             .low = x.low.value_or(-model::unlimited),
                             .high = x.high.value_or(model::unlimited)});
      }
    }
    l_.nominals.assign(l_.states.size(), 1.0);
    l_.pattern = pattern();
    if (l_.pattern != nullptr && numerics::sparse_pays(*l_.pattern)) {
      l_.description.structure = l_.dependencies();
    }
    return {};
  }

  // A description that lists no derivative, but has some, would leave all states where they are.
  Result<void> check_states() const {
    if (!d_.states.empty()) return {};
    const auto has = [](const Variable& v) { return v.derivative.has_value(); };
    const auto found = std::ranges::find_if(d_.variables, has);
    if (found == d_.variables.end()) return {};
    return fail(
        "modelDescription.xml: variable `{}` is a derivative, but ModelStructure lists "
        "none; expected all derivatives of states there",
        found->name);
  }

  // Elements of an array depend on each other like the arrays. A derivative of which nothing is
  // told may depend on all states; where many are, a pattern would be as good as full.
  std::shared_ptr<const numerics::Pattern> pattern() const {
    const auto is_known = [](const auto& list) { return list.has_value(); };
    const auto told = std::ranges::count_if(d_.depends_on, is_known);
    const auto all = std::ssize(d_.depends_on);
    if (16 * (all - told) >= all) return {};
    std::vector<std::size_t> first{0};
    for (const std::size_t s : d_.states) first.push_back(first.back() + d_.variables[s].size());
    std::vector<numerics::Place> places;
    const auto depends = [&](std::size_t to, std::size_t from) {
      for (std::size_t k = first[from]; k < first[from + 1]; ++k) {
        for (std::size_t i = first[to]; i < first[to + 1]; ++i) places.push_back({i, k});
      }
    };
    for (std::size_t to = 0; to < d_.states.size(); ++to) {
      const auto& known = d_.depends_on[to];
      for (std::size_t from = 0; !known && from < d_.states.size(); ++from) depends(to, from);
      if (!known) continue;
      for (const std::size_t from : std::set(known->begin(), known->end())) depends(to, from);
    }
    return std::make_shared<const numerics::Pattern>(first.back(), std::move(places));
  }

  void add_events(const Interface& interface) {
    for (std::size_t i = 0; i < d_.indicators; ++i) {
      l_.events.push_back({keep(fmt::format("indicator {}", i + 1)), model::Crossing::both});
    }
    l_.needs_completed_step = interface.needs_completed_step;
    // One column for each state: of arrays the FMU would give several in one.
    l_.directional_derivatives =
        interface.directional_derivatives && l_.state_refs.size() == l_.states.size();
    l_.description.time_events = true;  // it says so while running only
  }

  // Outputs of co-simulation are those of the end of its last step, whatever its inputs are now.
  void add_feedthrough() {
    if (d_.outputs_depend_on.empty()) return;
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < d_.variables.size(); ++i) {
      if (is(d_.variables[i], Causality::input)) inputs.push_back(i);
    }
    for (std::size_t o = 0; o < d_.variables.size(); ++o) {
      if (!is(d_.variables[o], Causality::output)) continue;
      const auto known = d_.outputs_depend_on.find(o);
      for (const std::size_t i : known == d_.outputs_depend_on.end() ? inputs : known->second) {
        if (!is(d_.variables[i], Causality::input)) continue;
        add_feedthrough(d_.variables[o], d_.variables[i]);
      }
    }
  }

  void finish() {
    l_.description.own_jacobian = true;  // by directional derivatives, or by its dependencies
    l_.description.name = keep(d_.name);
    l_.description.summary = keep(d_.summary);
    l_.description.states = l_.states;
    l_.description.inputs = l_.inputs;
    l_.description.outputs = l_.outputs;
    l_.description.parameters = l_.parameters;
    l_.description.events = l_.events;
    if (kind_ == Kind::co_simulation || !d_.outputs_depend_on.empty()) {
      l_.description.feedthrough = l_.feedthrough;
    }
  }

 private:
  std::string_view keep(const std::string& text) { return texts_.emplace_back(text); }
  std::string_view unit(const Variable& v) { return keep(unit_of(d_, v.unit)); }

  static bool is(const Variable& v, Causality causality) {
    return v.causality == causality && v.numeric;
  }

  // A scalar start is that of all elements.
  static double start(const Variable& v, std::size_t element) {
    if (v.start.empty()) return 0;
    return element < v.start.size() ? v.start[element] : v.start.back();
  }

  static void add_to(std::vector<Group>& groups, const Variable& v, std::size_t first) {
    auto group = std::ranges::find(groups, v.type, &Group::type);
    if (group == groups.end()) group = groups.insert(groups.end(), Group{.type = v.type});
    group->add(v.ref, first, v.size());
  }

  void add_input(const Variable& v) {
    const bool smooth = real(v.type) && v.variability == Variability::continuous;
    add_to(smooth ? l_.continuous_inputs : l_.discrete_inputs, v, l_.inputs.size());
    for (std::size_t e = 0; e < v.size(); ++e) {
      l_.inputs.push_back({keep(v.element(e)), unit(v), start(v, e)});
    }
  }

  void add_output(const Variable& v) {
    const auto state = first_states_.find(&v);
    const bool is_state = state != first_states_.end();
    if (!is_state) add_to(l_.outputs_read, v, l_.outputs.size());
    for (std::size_t e = 0; e < v.size(); ++e) {
      if (is_state) l_.state_outputs.push_back({l_.outputs.size(), state->second + e});
      l_.outputs.push_back({keep(v.element(e)), unit(v)});
    }
  }

  // Elements of arrays depend on each other like the arrays.
  void add_feedthrough(const Variable& output, const Variable& input) {
    for (std::size_t o = 0; o < output.size(); ++o) {
      for (std::size_t i = 0; i < input.size(); ++i) {
        l_.feedthrough.push_back({keep(output.element(o)), keep(input.element(i))});
      }
    }
  }

  void add_parameter(const Variable& v) {
    Group group{.type = v.type};
    group.add(v.ref, l_.parameters.size(), v.size());
    const auto [low, high] = range_of(v.type);
    for (std::size_t e = 0; e < v.size(); ++e) {
      const double value = start(v, e);
      // A default beyond its own limits is the FMU's affair.
      l_.parameters.push_back({keep(v.element(e)), unit(v), value,
                               std::min(value, v.low.value_or(low)),
                               std::max(value, v.high.value_or(high)),
                               v.variability == Variability::tunable, !real(v.type)});
      l_.group_of_parameter.push_back(l_.parameters_set.size());
    }
    l_.parameters_set.push_back(std::move(group));
    l_.always_set.push_back(v.resized);
    l_.tunable.push_back(v.variability == Variability::tunable);
  }

  const ModelDescription& d_;
  Kind kind_;
  std::map<const Variable*, std::size_t> first_states_{};  // their places; none of co-simulation
  std::deque<std::string>& texts_;
  fmi::Layout& l_;
};

}  // namespace

std::string unit_of(const ModelDescription& d, const std::string& unit) {
  if (unit.empty()) return "1";
  if (conversion_factor(unit, unit)) return unit;
  const auto defined = d.units.find(unit);
  if (defined == d.units.end() || defined->second.empty()) return "1";
  return conversion_factor(defined->second, defined->second) ? defined->second : "1";
}

Result<NamedLayout> layout_of(const ModelDescription& d, Kind kind) {
  NamedLayout out;
  Builder builder(d, kind, out);
  for (const Variable& v : d.variables) {
    if (auto good = builder.add(v); !good) return tl::make_unexpected(good.error());
  }
  if (kind == Kind::model_exchange) {
    if (auto good = builder.add_states(); !good) return tl::make_unexpected(good.error());
    builder.add_events(*d.model_exchange);
    builder.add_feedthrough();
  } else {
    out.layout.variable_steps = d.co_simulation->variable_steps;
  }
  builder.finish();
  return out;
}

}  // namespace hild::fmu
