// SPDX-License-Identifier: Apache-2.0
/// `hild replay`: a recorded run again, through the same loop, compared with the record.
#include <fmt/format.h>

#include <boost/json.hpp>
#include <chrono>
#include <memory>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/replay_reference.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "offline/replay/log_source.hpp"
#include "offline/replay/rerun.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;
using replay::Difference;

struct ReplayArguments {
  std::string log;
  std::string config;
  std::vector<std::string> settings;
  double tolerance = -1;
  bool reference = false;
  ReferenceArguments against;
  bool as_json = false;
};

// ---- what the same bits may be expected of -----------------------------------------------------

/// How this program, machine and configuration differ from those of the record.
std::vector<std::string> changes_since(const framelog::Description& d, const config::Config& config,
                                       const ReplayArguments& a) {
  std::vector<std::string> changes;
  const auto compare = [&](std::string_view what, std::string_view was, std::string_view is) {
    if (was != is) changes.push_back(fmt::format("{} was {}, is {}", what, was, is));
  };
  const mcap::Map build = framelog::this_build(HILD_VERSION);
  const mcap::Map machine = framelog::this_machine();
  for (const std::string_view key : {"version", "compiler", "flags", "binary"}) {
    compare(key, framelog::value_of(d.build, key), framelog::value_of(build, key));
  }
  compare("cpu class", framelog::value_of(d.machine, "cpu_class"),
          framelog::value_of(machine, "cpu_class"));
  // A model that comes from nowhere now is another one, which its configuration tells.
  const mcap::Map files = model_files(config);
  for (const auto& [model, was] : d.models) {
    const std::string_view is = framelog::value_of(files, model);
    if (!is.empty()) compare(fmt::format("the file of model {}", model), was, is);
  }
  if (!a.config.empty()) changes.push_back(fmt::format("the configuration is {}", a.config));
  for (const std::string& setting : a.settings) changes.push_back(fmt::format("--set {}", setting));
  return changes;
}

Result<config::Config> config_of(const framelog::Description& d, const ReplayArguments& a) {
  if (!a.config.empty()) return load({a.config, a.settings});
  const auto settings = parse_settings(a.settings);
  if (!settings) return tl::make_unexpected(settings.error());
  return config::load_text(d.config, fmt::format("{} (its configuration)", a.log), *settings);
}

// ---- the answer --------------------------------------------------------------------------------

std::string name_of(const Difference& d, const model::Description& model) {
  switch (d.of) {
    case Difference::Of::input:
      return fmt::format("pass {}, input {}", d.pass, model.inputs[d.index].name);
    case Difference::Of::state:
      return fmt::format("state {}", model.states[d.index].name);
    case Difference::Of::output:
      return fmt::format("output {}", model.outputs[d.index].name);
    case Difference::Of::step:
      break;
  }
  return std::string(replay::step_facts[d.index]);
}

struct Answer {
  replay::Rerun rerun;
  std::vector<std::string> changes;
  double tolerance = 0;
  double wall_s = 0;
  double sim_s = 0;
  std::string damage;

  [[nodiscard]] bool same() const {
    return !rerun.first && rerun.problem.empty() && damage.empty();
  }
};

std::string to_text(const Answer& a, const model::Description& model) {
  std::string out;
  for (const std::string& change : a.changes) out += fmt::format("since the record: {}\n", change);
  const replay::Rerun& r = a.rerun;
  out += fmt::format("{} steps replayed in {:.2f} s, {:.0f} times real time\n",
                     report::grouped(r.steps), a.wall_s, a.sim_s / a.wall_s);
  const std::string how = a.tolerance > 0 ? fmt::format("within {:g}", a.tolerance) : "to the bit";
  if (r.first) {
    const Difference& d = *r.first;
    out +=
        fmt::format("{} steps differ; the first is step {}, frame {}: {} was {:.17g}, is {:.17g}\n",
                    report::grouped(r.differing_steps), d.step, d.frame, name_of(d, model),
                    d.recorded, d.replayed);
    const auto largest = [&](std::string_view kind, std::string_view name, std::string_view unit,
                             double worst) {
      if (worst > 0) out += fmt::format("  {} {}: up to {:.6g} {}\n", kind, name, worst, unit);
    };
    for (std::size_t i = 0; i < r.worst_states.size(); ++i) {
      largest("state", model.states[i].name, model.states[i].unit, r.worst_states[i]);
    }
    for (std::size_t i = 0; i < r.worst_outputs.size(); ++i) {
      largest("output", model.outputs[i].name, model.outputs[i].unit, r.worst_outputs[i]);
    }
  } else {
    out += fmt::format("every input, state and output{} is the recorded one, {}\n",
                       a.same() ? "" : " of these steps", how);
  }
  for (const std::string& problem : {r.problem, a.damage}) {
    if (!problem.empty()) out += fmt::format("not all of it was replayed: {}\n", problem);
  }
  return out;
}

