// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/description.hpp"

#include <cmath>
#include <pugixml.hpp>
#include <set>

#include "foreign/fmu/attributes.hpp"
#include "foreign/fmu/model_structure.hpp"
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
  std::string out;
  for (const char* one : {"kg", "m", "s", "A", "K", "mol", "cd", "rad"}) {
    const int power = base.attribute(one).as_int();
    if (power == 0) continue;
    if (!out.empty()) out += '.';
    out += fmt::format("{}{}", one, power);
  }
  return out.empty() ? "1" : out;
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
  if (d.version == 2) return {};  // there they are aliases, and count for each type by itself
  std::map<fmi::ValueReference, std::string_view> refs;
  for (const Variable& v : d.variables) {
    const auto [other, is_new] = refs.try_emplace(v.ref, v.name);
    if (!is_new) {
      return fail(
          "variables `{}` and `{}`: valueReference: found {} of both, expected one for each",
          other->second, v.name, v.ref);
    }
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
