// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/model_structure.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "foreign/fmu/attributes.hpp"

namespace hild::fmu {
namespace {

// What the numbers of ModelStructure mean, as places among the variables: those from 1 on in 2.0,
// value references in 3.0. Each is looked up, not searched for: descriptions list them by the
// 100 000.
using Places = std::unordered_map<std::uint32_t, std::size_t>;

Places places_in(const ModelDescription& d) {
  Places places;
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    places.try_emplace(d.version == 2 ? static_cast<std::uint32_t>(i + 1) : d.variables[i].ref, i);
  }
  return places;
}

// Whose derivative variable v is.
Result<std::size_t> state_of(const ModelDescription& d, const Places& places, const Variable& v) {
  if (!v.derivative) return fail("`{}` is listed as a derivative, but of no variable", v.name);
  if (const auto found = places.find(*v.derivative); found != places.end()) return found->second;
  if (d.version == 2) {
    return fail("`{}`: derivative=\"{}\", but there are {} variables", v.name, *v.derivative,
                d.variables.size());
  }
  return fail("`{}`: derivative=\"{}\", which is no value reference", v.name, *v.derivative);
}

// The variable that an element of ModelStructure means.
Result<std::size_t> variable_of(const ModelDescription& d, const Places& places,
                                const pugi::xml_node& element, std::string_view called) {
  const char* const key = d.version == 2 ? "index" : "valueReference";
  const auto number = read_whole(element, key);
  if (!number) return fail("ModelStructure: {}: {}", called, number.error().message);
  if (const auto found = places.find(*number); found != places.end()) return found->second;
  return fail("ModelStructure: {} with {}=\"{}\", which is no variable", called, key, *number);
}

// The variables that an element depends on; none where it does not say so in numbers.
std::optional<std::vector<std::size_t>> dependencies(const Places& places,
                                                     const pugi::xml_node& element) {
  const auto list = element.attribute("dependencies");
  const auto numbers = read_wholes(list.as_string());
  if (!list || !numbers) return {};
  std::vector<std::size_t> variables;
  for (const std::uint32_t number : *numbers) {
    if (const auto found = places.find(number); found != places.end()) {
      variables.push_back(found->second);
    }
  }
  return variables;
}

// Which inputs each output depends on at once; of outputs of which it is not said all may be.
Result<void> read_outputs(const pugi::xml_node& structure, const Places& places,
                          ModelDescription& d) {
  const std::unordered_set<std::size_t> states(d.states.begin(), d.states.end());
  for (const std::size_t state : d.states) {  // what is a state depends on none
    if (d.variables[state].causality == Causality::output) d.outputs_depend_on[state] = {};
  }
  const pugi::xml_node list = d.version == 2 ? structure.child("Outputs") : structure;
  for (const pugi::xml_node& one : list.children(d.version == 2 ? "Unknown" : "Output")) {
    const auto output = variable_of(d, places, one, "output");
    if (!output) return tl::make_unexpected(output.error());
    const auto variables = dependencies(places, one);
    if (!variables || states.contains(*output)) continue;
    std::vector<std::size_t>& known = d.outputs_depend_on[*output];
    for (const std::size_t v : *variables) {
      if (d.variables[v].causality == Causality::input) known.push_back(v);
    }
    std::ranges::sort(known);
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }
  return {};
}

Result<void> read_derivatives(const pugi::xml_node& structure, const Places& places,
                              ModelDescription& d) {
  std::unordered_map<std::size_t, std::size_t> states;  // of variables, by place
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
    auto& known = d.depends_on.emplace_back(dependencies(places, unknown));
    if (!known) continue;
    std::erase_if(*known, [&](std::size_t v) { return !states.contains(v); });
    for (std::size_t& place : *known) place = states.at(place);
  }
  return {};
}

// 2.0 says how many; 3.0 lists the variables that they are.
Result<void> read_indicators(const pugi::xml_node& root, const pugi::xml_node& structure,
                             const Places& places, ModelDescription& d) {
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
  const Places places = places_in(d);
  Result<void> good = read_derivatives(structure, places, d);
  if (good) good = read_outputs(structure, places, d);
  if (good) good = read_indicators(root, structure, places, d);
  return good;
}

}  // namespace hild::fmu
