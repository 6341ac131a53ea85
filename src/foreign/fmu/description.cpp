// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/description.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <pugixml.hpp>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "foreign/fmu/attributes.hpp"
#include "foreign/fmu/variables.hpp"

namespace hild::fmu {
namespace {

bool flag(const pugi::xml_node& node, const char* name) { return node.attribute(name).as_bool(); }

Result<std::optional<Interface>> read_interface(const pugi::xml_node& node, int version) {
  if (!node) return std::optional<Interface>{};
  Interface i;
  i.identifier = node.attribute("modelIdentifier").as_string();
  i.needs_execution_tool = flag(node, "needsExecutionTool");
  i.once_per_process = flag(node, "canBeInstantiatedOnlyOncePerProcess");
  i.needs_completed_step = version == 2 ? !flag(node, "completedIntegratorStepNotNeeded")
                                        : flag(node, "needsCompletedIntegratorStep");
  i.directional_derivatives =
      flag(node, version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
  i.saves_state = version == 2
                      ? flag(node, "canGetAndSetFMUstate") && flag(node, "canSerializeFMUstate")
                      : flag(node, "canGetAndSetFMUState") && flag(node, "canSerializeFMUState");
  i.variable_steps = flag(node, "canHandleVariableCommunicationStepSize");
  if (const auto fixed = node.attribute("fixedInternalStepSize")) {
    const auto step = read_number(fixed.as_string(), fmi::Type::float64);
    if (!step || !(*step > 0) || !std::isfinite(*step)) {
      return fail("{}: fixedInternalStepSize: found `{}`, expected seconds above 0", node.name(),
                  fixed.as_string());
    }
    i.fixed_step = *step;
  }
  return std::optional(i);
}

Result<int> read_version(const pugi::xml_node& root) {
  const std::string_view text = root.attribute("fmiVersion").as_string();
  if (text == "2.0") return 2;
  if (text == "3.0" || text.starts_with("3.0.")) return 3;
  return fail("is of FMI version `{}`, expected 2.0 or 3.0", text);
}

// "kg.m2.s-2", where nothing scales it.
std::string base_unit(const pugi::xml_node& unit) {
  const pugi::xml_node base = unit.child("BaseUnit");
  if (!base || base.attribute("factor").as_double(1) != 1 ||
      base.attribute("offset").as_double(0) != 0) {
    return {};
  }
  std::vector<std::string> powers;
  for (const char* one : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) {
    const int power = base.attribute(one).as_int();
    if (power != 0) powers.push_back(fmt::format("{}{}", one, power));
  }
  return powers.empty() ? "1" : fmt::format("{}", fmt::join(powers, "."));
}

Result<void> check(const ModelDescription& d) {
  if (d.name.empty()) return fail("has no modelName");
  if (d.token.empty()) {
    return fail("has no {}", d.version == 2 ? "guid" : "instantiationToken");
  }
  for (const auto* one : {&d.model_exchange, &d.co_simulation}) {
    if (!*one) continue;
    const std::string& id = (*one)->identifier;
    if (id.empty() || id.find('/') != id.npos || id.find("..") != id.npos) {
      return fail("modelIdentifier=\"{}\" is no name of a binary", id);
    }
  }
  if (d.indicators > 10'000) return fail("has {} event indicators, at most 10000", d.indicators);
  std::set<std::string_view> seen;
  std::map<fmi::ValueReference, std::string_view> refs;
  for (const Variable& v : d.variables) {
    if (v.name.empty()) return fail("a variable has no name");
    if (!seen.insert(v.name).second) return fail("variable `{}` is there twice", v.name);
    // In 2.0 equal ones are aliases, and count for each type by itself.
    const auto [other, is_new] = refs.try_emplace(v.ref, v.name);
    if (!is_new && d.version == 3) {
      return fail(
          "variables `{}` and `{}`: valueReference: found {} of both, expected one for each",
          other->second, v.name, v.ref);
    }
  }
  return {};
}

// ---- ModelStructure: states, their derivatives, event indicators, and their dependencies --------

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

Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d) {
  const pugi::xml_node structure = root.child("ModelStructure");
  const Places places = places_in(d);
  Result<void> good = read_derivatives(structure, places, d);
  if (good) good = read_outputs(structure, places, d);
  if (good) good = read_indicators(root, structure, places, d);
  return good;
}

}  // namespace

Result<ModelDescription> parse(std::string_view xml, const Structure& structure) {
  const auto words = [](const Error& e) { return fail("modelDescription.xml: {}", e.message); };
  pugi::xml_document document;
  const auto parsed = document.load_buffer(xml.data(), xml.size());
  if (!parsed) {
    return fail("modelDescription.xml: at byte {}: {}", parsed.offset, parsed.description());
  }
  const pugi::xml_node root = document.child("fmiModelDescription");
  if (!root) return fail("modelDescription.xml: has no element fmiModelDescription");
  const auto version = read_version(root);
  if (!version) return words(version.error());

  ModelDescription d;
  d.version = *version;
  d.name = root.attribute("modelName").as_string();
  d.summary = root.attribute("description").as_string();
  d.token = root.attribute(d.version == 2 ? "guid" : "instantiationToken").as_string();
  for (const auto& [element, to] : {std::pair{"ModelExchange", &d.model_exchange},
                                    std::pair{"CoSimulation", &d.co_simulation}}) {
    auto interface = read_interface(root.child(element), d.version);
    if (!interface) return words(interface.error());
    *to = std::move(*interface);
  }
  if (!d.model_exchange && !d.co_simulation) {
    return fail("modelDescription.xml: {}",
                root.child("ScheduledExecution")
                    ? "offers scheduled execution only; hild takes model exchange and co-simulation"
                    : "offers neither model exchange nor co-simulation");
  }
  for (const pugi::xml_node& unit : root.child("UnitDefinitions").children("Unit")) {
    d.units[unit.attribute("name").as_string()] = base_unit(unit);
  }
  auto variables = read_variables(root, d.version, structure);
  if (!variables) return words(variables.error());
  d.variables = std::move(*variables);
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    const Variable& v = d.variables[i];
    if (v.causality == Causality::structural && structure.contains(v.name))
      d.structure.push_back(i);
  }
  if (auto good = read_structure(root, d); !good) return words(good.error());
  if (auto good = check(d); !good) return words(good.error());
  return d;
}

}  // namespace hild::fmu
