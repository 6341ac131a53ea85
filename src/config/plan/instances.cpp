// SPDX-License-Identifier: Apache-2.0
#include "config/plan/instances.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/json/value_from.hpp>
#include <memory>

#include "config/plan/assembly.hpp"
#include "config/plan/background.hpp"
#include "config/plan/placement.hpp"
#include "foreign/examine/side_by_side.hpp"

namespace hild::plan {
namespace {

using Instances = std::vector<const config::Part*>;

// Where nothing is distributed, models without a CPU are on that of the frame thread.
bool apart(const config::Frame& frame, const config::Part& a, const config::Part& b) {
  const auto cpu = [&](const config::Part& part) {
    return part.cpu < 0 && frame.workers.empty() ? frame.cpu : part.cpu;
  };
  return cpu(a) != cpu(b) || a.rate.background || b.rate.background;
}

// All instances of each FMU of which some are apart.
std::vector<Instances> instances_apart(const config::Config& config) {
  std::vector<Instances> all;
  for (const auto& part : config.coupled->parts) {
    if (!of_one_fmu(part->model, part->model)) continue;
    const auto same = std::ranges::find_if(
        all, [&](const Instances& those) { return of_one_fmu(those.front()->model, part->model); });
    (same != all.end() ? *same : all.emplace_back()).push_back(part.get());
  }
  std::erase_if(all, [&](const Instances& those) {
    return std::ranges::none_of(those.begin() + 1, those.end(), [&](const config::Part* part) {
      return apart(config.frame, *those.front(), *part);
    });
  });
  return all;
}

// Where a run has its threads: a service may be kept from these until it asks for them.
std::vector<int> cpus_of_run(const config::Config& config) {
  std::vector<int> cpus = worker_cpus(config);
  const auto add = [&](int cpu) {
    if (cpu >= 0 && std::ranges::find(cpus, cpu) == cpus.end()) cpus.push_back(cpu);
  };
  add(config.frame.cpu);
  for (const BackgroundPlan& one : background_steps(config)) add(one.cpu);
  return cpus;
}

Result<TriedInstances> try_together(const config::Config& config, const Instances& those) {
  TriedInstances tried{those.front()->model.file, {}};
  std::vector<std::unique_ptr<model::Stepper>> steppers;
  std::vector<examine::Instance> instances;
  for (const config::Part* part : those) {
    tried.models.push_back(part->name);
    steppers.push_back(plant_here(*part));
    const Duration frame = config.settings.grid.period();
    instances.push_back(
        {*steppers.back(), Duration{frame.ns * part->rate.every / part->rate.substeps}});
  }
  const auto side_by_side = examine::run_side_by_side(instances, {.cpus = cpus_of_run(config)});
  if (!side_by_side) {
    return fail(
        "{}: models {}, instances of {} on different threads, could not be tried side by side on "
        "this machine: {}. Let it have more CPUs or less other work, or give them the same `cpu` "
        "and no `every` beside it, or `process: own`",
        config.file, fmt::join(tried.models, ", "), tried.file, side_by_side.error().message);
  }
  if (!side_by_side->fault.empty()) {
    return fail(
        "{}: models {}, instances of {} on different threads, {}; expected a code that bears to be "
        "called on several threads at once. Give them the same `cpu` and no `every` beside it, or "
        "`process: own`",
        config.file, fmt::join(tried.models, ", "), tried.file, side_by_side->fault);
  }
  tried.steps = side_by_side->met;
  return tried;
}

}  // namespace

bool of_one_fmu(const config::Model& a, const config::Model& b) {
  return a.fmu && b.fmu && !a.contained && !b.contained && a.file == b.file;
}

Result<std::vector<TriedInstances>> try_instances(const config::Config& config) {
  std::vector<TriedInstances> all;
  if (!config.coupled) return all;
  for (const Instances& those : instances_apart(config)) {
    auto tried = try_together(config, those);
    if (!tried) return tl::unexpected(tried.error());
    all.push_back(std::move(*tried));
  }
  return all;
}

std::string words(const TriedInstances& tried) {
  const int few = examine::SideBySideOptions{}.steps / 20;
  return fmt::format(
      "{} of {}: on threads of their own they give what each gives alone ({} steps taken at the "
      "same time{})",
      fmt::join(tried.models, ", "), tried.file, tried.steps,
      tried.steps < few ? ", which tells little: this machine hardly let them" : "");
}

boost::json::object to_json(const TriedInstances& tried) {
  return {{"file", tried.file},
          {"models", boost::json::value_from(tried.models)},
          {"steps", tried.steps}};
}

}  // namespace hild::plan
