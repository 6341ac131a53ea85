// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"
#include "hild/model/registry.hpp"

namespace hild::config {
namespace {

const model::Description& find_description(YamlOptions& section) {
  const std::string_view type = section.text("type");
  if (const auto* found = model::find_model(type)) return found->description;
  std::vector<std::string_view> known;
  for (const auto* registration : model::models()) known.push_back(registration->description.name);
  section.no_such("type", "a model", known);
}

std::vector<double> read_parameters(YamlOptions& section, const model::Description& model) {
  YamlOptions* parameters = section.child("parameters");
  if (parameters != nullptr) {
    parameters->names_only(fmt::format("a parameter of {}", model.name),
                           names_of(model.parameters));
  }
  std::vector<double> values;
  for (const auto& [name, unit, value, low, high] : model.parameters) {
    values.push_back(parameters == nullptr
                         ? value
                         : parameters->number(name, unit, value, io::Interval{low, high}));
  }
  return values;
}

std::vector<double> read_initial(YamlOptions& section, const model::Description& model) {
  YamlOptions* initial = section.child("initial");
  if (initial != nullptr) {
    initial->names_only(fmt::format("a state of {}", model.name), names_of(model.states));
  }
  std::vector<double> values;
  for (const auto& [name, unit, start] : model.states) {
    values.push_back(initial == nullptr ? start : initial->number(name, unit, start));
  }
  return values;
}

}  // namespace

Model read_model(YamlOptions& root) {
  YamlOptions& section = root.section("model");
  const model::Description& model = find_description(section);
  return {.type = std::string(model.name),
          .description = model,
          .parameters = read_parameters(section, model),
          .initial = read_initial(section, model)};
}

}  // namespace hild::config
