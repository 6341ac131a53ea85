// SPDX-License-Identifier: Apache-2.0
/// `hild check`: validates a configuration, examines its model, prints its plan.
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "cli/doctor/checks.hpp"
#include "cli/main/commands.hpp"
#include "cli/main/heap_calls.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/main/sequences.hpp"
#include "cli/main/service.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/instances.hpp"
#include "config/plan/model_verdict.hpp"
#include "config/plan/system.hpp"
#include "foreign/contain/source.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/fmu/messages.hpp"
#include "offline/advise/soundness.hpp"

namespace hild::commands {
namespace {

struct CheckArguments {
  ConfigArguments config;
  bool as_json = false;
  bool still = false;
  bool service = false;
};

examine::ExaminationOptions options_for(Duration frame) {
  return {.frame = frame, .heap_calls = heap_calls(), .messages = &fmu::Messages::added_here};
}

examine::Examination examine_here(model::Stepper& plant, Duration frame) {
  return needed(examine::examine(plant, options_for(frame)));
}

// One that ends the process, or does not return, would do so in a run.
void refuse_end(const examine::Examination& seen, const std::string& name,
                const config::Config& config) {
  if (seen.end == examine::End::done) return;
  throw Error{fmt::format("{}: {}: {}", config.file, name, examine::refusal(seen))};
}

// One that is not trusted where it will run: in a process of its own, from the first call.
examine::Examination examine_elsewhere(const config::Model& model, const contain::Way& way,
                                       Duration frame) {
  return needed(
      contain::examined(*model.source, way, model.parameters, model.initial, options_for(frame)));
}

std::vector<plan::ExaminedPart> examine_parts(const plan::Assembly& assembly) {
  std::vector<plan::ExaminedPart> all;
  if (!assembly.config.coupled) return all;
  for (const auto& part : assembly.config.coupled->parts) {
    const Duration frame = assembly.config.settings.grid.period();
    const Duration step{frame.ns * part->rate.every / part->rate.substeps};
    all.push_back({part->name, part->model.source
                                   ? examine_elsewhere(part->model, plan::way_of(*part), step)
                                   : examine_here(*plan::plant_here(*part), step)});
    refuse_end(all.back().seen, "models." + part->name, assembly.config);
  }
  return all;
}

// The whole. Of several models of which one is not trusted it is put together of what each does.
examine::Examination examine_whole(const plan::Assembly& assembly,
                                   const std::vector<plan::ExaminedPart>& parts) {
  const config::Config& config = assembly.config;
  const Duration frame = config.settings.grid.period();
  if (config.model.source) return examine_elsewhere(config.model, plan::way_of(assembly), frame);
  const bool trusted =
      !config.coupled || std::ranges::none_of(config.coupled->parts, [](const auto& part) {
        return part->model.source != nullptr;
      });
  if (trusted) return examine_here(*assembly.plant, frame);
  std::vector<examine::Examined> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.push_back({&parts[i].seen, static_cast<double>(config.coupled->parts[i]->rate.substeps)});
  }
  return examine::together(all);
}

// An interrupt delays a model on its CPU as it would a frame.
void warn_of_interrupts(const config::Config& config, rt::Warnings& warnings) {
  for (const int cpu : plan::worker_cpus(config)) {
    const doctor::Machine machine("/", {}, cpu, config.frame.priority);
    const doctor::Finding found = doctor::check_interrupts(machine);
    if (found.verdict != doctor::Verdict::warning) continue;
    warnings.push_back({fmt::format("the worker of CPU {0} shares it with interrupts, {1}; {2}",
                                    cpu, found.found, found.remedy)});
  }
}

// All nodes of a system, and what they expect of one another.
ExitCode check_system(const CheckArguments& arguments, const std::vector<std::string>& names) {
  std::vector<plan::SystemNode> nodes;
  std::vector<std::string> errors;  // what stands outside of the nodes is wrong in each
  for (const std::string& name : names) {
    ConfigArguments one = arguments.config;
    one.node = name;
    auto config = with_sequences_checked(load(one));
    if (config) {
      if (arguments.service) needed(check_sources(*config));
      nodes.push_back({name, std::move(*config)});
    } else if (std::ranges::find(errors, config.error().message) == errors.end()) {
      errors.push_back(config.error().message);
    }
  }
  if (!errors.empty()) throw Error{fmt::format("{}", fmt::join(errors, "\n"))};
  const plan::SystemPlan plan = plan::plan_system(arguments.config.file, nodes);
  cli::print_text(arguments.as_json ? report::pretty(plan::to_json_value(plan))
                                    : plan::to_text(plan));
  return plan.fits() ? ExitCode::done : ExitCode::usage;
}

ExitCode check(const CheckArguments& arguments) {
  if (arguments.config.node.empty()) {
    const auto nodes = nodes_of(arguments.config);
    if (!nodes.empty()) return check_system(arguments, nodes);
  }
  auto config = needed(with_sequences_checked(load(arguments.config)));
  if (arguments.service) needed(check_sources(config));
  plan::Assembly assembly = plan::assemble(std::move(config));

  // First, while there is one thread and no device: the model gets a process of its own, and of
  // several each one too, so that what is found has its name.
  auto parts = examine_parts(assembly);
  const auto examined = examine_whole(assembly, parts);
  refuse_end(examined, "model " + assembly.config.model.type, assembly.config);

  // It keeps CPUs busy, as a measurement does.
  std::vector<plan::TriedInstances> instances;
  if (!arguments.still) instances = needed(plan::try_instances(assembly.config));

  rt::Warnings warnings;
  std::optional<plan::Measured> measured;
  Observed observed;
  std::unique_ptr<plan::Crew> crew;
  if (!arguments.still) {
    observed = observe(assembly, warnings);
    const Descriptor latency_hold = rt::hold_cpu_latency(warnings);
    crew = start_workers(assembly, *observed.clock, warnings);
    warn_of_interrupts(assembly.config, warnings);
    measured = rehearse(assembly, *observed.clock, observed.bus, crew.get(), warnings);
  }

  plan::Plan plan = plan::make_plan(assembly, measured, machine_for(assembly.config.frame));
  plan::judge_model(plan, examined, std::move(parts));
  plan.instances = std::move(instances);
  // The way of the model is followed on a virtual clock, by an assembly of its own.
  plan.add_soundness(advise::soundness_of(
      assembly, [&] { return plan::assemble(needed(load(arguments.config))); }));
  for (const auto& w : warnings) plan.warnings.push_back(w.message);
  cli::print_text(arguments.as_json ? plan::to_json(plan) : plan::to_text(plan));
  return plan.refusal ? ExitCode::usage : ExitCode::done;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "check",
      "validate a configuration; print the plan: passes, releases, stability, budget, feasibility; "
      "of a system of nodes: their links",
      check);
  add_config_arguments(command, a.config);
  command.add_flag("--json", a.as_json, "for programs");
  command.add_flag("--no-measure", a.still,
                   "open no device and measure no cost, so as not to disturb a run");
  command.add_flag("--service", a.service,
                   "refuse files that others could have written, as a service does");
}

}  // namespace hild::commands
