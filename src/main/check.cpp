// SPDX-License-Identifier: Apache-2.0
/// `hild check`: validates a configuration, examines its model, prints its plan.
#include <fmt/format.h>

#include <memory>

#include "main/commands.hpp"
#include "main/heap_calls.hpp"
#include "main/rehearse.hpp"
#include "plan/model_verdict.hpp"

namespace hild::commands {
namespace {

ExitCode check(const ConfigArguments& arguments, bool as_json) {
  auto config = load(arguments);
  if (!config) return complain(config.error());
  plan::Assembly assembly = plan::assemble(std::move(*config));

  // First, while there is one thread and no device: the model gets a process of its own.
  const auto plant = assembly.plant_here();
  const auto examined = examine::examine(
      *plant, {.frame = assembly.config.settings.grid.period(), .heap_calls = heap_calls()});
  if (!examined) return complain(examined.error());
  if (examined->end != examine::End::done) {
    return complain({fmt::format("{}: model {}: {}", assembly.config.file,
                                 assembly.config.model.type, examine::refusal(*examined))});
  }

  const auto clock = make_clock(assembly.config.frame);
  if (!clock) return complain(clock.error());
  rt::Warnings warnings;
  // Without the hardware the configuration can still be checked; its calls cannot be timed.
  const auto opened = assembly.bus->open(**clock);
  if (!opened) {
    warnings.push_back({opened.error().message + "; device calls are not measured"});
  }
  const rt::CpuLatencyHold latency_hold(warnings);
  const auto measured = rehearse(assembly, **clock, opened.has_value(), warnings);
  if (!measured) return complain(measured.error());

  plan::Plan plan = plan::make_plan(assembly, *measured, plan::this_machine());
  plan::judge_model(plan, *examined);
  for (const auto& w : warnings) plan.warnings.push_back(w.message);
  fmt::print("{}", as_json ? plan::to_json(plan) : plan::to_text(plan));
  return plan.refusal ? ExitCode::usage : ExitCode::done;
}

}  // namespace

void add_check(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "check", "validate a configuration; print the plan: passes, releases, budget, feasibility");
  const auto arguments = std::make_shared<ConfigArguments>();
  const auto as_json = std::make_shared<bool>(false);
  add_config_arguments(*command, *arguments);
  command->add_flag("--json", *as_json, "for programs");
  command->callback([=, &exit_code] { exit_code = check(*arguments, *as_json); });
}

}  // namespace hild::commands
