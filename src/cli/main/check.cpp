// SPDX-License-Identifier: Apache-2.0
/// `hild check`: validates a configuration, examines its model, prints its plan.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/main/commands.hpp"
#include "cli/main/heap_calls.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/main/service.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/model_verdict.hpp"
#include "config/plan/ways.hpp"
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

// What a frame costs, with the device calls where the devices are there.
Result<plan::Measured> measure_whole(plan::Assembly& assembly, rt::Warnings& warnings) {
  const auto clock = make_clock(assembly.config.frame);
  if (!clock) return tl::make_unexpected(clock.error());
  // Without the hardware the configuration can still be checked; its calls cannot be timed.
  assembly.bus->observe();  // it reads only, be it beside a run
  const auto opened = assembly.bus->open(**clock);
  if (!opened) {
    warnings.push_back({opened.error().message + "; device calls are not measured"});
  }
  const Descriptor latency_hold = rt::hold_cpu_latency(warnings);
  return rehearse(assembly, **clock, opened.has_value(), warnings);
}

examine::ExaminationOptions options_for(Duration frame) {
  return {.frame = frame, .heap_calls = heap_calls(), .messages = &fmu::Messages::added_here};
}

// Error: it ends the process, or does not return, and so would a run.
Result<examine::Examination> judge_end(Result<examine::Examination> seen, const std::string& name,
                                       const std::string& file) {
  if (seen && seen->end != examine::End::done) {
    return fail("{}: {}: {}", file, name, examine::refusal(*seen));
  }
  return seen;
}

// One that is not trusted where it will run: in a process of its own, from the first call.
Result<examine::Examination> examine_elsewhere(const config::Model& model, const contain::Way& way,
                                               Duration frame) {
  return contain::examined(*model.source, way, model.parameters, model.initial, options_for(frame));
}

Result<std::vector<plan::ExaminedPart>> examine_parts(const plan::Assembly& assembly) {
  std::vector<plan::ExaminedPart> all;
  if (!assembly.config.coupled) return all;
  for (const auto& part : assembly.config.coupled->parts) {
    const Duration frame = assembly.config.settings.grid.period();
    const Duration step{frame.ns * part->rate.every / part->rate.substeps};
    auto seen = part->model.source ? examine_elsewhere(part->model, plan::way_of(*part), step)
                                   : examine::examine(*plan::plant_here(*part), options_for(step));
    seen = judge_end(std::move(seen), "models." + part->name, assembly.config.file);
    if (!seen) return tl::make_unexpected(seen.error());
    all.push_back({part->name, *seen});
  }
  return all;
}

// The whole. Of several models of which one is not trusted it is put together of what each does.
Result<examine::Examination> examine_whole(const plan::Assembly& assembly,
                                           const std::vector<plan::ExaminedPart>& parts) {
  const config::Config& config = assembly.config;
  const Duration frame = config.settings.grid.period();
  if (config.model.source) return examine_elsewhere(config.model, plan::way_of(assembly), frame);
  const bool trusted =
      !config.coupled || std::ranges::none_of(config.coupled->parts, [](const auto& part) {
        return part->model.source != nullptr;
      });
  if (trusted) return examine::examine(*assembly.plant_here(), options_for(frame));
  std::vector<examine::Examined> all;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    all.push_back({&parts[i].seen, static_cast<double>(config.coupled->parts[i]->rate.substeps)});
  }
  return examine::together(all);
}

// The way of the model is followed on a virtual clock, by an assembly of its own.
Result<std::vector<plan::Soundness>> judge_step(const CheckArguments& arguments,
                                                const plan::Assembly& assembly) {
  auto config = load(arguments.config);
  if (!config) return tl::make_unexpected(config.error());
  plan::Assembly to_follow = plan::assemble(std::move(*config));
  return advise::soundness_of(assembly, to_follow);
}

ExitCode check(const CheckArguments& arguments) {
  auto config = load(arguments.config);
  if (!config) return complain(config.error());
  if (arguments.service) {
    if (auto trusted = check_sources(*config); !trusted) return complain(trusted.error());
  }
  plan::Assembly assembly = plan::assemble(std::move(*config));

  // First, while there is one thread and no device: the model gets a process of its own, and of
  // several each one too, so that what is found has its name.
  auto parts = examine_parts(assembly);
  if (!parts) return complain(parts.error());
  const auto examined = judge_end(examine_whole(assembly, *parts),
                                  "model " + assembly.config.model.type, assembly.config.file);
  if (!examined) return complain(examined.error());

  rt::Warnings warnings;
  std::optional<plan::Measured> measured;
  if (!arguments.still) {
    auto found = measure_whole(assembly, warnings);
    if (!found) return complain(found.error());
    measured = *found;
  }

  plan::Plan plan = plan::make_plan(assembly, measured, plan::this_machine());
  plan::judge_model(plan, *examined, std::move(*parts));
  auto soundness = judge_step(arguments, assembly);
  if (!soundness) return complain(soundness.error());
  plan.add_soundness(std::move(*soundness));
  for (const auto& w : warnings) plan.warnings.push_back(w.message);
  cli::print_text(arguments.as_json ? plan::to_json(plan) : plan::to_text(plan));
  return plan.refusal ? ExitCode::usage : ExitCode::done;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "check",
      "validate a configuration; print the plan: passes, releases, stability, budget, feasibility");
  const auto arguments = std::make_shared<CheckArguments>();
  add_config_arguments(*command, arguments->config);
  command->add_flag("--json", arguments->as_json, "for programs");
  command->add_flag("--no-measure", arguments->still,
                    "open no device and measure no cost, so as not to disturb a run");
  command->add_flag("--service", arguments->service,
                    "refuse files that others could have written, as a service does");
  command->callback([=, &exit_code] { exit_code = check(*arguments); });
}

}  // namespace hild::commands
