// SPDX-License-Identifier: Apache-2.0
#include "config/sections.hpp"
#include "hild/model/registry.hpp"
#include "plugin/load.hpp"

namespace hild::config {
namespace {

const model::Registration& find_builtin(YamlOptions& section) {
  const std::string_view type = section.text("type");
  if (const auto* found = model::find_model(type)) return *found;
  std::vector<std::string_view> known;
  for (const auto* registration : model::models()) known.push_back(registration->description.name);
  section.no_such("type", "a model", known);
}

const model::Registration& load_plugin(YamlOptions& section) {
  const auto loaded = plugin::load(section.path("plugin"));
  if (!loaded) section.reject("plugin", loaded.error().message);
  return **loaded;
}

// Where the model comes from: built in, or a plug-in.
Model find_source(YamlOptions& section) {
  if (section.has("type") && section.has("plugin")) {
    section.reject("plugin", "found beside `type`, expected one of them");
  }
  const auto& r = section.has("plugin") ? load_plugin(section) : find_builtin(section);
  Model model;
  model.type = r.description.name;
  model.description = r.description;
  model.make = r.make;
  if (r.make_multirate != nullptr) model.make_multirate = r.make_multirate;
  return model;
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
  Model model = find_source(section);
  model.parameters = read_parameters(section, model.description);
  model.initial = read_initial(section, model.description);
  return model;
}

}  // namespace hild::config
