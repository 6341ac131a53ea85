// SPDX-License-Identifier: Apache-2.0
#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/model/check_structure.hpp"
#include "hild/numerics/catalogue.hpp"
#include "io/image_history.hpp"

namespace hild::config {
namespace {

using exec::OutputTime;
using exec::Sampling;

const numerics::Method& find_method(YamlOptions& section) {
  const std::string_view name = section.text("method");
  if (const auto* method = numerics::find_method(name)) return *method;
  auto known = method_names();
  known.emplace_back("multirate");
  section.no_such("method", "a method", known);
}

model::Rate read_rate(YamlOptions& entry) {
  const numerics::Method& method = find_method(entry);
  if (!model::fit_for_partition(method)) {
    entry.mismatch("method", "a method of one pass: forward-euler, ab-2, libe or backward-euler");
  }
  return {&method, static_cast<int>(entry.integer("ratio", 1, model::max_ratio, 1))};
}

// {oscillator: {method: forward-euler, ratio: 10}, ...}: every partition of the model.
model::Multirate read_multirate(YamlOptions& section, const model::Description& model) {
  if (model.partitions.empty()) {
    section.reject("method", fmt::format("found \"multirate\", but {} has no partitions; take "
                                         "another method",
                                         model.name));
  }
  if (const auto sound = model::check_partitions(model); !sound) {
    section.reject("method", sound.error().message);
  }
  model::Multirate read;
  YamlOptions& entries = section.section("partitions");
  entries.names_only(fmt::format("a partition of {}", model.name), names_of(model.partitions));
  for (const auto& partition : model.partitions) {
    read.rates[read.count++] = read_rate(entries.section(partition.name));
  }
  for (std::size_t i = 0; i < read.count; ++i) {
    if (read.minor_steps() % read.rates[i].ratio == 0) continue;
    entries.section(model.partitions[i].name)
        .mismatch("ratio", fmt::format("a divisor of the largest, {}", read.minor_steps()));
  }
  read.interface = section.choice("interface", {"hold", "extrapolate"}, model::Interface::hold);
  return read;
}

void refuse_partitions(YamlOptions& section) {
  for (const std::string_view key : {"partitions", "interface"}) {
    if (section.has(key)) section.reject(key, "is for \"method: multirate\" only; leave it out");
  }
}

// What each of several models says for itself, and what is for one model alone.
void refuse_of_several(YamlOptions& section) {
  for (const std::string_view key : {"method", "partitions", "interface"}) {
    if (!section.has(key)) continue;
    section.reject(key, fmt::format("found beside `models`, each of which has its own: "
                                    "models.NAME.integrator.{}",
                                    key));
  }
  for (const std::string_view key : {"anytime", "intermediate_outputs", "dense_outputs"}) {
    if (section.has(key)) section.reject(key, "is for one model; leave it out beside `models`");
  }
}

/// "a, b, c": the methods that fit, at most so many.
template <class Fits>
std::string methods_that(Fits fits, std::size_t most = SIZE_MAX) {
  std::vector<std::string_view> names;
  for (const auto* method : numerics::catalogue()) {
    if (fits(*method) && names.size() < most) names.push_back(method->name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

Sampling read_sampling(YamlOptions& section, const numerics::Method& method) {
  const auto sampling = static_cast<Sampling>(section.choice("sampling", samplings, 0));
  if (sampling == Sampling::stage && !method.real_time()) {
    section.mismatch(
        "sampling", "\"extrapolate\" or \"frame\"",
        fmt::format("{} needs an input from the future; \"stage\" takes a method "
                    "that does not, such as {}",
                    method.name,
                    methods_that([](const auto& other) { return other.real_time(); }, 3)));
  }
  if (sampling == Sampling::behind && method.lag() == 0) {
    section.mismatch("sampling", "\"stage\"",
                     fmt::format("{} needs no input from the future, and may run in step with real "
                                 "time",
                                 method.name));
  }
  return sampling;
}

std::optional<int> read_extrapolation(YamlOptions& section) {
  if (!section.has("extrapolation")) return {};
  return static_cast<int>(section.choice("extrapolation", extrapolations));
}

bool read_anytime(YamlOptions& section, const numerics::Method& method) {
  const bool wanted = section.boolean("anytime", false);
  if (wanted && method.anytime == nullptr) {
    const auto able = methods_that([](const auto& other) { return other.anytime != nullptr; });
    section.mismatch("anytime", "false",
                     fmt::format("no single-pass method shares the history of {}; those with one "
                                 "are {}",
                                 method.name, able));
  }
  return wanted;
}

bool read_intermediate(YamlOptions& section, Sampling sampling) {
  const bool wanted = section.boolean("intermediate_outputs", false);
  if (wanted && sampling != Sampling::stage) {
    section.mismatch("intermediate_outputs", "false",
                     "they are put out in the device calls within a step, which only \"sampling: "
                     "stage\" makes");
  }
  return wanted;
}

// Parts of a step; what follows from them is in hild check.
std::vector<double> read_dense(YamlOptions& section, const numerics::Method& method,
                               const exec::Settings& read) {
  constexpr std::size_t most = 16;
  if (!section.has("dense_outputs")) return {};
  std::vector<double> thetas = section.numbers("dense_outputs", "1");
  if (method.dense.order == 0) {
    const auto able = methods_that([](const auto& other) { return other.dense.order > 0; });
    section.reject("dense_outputs", fmt::format("{} has no dense result, which gives outputs "
                                                "between the ticks; leave it out, or take {}",
                                                method.name, able));
  }
  if (read.sampling == Sampling::behind || read.outputs == OutputTime::early) {
    section.reject("dense_outputs",
                   "found outputs between the ticks, expected none under \"sampling: behind\" or "
                   "\"outputs: early\"");
  }
  double before = 0;
  for (const double theta : thetas) {
    if (!(theta > before && theta < 1) || thetas.size() > most) {
      section.mismatch("dense_outputs",
                       fmt::format("at most {} parts of a step between 0 and 1, ascending", most));
    }
    before = theta;
  }
  return thetas;
}

}  // namespace

MethodChoice read_method(YamlOptions& integrator, const Model& model) {
  if (!model.advances) {
    refuse_partitions(integrator);
    const numerics::Method& usual = *numerics::find_method("forward-euler");
    if (integrator.has("method") && find_method(integrator).name != usual.name) {
      integrator.reject("method", fmt::format("found beside a {}, which has nothing to integrate; "
                                              "leave it out",
                                              model.type));
    }
    return {usual, {}};
  }
  if (integrator.text("method") != "multirate") {
    refuse_partitions(integrator);
    const numerics::Method& method = find_method(integrator);
    if (method.implicit() && model::beyond_dense(model.description)) {
      integrator.reject(
          "method",
          fmt::format("found {}, which solves for the {} states of {} at once, and nothing "
                      "is said of where their Jacobian is zero: expected at most {} such "
                      "states; say where by `structure`, of an FMU by the `dependencies` "
                      "of its ModelStructure, or take an explicit method",
                      method.name, model.description.states.size(), model.type, model::most_dense));
    }
    return {method, {}};
  }
  const model::Multirate rates = read_multirate(integrator, model.description);
  return {rates.method(), rates};
}

void read_integrator(YamlOptions& root, Config& config) {
  const bool optional = config.coupled || !config.model.advances;
  YamlOptions& section = optional ? root.map("integrator") : root.section("integrator");
  numerics::Method method;
  if (config.coupled) {
    refuse_of_several(section);
    method = config.coupled->composition->method();
  } else {
    const MethodChoice choice = read_method(section, config.model);
    method = choice.method;
    config.method = method.name;
    config.multirate = choice.multirate;
  }
  exec::Settings& read = config.settings;
  read.sampling = read_sampling(section, method);
  read.extrapolation = read_extrapolation(section);
  const int degree = std::max(method.order - 1, read.extrapolation_under(read.sampling));
  read.images_before = std::min(degree, static_cast<int>(io::ImageHistory::depth) - 1);
  read.samples = section.choice("samples", {"true-time", "as-taken"}, read.samples);
  if (read.sampling == Sampling::behind) read.lag = part(read.grid.period(), method.lag());
  read.outputs = section.choice("outputs", {"at-tick", "early"}, read.outputs);
  if (!config.coupled) {
    read.anytime = read_anytime(section, method);
    read.intermediate_outputs = read_intermediate(section, read.sampling);
    read.dense_outputs = read_dense(section, method, read);
  }
  read.max_events = static_cast<int>(section.integer("max_events", 1, 100, read.max_events));
}

}  // namespace hild::config