json::value to_json(const Answer& a, const model::Description& model) {
  const replay::Rerun& r = a.rerun;
  json::object o{{"same", a.same()},
                 {"steps", r.steps},
                 {"differing_steps", r.differing_steps},
                 {"tolerance", a.tolerance},
                 {"times_real_time", a.sim_s / a.wall_s},
                 {"changes", json::array(a.changes.begin(), a.changes.end())},
                 {"problem", r.problem.empty() ? a.damage : r.problem}};
  if (r.first) {
    o["first"] = {{"step", r.first->step},
                  {"frame", r.first->frame},
                  {"signal", name_of(*r.first, model)},
                  {"recorded", r.first->recorded},
                  {"replayed", r.first->replayed}};
  }
  json::object worst;
  for (std::size_t i = 0; i < r.worst_states.size(); ++i) {
    worst[fmt::format("state:{}", model.states[i].name)] = r.worst_states[i];
  }
  for (std::size_t i = 0; i < r.worst_outputs.size(); ++i) {
    worst[fmt::format("output:{}", model.outputs[i].name)] = r.worst_outputs[i];
  }
  o["worst"] = std::move(worst);
  return o;
}

ExitCode replay_log(const ReplayArguments& a) {
  auto recording = replay::LogSource::open(a.log);
  if (!recording) return complain(recording.error());
  auto config = config_of((*recording)->head().description, a);
  if (!config) return complain(config.error());
  const plan::Assembly assembly = plan::assemble(std::move(*config));
  if (a.reference) {
    LogProgress progress("integrating");
    ReferenceArguments against = a.against;
    against.as_json = a.as_json;
    const ExitCode code = replay_reference(assembly, **recording, against, std::ref(progress));
    if (const std::string damage = (*recording)->problem(); !damage.empty()) {
      cli::tell("hild: warning: {}: {}\n", a.log, damage);
    }
    return code;
  }

  Answer answer;
  answer.changes = changes_since((*recording)->head().description, assembly.config, a);
  // Another binary, model or processor may round differently: then no bits are promised.
  answer.tolerance = a.tolerance >= 0 ? a.tolerance : answer.changes.empty() ? 0.0 : 1e-9;
  LogProgress progress("replaying");
  replay::RerunOptions options;
  options.tolerance = answer.tolerance;
  options.stop_at_difference = false;
  options.go_on = [&](std::int64_t) { return progress((*recording)->progress()); };
  const auto begun = std::chrono::steady_clock::now();
  auto rerun = replay::rerun(assembly, **recording, options);
  if (!rerun) return complain({fmt::format("{}: {}", a.log, rerun.error().message)});
  answer.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
  answer.sim_s =
      seconds(assembly.config.settings.grid.period()) * static_cast<double>(rerun->steps);
  answer.damage = (*recording)->problem();
  answer.rerun = std::move(*rerun);

  const model::Description& model = assembly.config.model.description;
  cli::print_text(a.as_json ? report::pretty(to_json(answer, model)) : to_text(answer, model));
  return answer.same() ? ExitCode::done : ExitCode::fault;
}

}  // namespace

void add_replay(CLI::App& app, ExitCode& exit_code) {
  auto* command =
      app.add_subcommand("replay", "run a recording again, and find the first difference");
  const auto a = std::make_shared<ReplayArguments>();
  command->add_option("LOG", a->log, "recording (MCAP) with every frame")->required();
  command
      ->add_option("--config", a->config,
                   "under this configuration instead of the recorded one: what would it have done")
      ->type_name("FILE");
  command
      ->add_option("--set", a->settings, "replace one value of the configuration (may be repeated)")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command
      ->add_option("--tolerance", a->tolerance,
                   "values this close count as the same (default: every bit counts, or 1e-9 where "
                   "the binary, a model's file, the kind of CPU or the configuration is another)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("FRACTION");
  command->add_flag("--reference", a->reference,
                    "integrate the recorded inputs with error control, and tell what the run's "
                    "error is due to: overruns, sampling, events, method");
  command->add_option("--rtol", a->against.tolerance.relative, "relative tolerance of a step of it")
      ->capture_default_str();
  command
      ->add_option("--atol", a->against.tolerance.absolute,
                   "absolute tolerance, in the unit of each state")
      ->capture_default_str();
  command->add_flag("--json", a->as_json, "for programs");
  command->footer(
      "Exit code 0: all of it is the same. 2: it differs, or could not all be replayed.");
  command->callback([=, &exit_code] { exit_code = replay_log(*a); });
}

}  // namespace hild::commands
