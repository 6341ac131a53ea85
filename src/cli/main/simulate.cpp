// SPDX-License-Identifier: Apache-2.0
/// `hild simulate`: the configured model under an adaptive, error-controlled method, offline.
#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/configured_inputs.hpp"
#include "cli/main/interrupted.hpp"
#include "cli/main/simulate_summary.hpp"
#include "cli/main/simulate_watch.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"
#include "foreign/contain/process.hpp"
#include "hild/core/units.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::commands {
namespace {

struct SimulateArguments {
  ConfigArguments config;
  std::vector<std::string> inputs;
  std::string duration, interval, first_step, smallest_step, largest_step;
  std::string output;
  std::string method = "jack";
  reference::AdaptiveOptions options;
  bool as_json = false;
};

Result<double> parse_step(std::string_view option, const std::string& text) {
  if (text.empty()) return 0.0;
  const auto split = split_quantity(text);
  if (!split) return fail("{} {}: expected seconds, or a time such as `10 us`", option, text);
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) return fail("{} {}: {}", option, text, value.error().message);
  return *value;
}

Result<reference::SimulationRun> plan_run(const SimulateArguments& a,
                                          const config::Config& config) {
  const auto duration = parse_time("--duration", a.duration);
  if (!duration) return tl::make_unexpected(duration.error());
  reference::SimulationRun run{*duration, config.settings.grid, a.options};
  if (a.method == "ode-45") run.options.formula = reference::FormulaKind::ode45;
  if (!a.interval.empty()) {
    const auto interval = parse_time("--interval", a.interval);
    if (!interval) return tl::make_unexpected(interval.error());
    if (!Grid::valid(interval->ns, 1)) return fail("--interval {}: at least 1 ns", a.interval);
    run.rows = Grid::of_period(*interval);
  }
  for (const auto& [option, text, step] :
       {std::tuple{"--first-step", &a.first_step, &run.options.first_step},
        std::tuple{"--min-step", &a.smallest_step, &run.options.smallest_step},
        std::tuple{"--max-step", &a.largest_step, &run.options.largest_step}}) {
    const auto value = parse_step(option, *text);
    if (!value) return tl::make_unexpected(value.error());
    *step = *value;
  }
  if (auto good = reference::check(run.options); !good) return tl::make_unexpected(good.error());
  return run;
}

void print_summary(const Simulated& s, const Watch& watch, bool as_json) {
  if (as_json) {
    cli::print_text(report::pretty(to_json(s, watch)));
  } else {
    const std::string text = to_text(s, watch);
    s.output.empty() ? cli::tell_text(text) : static_cast<void>(cli::print_text(text));
  }
}

ExitCode simulate(const SimulateArguments& arguments) {
  if (arguments.as_json && arguments.output.empty()) {
    return complain(
        {"--json needs --output FILE: the rows and the summary would both go to "
         "standard output"});
  }
  const auto config = load(arguments.config);
  if (!config) return complain(config.error());
  const auto run = plan_run(arguments, *config);
  if (!run) return complain(run.error());
  const auto inputs = ConfiguredInputs::make(*config, arguments.inputs);
  if (!inputs) return complain(inputs.error());
  const auto made = plan::reference_system(*config);
  if (!made) return complain(made.error());
  model::System& system = **made;
  auto rows = TextFile::create(arguments.output);
  if (!rows) return complain(rows.error());

  const Interrupted interrupted;
  Watch watch(system.description(), *rows, run->duration);
  Simulated outcome{*config, *run, arguments.output};
  auto ended = reference::simulate(system, *inputs, *run, watch, outcome.summary);
  const model::CapCounts* const cut = system.cap_counts();
  if (ended && cut != nullptr && cut->late_answers > 0) {
    const std::string why = contain::endings();
    ended = fail(ExitCode::fault, "its model's process did not answer{}{}", why.empty() ? "" : ": ",
                 why);
  }
  if (auto closed = rows->close(); !closed && ended) ended = closed;
  watch.end_progress();
  if (!ended) outcome.failure = ended.error().message;
  outcome.interrupted = Interrupted::raised() || rows->reader_left();
  print_summary(outcome, watch, arguments.as_json);
  return ended ? ExitCode::done : complain(ended.error());
}

void add_steps(CLI::App& command, SimulateArguments& a) {
  const auto time = [&](const char* name, std::string& place, const char* words) {
    command.add_option(name, place, words)->type_name("TIME");
  };
  time("--first-step", a.first_step, "try this step first (estimated when absent)");
  time("--min-step", a.smallest_step, "fail where the error wants a shorter step");
  time("--max-step", a.largest_step, "take no longer step");
  command
      .add_option("--max-steps", a.options.max_steps,
                  "fail after this many steps, accepted and rejected")
      ->capture_default_str();
}

}  // namespace

void add_simulate(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "simulate", "reference run offline: adaptive steps, error under control, rows as CSV");
  const auto a = std::make_shared<SimulateArguments>();
  add_config_arguments(*command, a->config);
  command->add_option("--duration", a->duration, "simulated time, in seconds or as `500 ms`")
      ->type_name("S")
      ->required();
  command
      ->add_option("--method", a->method,
                   "jack: step-doubling Runge-Kutta; ode-45: Huang's embedded pair")
      ->check(CLI::IsMember({"jack", "ode-45"}))
      ->capture_default_str();
  command->add_option("--rtol", a->options.tolerance.relative, "relative tolerance of a step")
      ->capture_default_str();
  command
      ->add_option("--atol", a->options.tolerance.absolute,
                   "absolute tolerance of a step, in the unit of each state")
      ->capture_default_str();
  command->add_option("--interval", a->interval, "time between rows (the frame when absent)")
      ->type_name("TIME");
  command->add_option("--output", a->output, "write the rows there, not to standard output")
      ->type_name("FILE");
  command
      ->add_option("--input", a->inputs, "hold an input at a value, in its unit (may be repeated)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_steps(*command, *a);
  command->add_flag("--json", a->as_json, "the summary for programs, on standard output");
  command->callback([=, &exit_code] { exit_code = simulate(*a); });
}

}  // namespace hild::commands
