// SPDX-License-Identifier: Apache-2.0
/// Several models in one configuration.
#include <algorithm>
#include <cctype>

#include "config/sections.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::config {
namespace {

using Parts = std::vector<std::unique_ptr<const Part>>;

void check_name(YamlOptions& models, const std::string& name) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; };
  if (name.empty() || !std::ranges::all_of(name, fits)) {
    models.reject(name, "expected a name of letters, digits, _ and -");
  }
  if (name == "inputs" || name == "outputs" || name == "states") {
    models.reject(name, fmt::format("found \"{}\", which stands for signals of all models in "
                                    "record.signals; take another name",
                                    name));
  }
}

// Names of all are "model.name", and have to fit.
template <class Things>
void check_lengths(YamlOptions& models, const std::string& name, const Things& things) {
  for (const auto& one : things) {
    const std::size_t size = name.size() + 1 + one.name.size();
    if (size <= Name::capacity) continue;
    models.reject(name, fmt::format("\"{}.{}\" has {} characters, expected at most {}; take a "
                                    "shorter name for the model",
                                    name, one.name, size, Name::capacity));
  }
}

coupled::Rate read_rate_of(YamlOptions& section) {
  coupled::Rate rate;
  rate.substeps = static_cast<int>(section.integer("substeps", 1, 16, 1));
  rate.every = static_cast<int>(section.integer("every", 1, 100, 1));
  if (rate.substeps > 1 && rate.every > 1) {
    section.reject("every", "found `every` beside `substeps`, expected one of them");
  }
  return rate;
}

void check_rate(YamlOptions& section, const Part& part) {
  if (part.model.description.events.empty()) return;
  const char* const key = part.rate.every > 1 ? "every" : "substeps";
  if (part.rate.every == 1 && part.rate.substeps == 1) return;
  section.mismatch(key, "1",
                   fmt::format("{} has state events, which are looked for once a frame",
                               part.model.description.name));
}

std::unique_ptr<const Part> read_part(YamlOptions& root, YamlOptions& models,
                                      const std::string& name) {
  check_name(models, name);
  YamlOptions& section = models.section(name);
  auto part = std::make_unique<Part>();
  part->name = name;
  part->rate = read_rate_of(section);
  part->model = read_one_model(root, section, section, part->rate);
  MethodChoice choice = read_method(section.section("integrator"), part->model);
  part->method = choice.method;
  part->multirate = choice.multirate;
  check_rate(section, *part);
  const model::Description& d = part->model.description;
  check_lengths(models, name, d.states);
  check_lengths(models, name, d.inputs);
  check_lengths(models, name, d.outputs);
  check_lengths(models, name, d.parameters);
  check_lengths(models, name, d.events);
  return part;
}

// "motor: rtam-2, load: rk-4 every 5 frames"
std::string methods_of(const Parts& parts) {
  std::string words;
  for (const auto& part : parts) {
    words += fmt::format("{}{}: {}", words.empty() ? "" : ", ", part->name, part->method.name);
    if (part->rate.every > 1) words += fmt::format(" every {} frames", part->rate.every);
    if (part->rate.substeps > 1) words += fmt::format(" {} times a frame", part->rate.substeps);
  }
  return words;
}

// All of them as one model. What makes it is put together from the parts.
Model whole_of(const Parts& parts, const coupled::Composition& composition) {
  Model whole;
  for (const auto& part : parts) {
    const Model& one = part->model;
    whole.type += fmt::format("{}{} ({})", whole.type.empty() ? "" : ", ", part->name, one.type);
    whole.parameters.insert(whole.parameters.end(), one.parameters.begin(), one.parameters.end());
    whole.initial.insert(whole.initial.end(), one.initial.begin(), one.initial.end());
    whole.plausible.insert(whole.plausible.end(), one.plausible.begin(), one.plausible.end());
  }
  whole.description = composition.description();
  return whole;
}

}  // namespace

void read_models(YamlOptions& root, Config& config) {
  if (root.has("model")) root.reject("model", "found beside `models`, expected one of them");
  YamlOptions& models = root.section("models");
  if (models.keys().empty()) root.mismatch("models", "at least one model");
  Coupled coupled;
  std::vector<coupled::Part> parts;
  bool all = true;
  for (const std::string& name : models.keys()) {
    all &= models.attempt(name, [&] { coupled.parts.push_back(read_part(root, models, name)); });
    if (!all) continue;
    const Part& part = *coupled.parts.back();
    parts.push_back({Name(part.name), part.model.description, &part.method, part.rate});
  }
  if (!all) models.follow();  // connections are between all of them
  coupled.composition = std::make_shared<coupled::Composition>(
      std::move(parts), read_connections(root, coupled.parts));
  refuse_loop(root, coupled);
  if (coupled.composition->most_passes() > io::max_slots) {
    root.reject("models", fmt::format("found models of {} passes in a frame together, expected at "
                                      "most {}; take fewer substeps, or methods with fewer passes "
                                      "(a method's starter counts)",
                                      coupled.composition->most_passes(), io::max_slots));
  }
  config.model = whole_of(coupled.parts, *coupled.composition);
  config.method = methods_of(coupled.parts);
  config.coupled = std::move(coupled);
}

}  // namespace hild::config
