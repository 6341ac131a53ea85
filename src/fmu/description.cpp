// SPDX-License-Identifier: Apache-2.0
#include "fmu/description.hpp"

#include <algorithm>
#include <charconv>
#include <pugixml.hpp>
#include <set>

#include "fmu/variables.hpp"

namespace hild::fmu {
namespace {

bool flag(const pugi::xml_node& node, const char* name) { return node.attribute(name).as_bool(); }

std::optional<Interface> read_interface(const pugi::xml_node& node, int version) {
  if (!node) return {};
  Interface i;
  i.identifier = node.attribute("modelIdentifier").as_string();
  i.needs_execution_tool = flag(node, "needsExecutionTool");
  i.once_per_process = flag(node, "canBeInstantiatedOnlyOncePerProcess");
  i.needs_completed_step = version == 2 ? !flag(node, "completedIntegratorStepNotNeeded")
                                        : flag(node, "needsCompletedIntegratorStep");
  i.directional_derivatives =
      flag(node, version == 2 ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
  if (!node.attribute("canHandleVariableCommunicationStepSize").as_bool()) {
    i.fixed_step = node.attribute("fixedInternalStepSize").as_double();
  }
  return i;
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
  std::string out;
  for (const char* one : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) {
    const int power = base.attribute(one).as_int();
    if (power == 0) continue;
    if (!out.empty()) out += '.';
    out += fmt::format("{}{}", one, power);
  }
  return out.empty() ? "1" : out;
}

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

Result<std::size_t> derivative_variable(const ModelDescription& d, const pugi::xml_node& unknown) {
  const char* const key = d.version == 2 ? "index" : "valueReference";
  const auto number = unknown.attribute(key).as_ullong();
  if (!unknown.attribute(key)) return fail("ModelStructure: a derivative has no {}", key);
  if (d.version == 2) {
    if (number >= 1 && number <= d.variables.size()) return number - 1;
  } else {
    for (std::size_t i = 0; i < d.variables.size(); ++i) {
      if (d.variables[i].ref == number) return i;
    }
  }
  return fail("ModelStructure: derivative with {}=\"{}\", which is no variable", key, number);
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

// Whether a list means the variable at this place.
bool means(const ModelDescription& d, std::uint32_t number, std::size_t variable) {
  return d.version == 2 ? variable + 1 == number : d.variables[variable].ref == number;
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
void read_outputs(const pugi::xml_node& structure, ModelDescription& d) {
  for (const std::size_t state : d.states) {  // what is a state depends on none
    if (d.variables[state].causality == Causality::output) d.outputs_depend_on[state] = {};
  }
  const pugi::xml_node list = d.version == 2 ? structure.child("Outputs") : structure;
  const char* const key = d.version == 2 ? "index" : "valueReference";
  for (const pugi::xml_node& one : list.children(d.version == 2 ? "Unknown" : "Output")) {
    const auto numbers = numbers_in(one.attribute("dependencies"));
    const auto output = one.attribute(key).as_uint();
    for (std::size_t v = 0; numbers && v < d.variables.size(); ++v) {
      if (!means(d, output, v)) continue;
      if (std::ranges::find(d.states, v) != d.states.end()) continue;
      std::vector<std::size_t>& known = d.outputs_depend_on[v];
      for (std::size_t i = 0; i < d.variables.size(); ++i) {
        const bool input = d.variables[i].causality == Causality::input;
        const bool listed = std::ranges::any_of(
            *numbers, [&](std::uint32_t number) { return means(d, number, i); });
        if (input && listed) known.push_back(i);
      }
    }
  }
}

Result<void> read_structure(const pugi::xml_node& root, ModelDescription& d) {
  const pugi::xml_node structure = root.child("ModelStructure");
  const pugi::xml_node list = d.version == 2 ? structure.child("Derivatives") : structure;
  const char* const element = d.version == 2 ? "Unknown" : "ContinuousStateDerivative";
  for (const pugi::xml_node& unknown : list.children(element)) {
    const auto derivative = derivative_variable(d, unknown);
    if (!derivative) return tl::make_unexpected(derivative.error());
    const Variable& v = d.variables[*derivative];
    const auto state = state_of(d, v);
    if (!state) return tl::make_unexpected(state.error());
    const Variable& x = d.variables[*state];
    if (v.type != fmi::Type::float64 || x.type != fmi::Type::float64 || v.size() != x.size()) {
      return fail("state `{}` and its derivative `{}` are not alike", x.name, v.name);
    }
    d.derivatives.push_back(*derivative);
    d.states.push_back(*state);
  }
  for (const pugi::xml_node& unknown : list.children(element)) {
    d.depends_on.push_back(states_in(d, unknown.attribute("dependencies")));
  }
  read_outputs(structure, d);
  if (d.version == 2) {
    d.indicators = root.attribute("numberOfEventIndicators").as_uint();
    return {};
  }
  for (const pugi::xml_node& one : structure.children("EventIndicator")) {
    const auto ref = one.attribute("valueReference").as_ullong();
    for (const Variable& v : d.variables) {
      if (v.ref == ref) d.indicators += v.size();
    }
  }
  return {};
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
  for (const Variable& v : d.variables) {
    if (v.name.empty()) return fail("a variable has no name");
    if (!seen.insert(v.name).second) return fail("variable `{}` is there twice", v.name);
  }
  return {};
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
  d.model_exchange = read_interface(root.child("ModelExchange"), d.version);
  d.co_simulation = read_interface(root.child("CoSimulation"), d.version);
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
