// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/model_structure.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "foreign/fmu/attributes.hpp"

namespace hild::fmu {
namespace {

// What the numbers of ModelStructure mean: places among the variables, from 1 on, in 2.0, value
// references in 3.0. Each is looked up, not searched for: descriptions list them by the 100 000.
class StructurePlaces {
 public:
  explicit StructurePlaces(const ModelDescription& d) : d_(d) {
    if (d.version == 2) return;
    for (std::size_t i = 0; i < d.variables.size(); ++i) by_ref_.try_emplace(d.variables[i].ref, i);
  }
  [[nodiscard]] std::optional<std::size_t> variable(std::uint32_t number) const {
    if (d_.version == 2) {
      if (number < 1 || number > d_.variables.size()) return {};
      return number - 1;
    }
    const auto found = by_ref_.find(number);
    if (found == by_ref_.end()) return {};
    return found->second;
  }

 private:
  const ModelDescription& d_;
  std::unordered_map<fmi::ValueReference, std::size_t> by_ref_;
};

// Whose derivative variable v is.
Result<std::size_t> state_of(const ModelDescription& d, const StructurePlaces& places,
                             const Variable& v) {
  if (!v.derivative) return fail("`{}` is listed as a derivative, but of no variable", v.name);
  if (const auto state = places.variable(*v.derivative)) return *state;
  if (d.version == 2) {
    return fail("`{}`: derivative=\"{}\", but there are {} variables", v.name, *v.derivative,
                d.variables.size());
  }
  return fail("`{}`: derivative=\"{}\", which is no value reference", v.name, *v.derivative);
}

// The variable that an element of ModelStructure means.
Result<std::size_t> variable_of(const ModelDescription& d, const StructurePlaces& places,
                                const pugi::xml_node& element, std::string_view called) {
  const char* const key = d.version == 2 ? "index" : "valueReference";
  const auto number = read_whole(element, key);
  if (!number) return fail("ModelStructure: {}: {}", called, number.error().message);
  if (const auto variable = places.variable(*number)) return *variable;
  return fail("ModelStructure: {} with {}=\"{}\", which is no variable", called, key, *number);
}

// "1 2"; none where it is not there, or is no list of numbers.
std::optional<std::vector<std::uint32_t>> numbers_in(const pugi::xml_attribute& list) {
  if (!list) return {};
  std::vector<std::uint32_t> numbers;
  std::string_view text = list.as_string();
  while (!text.empty()) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc()) {
      numbers.push_back(number);
      text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    } else if (text.front() == ' ' || text.front() == '\t' || text.front() == '\n') {
      text.remove_prefix(1);
    } else {
      return {};
    }
  }
  return numbers;
}

using StatePlaces = std::unordered_map<std::size_t, std::size_t>;  // of variables, by place

// Of the variables in a list those that are states.
std::optional<std::vector<std::size_t>> states_in(const StructurePlaces& places,
                                                  const StatePlaces& states,
                                                  const pugi::xml_attribute& list) {
  const auto numbers = numbers_in(list);
  if (!numbers) return {};
  std::vector<std::size_t> in;
  for (const std::uint32_t number : *numbers) {
    const auto variable = places.variable(number);
    const auto state = variable ? states.find(*variable) : states.end();
    if (state != states.end()) in.push_back(state->second);
  }
  return in;
}

// Which inputs each output depends on at once; of outputs of which it is not said all may be.
Result<void> read_outputs(const pugi::xml_node& structure, const StructurePlaces& places,
                          ModelDescription& d) {
  const std::unordered_set<std::size_t> states(d.states.begin(), d.states.end());
  for (const std::size_t state : d.states) {  // what is a state depends on none
    if (d.variables[state].causality == Causality::output) d.outputs_depend_on[state] = {};
  }
  const pugi::xml_node list = d.version == 2 ? structure.child("Outputs") : structure;
  for (const pugi::xml_node& one : list.children(d.version == 2 ? "Unknown" : "Output")) {
    const auto output = variable_of(d, places, one, "output");
    if (!output) return tl::make_unexpected(output.error());
    const auto numbers = numbers_in(one.attribute("dependencies"));
    if (!numbers || states.contains(*output)) continue;
    std::vector<std::size_t>& known = d.outputs_depend_on[*output];
    for (const std::uint32_t number : *numbers) {
      const auto input = places.variable(number);
      if (input && d.variables[*input].causality == Causality::input) known.push_back(*input);
    }
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }
  return {};
}

Result<void> read_derivatives(const pugi::xml_node& structure, const StructurePlaces& places,
                              ModelDescription& d) {
  StatePlaces states;
  const pugi::xml_node list = d.version == 2 ? structure.child("Derivatives") : structure;
  const char* const element = d.version == 2 ? "Unknown" : "ContinuousStateDerivative";
  for (const pugi::xml_node& unknown : list.children(element)) {
    const auto derivative = variable_of(d, places, unknown, "derivative");
    if (!derivative) return tl::make_unexpected(derivative.error());
    const Variable& v = d.variables[*derivative];
    const auto state = state_of(d, places, v);
    if (!state) return tl::make_unexpected(state.error());
    const Variable& x = d.variables[*state];
    if (v.type != fmi::Type::float64 || x.type != fmi::Type::float64 || v.size() != x.size()) {
      return fail("state `{}` and its derivative `{}` are not alike", x.name, v.name);
    }
    if (!states.try_emplace(*state, d.states.size()).second) {
      return fail("ModelStructure: found a second derivative of `{}`, `{}`; expected one", x.name,
                  v.name);
    }
    d.derivatives.push_back(*derivative);
    d.states.push_back(*state);
  }
  for (const pugi::xml_node& unknown : list.children(element)) {
    d.depends_on.push_back(states_in(places, states, unknown.attribute("dependencies")));
  }
  return {};
}

// 2.0 says how many; 3.0 lists the variables that they are.
Result<void> read_indicators(const pugi::xml_node& root, const pugi::xml_node& structure,
                             const StructurePlaces& places, ModelDescription& d) {
  constexpr const char* key = "numberOfEventIndicators";
  if (d.version == 2 && root.attribute(key)) {
    const auto number = read_whole(root, key);
    if (!number) return tl::make_unexpected(number.error());
    d.indicators = *number;
  }
  for (const pugi::xml_node& one : structure.children("EventIndicator")) {
    const auto indicator = variable_of(d, places, one, "event indicator");
    if (!indicator) return tl::make_unexpected(indicator.error());
    d.indicators += d.variables[*indicator].size();
  }
  return {};
}

}  // namespace

Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d) {
  const pugi::xml_node structure = root.child("ModelStructure");
  const StructurePlaces places(d);
  Result<void> good = read_derivatives(structure, places, d);
  if (good) good = read_outputs(structure, places, d);
  if (good) good = read_indicators(root, structure, places, d);
  return good;
}

}  // namespace hild::fmu
