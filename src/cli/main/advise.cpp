// SPDX-License-Identifier: Apache-2.0
/// `hild advise`: the window of the step size for every method, and what to take.
#include <unistd.h>

#include <algorithm>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/main/rehearse.hpp"
#include "cli/report/advice.hpp"
#include "cli/report/cpu_advice.hpp"
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
  bool no_trials = false;
  bool as_json = false;
};

advise::Wishes wishes_of(const AdviseArguments& arguments) {
  advise::Wishes wishes{.accuracy = arguments.accuracy};
  if (arguments.bandwidth > 0) wishes.bandwidth_hz = arguments.bandwidth;
  wishes.trials = !arguments.no_trials;
  wishes.duration = optional_time_of("--duration", arguments.duration);
  return wishes;
}

// Its devices live on a virtual clock, so it has an assembly of its own.
advise::Trajectory follow(const AdviseArguments& arguments, const advise::Wishes& wishes) {
  plan::Assembly assembly = plan::assemble(needed(load(arguments.config)));
  const Duration usual = advise::usual_duration(assembly.config.settings.grid.period());
  return needed(advise::follow(assembly, wishes.duration.value_or(usual)));
}

std::vector<plan::Measured> measure_models(plan::Assembly& assembly,
                                           std::span<const advise::Job> jobs,
                                           rt::Warnings& warnings) {
  const Observed o = observe(assembly, warnings);
  const Descriptor latency_hold = rt::hold_cpu_latency(warnings);
  std::vector<plan::Measured> costs;
  measure(assembly, o.bus, warnings,
          [&] { costs = advise::measure(jobs, o.bus, *o.clock, assembly.config.settings); });
  return costs;
}

advise::Advice make_advice(const AdviseArguments& arguments) {
  const auto wishes = wishes_of(arguments);
  auto trajectory = follow(arguments, wishes);
  plan::Assembly assembly = plan::assemble(needed(load(arguments.config)));

  advise::StepSizeAnalysis known = advise::look_ahead(assembly, std::move(trajectory), wishes);
  const auto jobs = advise::jobs(assembly, known, wishes.accuracy);
  rt::Warnings warnings;
  const auto costs = measure_models(assembly, jobs, warnings);
  LogProgress progress("trying");
  advise::Advice advice =
      advise::advise(assembly, std::move(known), costs, wishes, std::ref(progress));
  for (const auto& w : warnings) advice.notes.push_back(w.message);
  return advice;
}

/// CPUs beside that of the frame thread that this process may use.
std::vector<int> other_cpus(const config::Frame& frame) {
  std::vector<int> all = rt::allowed_cpus();
  const auto own = frame.cpu >= 0 ? std::ranges::find(all, frame.cpu) : all.begin();
  if (own != all.end()) all.erase(own);
  return all;
}

// Of several models: on which CPUs. For steps and methods each is to be asked about by itself.
ExitCode advise_cpus(const AdviseArguments& arguments, config::Config config) {
  plan::Assembly assembly = plan::assemble(std::move(config));
  rt::Warnings warnings;
  const Observed o = observe(assembly, warnings);
  std::vector<Duration> costs;
  measure(assembly, o.bus, warnings, [&] { costs = plan::costs_of_models(assembly, *o.clock); });
  const auto advice =
      advise::advise_cpus(assembly, std::move(costs), other_cpus(assembly.config.frame));
  cli::print_text(arguments.as_json ? report::pretty(report::cpu_advice_json(advice))
                                    : report::cpu_advice_text(advice));
  return ExitCode::done;
}

ExitCode advise_command(const AdviseArguments& arguments) {
  if (auto config = needed(load(arguments.config)); config.coupled) {
    return advise_cpus(arguments, std::move(config));
  }
  const auto advice = make_advice(arguments);
  cli::print_text(arguments.as_json
                      ? report::pretty(report::advice_json(advice))
                      : report::advice_text(advice, report::style_for(STDOUT_FILENO)));
  return advice.in_window() || advice.chosen ? ExitCode::done : ExitCode::usage;
}

}  // namespace

void add_advise(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "advise",
      "which steps and methods suit the model and this machine: a window for each", advise_command);
  add_config_arguments(command, a.config);
  add_option(command, "--accuracy", a.accuracy, "FRACTION",
             "largest fractional error of modes, of the response to inputs, and of sampled "
             "inputs (0.001)")
      .check(CLI::Range(1e-12, 1.0));
  add_option(command, "--bandwidth", a.bandwidth, "HZ",
             "frequency up to which modes and inputs matter (that of the signals)")
      .check(CLI::PositiveNumber);
  add_option(command, "--duration", a.duration, "S",
             "simulated time the model is followed for (1 s or 1000 frames)");
  command.add_flag("--no-trials", a.no_trials,
                   "do not run the model beside the reference at both ends of each window");
  command.add_flag("--json", a.as_json, "for programs");
  command.footer(
      "Exit code 0: the configured method and step are in their window, or others are "
      "recommended. Of several models: which of them to run on which CPU.\n"
      "1: nothing fits, or the configuration is wrong. More: " +
      doc_page("advise"));
}

}  // namespace hild::commands
