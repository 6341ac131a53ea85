// SPDX-License-Identifier: Apache-2.0
#include "fmu/model_structure.hpp"

#include <algorithm>
#include <charconv>

#include "fmu/attributes.hpp"

namespace hild::fmu {
namespace {

// Whose derivative variable v is.
Result<std::size_t> state_of(const ModelDescription& d, const Variable& v) {
  if (!v.derivative) return fail("`{}` is listed as a derivative, but of no variable", v.name);
  if (d.version == 2) {
    if (*v.derivative < 1 || *v.derivative > d.variables.size()) {
      return fail("`{}`: derivative=\"{}\", but there are {} variables", v.name, *v.derivative,
                  d.variables.size());
    }
    return *v.derivative - 1;
  }
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    if (d.variables[i].ref == *v.derivative) return i;
  }
  return fail("`{}`: derivative=\"{}\", which is no value reference", v.name, *v.derivative);
}

// Whether a number means the variable at this place.
bool means(const ModelDescription& d, std::uint32_t number, std::size_t variable) {
  return d.version == 2 ? variable + 1 == number : d.variables[variable].ref == number;
}

// The variable that an element of ModelStructure means.
Result<std::size_t> variable_of(const ModelDescription& d, const pugi::xml_node& element,
                                std::string_view called) {
  const char* const key = d.version == 2 ? "index" : "valueReference";
  const auto number = read_whole(element, key);
  if (!number) return fail("ModelStructure: {}: {}", called, number.error().message);
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    if (means(d, *number, i)) return i;
  }
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

// Of the variables in a list those that are states.
std::optional<std::vector<std::size_t>> states_in(const ModelDescription& d,
                                                  const pugi::xml_attribute& list) {
  const auto numbers = numbers_in(list);
  if (!numbers) return {};
  std::vector<std::size_t> places;
  for (const std::uint32_t number : *numbers) {
    for (std::size_t i = 0; i < d.states.size(); ++i) {
      if (means(d, number, d.states[i])) places.push_back(i);
    }
  }
  return places;
}

// Which inputs each output depends on at once; of outputs of which it is not said all may be.
Result<void> read_outputs(const pugi::xml_node& structure, ModelDescription& d) {
  for (const std::size_t state : d.states) {  // what is a state depends on none
    if (d.variables[state].causality == Causality::output) d.outputs_depend_on[state] = {};
  }
  const pugi::xml_node list = d.version == 2 ? structure.child("Outputs") : structure;
  for (const pugi::xml_node& one : list.children(d.version == 2 ? "Unknown" : "Output")) {
    const auto output = variable_of(d, one, "output");
    if (!output) return tl::make_unexpected(output.error());
    const auto numbers = numbers_in(one.attribute("dependencies"));
    if (!numbers || std::ranges::find(d.states, *output) != d.states.end()) continue;
    std::vector<std::size_t>& known = d.outputs_depend_on[*output];
    for (std::size_t i = 0; i < d.variables.size(); ++i) {
      const bool input = d.variables[i].causality == Causality::input;
      const bool listed =
          std::ranges::any_of(*numbers, [&](std::uint32_t number) { return means(d, number, i); });
      if (input && listed) known.push_back(i);
    }
  }
  return {};
}

Result<void> read_derivatives(const pugi::xml_node& structure, ModelDescription& d) {
  const pugi::xml_node list = d.version == 2 ? structure.child("Derivatives") : structure;
  const char* const element = d.version == 2 ? "Unknown" : "ContinuousStateDerivative";
  for (const pugi::xml_node& unknown : list.children(element)) {
    const auto derivative = variable_of(d, unknown, "derivative");
    if (!derivative) return tl::make_unexpected(derivative.error());
    const Variable& v = d.variables[*derivative];
    const auto state = state_of(d, v);
    if (!state) return tl::make_unexpected(state.error());
    const Variable& x = d.variables[*state];
    if (v.type != fmi::Type::float64 || x.type != fmi::Type::float64 || v.size() != x.size()) {
      return fail("state `{}` and its derivative `{}` are not alike", x.name, v.name);
    }
    if (std::ranges::find(d.states, *state) != d.states.end()) {
      return fail("ModelStructure: found a second derivative of `{}`, `{}`; expected one", x.name,
                  v.name);
    }
    d.derivatives.push_back(*derivative);
    d.states.push_back(*state);
  }
  for (const pugi::xml_node& unknown : list.children(element)) {
    d.depends_on.push_back(states_in(d, unknown.attribute("dependencies")));
  }
  return {};
}

// 2.0 says how many; 3.0 lists the variables that they are.
Result<void> read_indicators(const pugi::xml_node& root, const pugi::xml_node& structure,
                             ModelDescription& d) {
  constexpr const char* key = "numberOfEventIndicators";
  if (d.version == 2 && root.attribute(key)) {
    const auto number = read_whole(root, key);
    if (!number) return tl::make_unexpected(number.error());
    d.indicators = *number;
  }
  for (const pugi::xml_node& one : structure.children("EventIndicator")) {
    const auto indicator = variable_of(d, one, "event indicator");
    if (!indicator) return tl::make_unexpected(indicator.error());
    d.indicators += d.variables[*indicator].size();
  }
  return {};
}

}  // namespace

Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d) {
  const pugi::xml_node structure = root.child("ModelStructure");
  Result<void> good = read_derivatives(structure, d);
  if (good) good = read_outputs(structure, d);
  if (good) good = read_indicators(root, structure, d);
  return good;
}

}  // namespace hild::fmu
