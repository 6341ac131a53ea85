// SPDX-License-Identifier: Apache-2.0
/// `hild advise`: the window of the step size for every method, and what to take.
#include <unistd.h>

#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/report/advice.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"
#include "core/doc_page.hpp"

namespace hild::commands {
namespace {

struct AdviseArguments {
  ConfigArguments config;
  std::string duration;
  double accuracy = 1e-3;
  double bandwidth = 0;
  bool as_json = false;
};

Result<advise::Wishes> wishes_of(const AdviseArguments& arguments) {
  advise::Wishes wishes{.accuracy = arguments.accuracy};
  if (arguments.bandwidth > 0) wishes.bandwidth_hz = arguments.bandwidth;
  if (arguments.duration.empty()) return wishes;
  const auto duration = parse_time("--duration", arguments.duration);
  if (!duration) return tl::make_unexpected(duration.error());
  wishes.duration = *duration;
  return wishes;
}

// Its devices live on a virtual clock, so it has an assembly of its own.
Result<advise::Trajectory> follow(const AdviseArguments& arguments, const advise::Wishes& wishes) {
  auto config = load(arguments.config);
  if (!config) return tl::make_unexpected(config.error());
  if (config->coupled) {
    return fail(
        "{}: advice is for one model, whose modes bound its step; write each of `models` into a "
        "configuration of its own, with `inputs: {{NAME: {{value: ...}}}}` for what is "
        "connected, and ask there",
        config->file);
  }
  plan::Assembly assembly = plan::assemble(std::move(*config));
  const Duration usual = advise::usual_duration(assembly.config.settings.grid.period());
  return advise::follow(assembly, wishes.duration.value_or(usual));
}

Result<std::vector<plan::Measured>> measure_models(plan::Assembly& assembly,
                                                   std::span<const advise::Job> jobs,
                                                   rt::Warnings& warnings) {
  const auto clock = make_clock(assembly.config.frame);
  if (!clock) return tl::make_unexpected(clock.error());
  assembly.bus->observe();  // it reads only, be it beside a run
  const auto opened = assembly.bus->open(**clock);
  if (!opened) warnings.push_back({opened.error().message + "; device calls are not measured"});
  const Descriptor latency_hold = rt::hold_cpu_latency(warnings);
  std::vector<plan::Measured> costs;
  auto thread = rt::Thread::start(thread_options(assembly.config.frame), warnings, [&] {
    costs = advise::measure(jobs, opened ? assembly.bus.get() : nullptr, **clock,
                            assembly.config.settings.grid.period());
  });
  if (!thread) return tl::make_unexpected(thread.error());
  thread->join();
  if (opened && assembly.bus->failed() >= 0) return tl::make_unexpected(assembly.bus->failure());
  return costs;
}

Result<advise::Advice> make_advice(const AdviseArguments& arguments) {
  const auto wishes = wishes_of(arguments);
  if (!wishes) return tl::make_unexpected(wishes.error());
  auto trajectory = follow(arguments, *wishes);
  if (!trajectory) return tl::make_unexpected(trajectory.error());
  auto config = load(arguments.config);
  if (!config) return tl::make_unexpected(config.error());
  plan::Assembly assembly = plan::assemble(std::move(*config));

  advise::StepSizeAnalysis known = advise::look_ahead(assembly, std::move(*trajectory), *wishes);
  const auto jobs = advise::jobs(assembly, known, wishes->accuracy);
  rt::Warnings warnings;
  const auto costs = measure_models(assembly, jobs, warnings);
  if (!costs) return tl::make_unexpected(costs.error());
  advise::Advice advice = advise::advise(assembly, std::move(known), *costs, *wishes);
  for (const auto& w : warnings) advice.notes.push_back(w.message);
  return advice;
}

ExitCode advise_command(const AdviseArguments& arguments) {
  const auto advice = make_advice(arguments);
  if (!advice) return complain(advice.error());
  cli::print_text(arguments.as_json
                      ? report::pretty(report::advice_json(*advice))
                      : report::advice_text(*advice, report::style_for(STDOUT_FILENO)));
  return advice->in_window() || advice->chosen ? ExitCode::done : ExitCode::usage;
}

}  // namespace

void add_advise(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "advise", "which steps and methods suit the model and this machine: a window for each");
  const auto arguments = std::make_shared<AdviseArguments>();
  add_config_arguments(*command, arguments->config);
  command
      ->add_option("--accuracy", arguments->accuracy,
                   "largest fractional error of modes, of the response to inputs, and of sampled "
                   "inputs (0.001)")
      ->check(CLI::Range(1e-12, 1.0))
      ->type_name("FRACTION");
  command
      ->add_option("--bandwidth", arguments->bandwidth,
                   "frequency up to which modes and inputs matter (that of the signals)")
      ->check(CLI::PositiveNumber)
      ->type_name("HZ");
  command
      ->add_option("--duration", arguments->duration,
                   "simulated time the model is followed for (1 s or 1000 frames)")
      ->type_name("S");
  command->add_flag("--json", arguments->as_json, "for programs");
  command->footer(
      "Exit code 0: the configured method and step are in their window, or others are "
      "recommended.\n"
      "1: nothing fits, or the configuration is wrong. More: " +
      doc_page("advise"));
  command->callback([=, &exit_code] { exit_code = advise_command(*arguments); });
}

}  // namespace hild::commands
