// SPDX-License-Identifier: Apache-2.0
/// `hild replay`: a recorded run again, through the same loop, compared with the record.
#include <fmt/format.h>

#include "cli/main/log_progress.hpp"
#include "cli/main/replay_run.hpp"
#include "cli/main/replay_system.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"
#include "offline/replay/log_source.hpp"

namespace hild::commands {
namespace {

ExitCode compare_with_reference(const ReplayArguments& a) {
  const auto recording = needed(replay::LogSource::open(a.log));
  if (recording->mid_run()) {
    throw Error{fmt::format(
        "{}: it begins in mid-run, and a reference solution begins with the run; replay it without "
        "--reference",
        a.log)};
  }
  LogProgress progress("integrating");
  ReferenceArguments against = a.against;
  against.as_json = a.as_json;
  const plan::Assembly assembly =
      plan::assemble(needed(config_of(recording->head().description, a)));
  const ExitCode code = replay_reference(assembly, *recording, against, std::ref(progress));
  if (const std::string damage = recording->problem(); !damage.empty()) {
    cli::tell("hild: warning: {}: {}\n", a.log, damage);
  }
  return code;
}

void check_branch(const ReplayArguments& a) {
  const BranchArguments& b = a.branch;
  if (!a.branches()) {
    const std::pair<std::string_view, bool> given[] = {{"--duration", !b.duration.empty()},
                                                       {"--change", !b.changes.empty()},
                                                       {"--record", !b.record.empty()},
                                                       {"--plot", !b.plot.empty()}};
    for (const auto& [option, is] : given) {
      if (is) throw Error{fmt::format("{} is of a branch: expected --at TIME with it", option)};
    }
    return;
  }
  if (!a.config.empty() || a.reference || !a.range.from.empty() || !a.range.to.empty()) {
    throw Error{
        "--at, with --config, --reference, --from or --to: expected none of these; a branch has "
        "the recorded configuration, and --duration says how long it is"};
  }
}

ExitCode replay_log(const ReplayArguments& given) {
  if (given.join) {
    if (given.branches()) throw Error{"--join, with --at: expected one of them"};
    return replay_together(given);
  }
  if (given.logs.size() > 1) {
    throw Error{fmt::format(
        "found {} recordings, expected one; `--join` replays those of several nodes together",
        given.logs.size())};
  }
  check_branch(given);
  ReplayArguments a = given;
  a.log = a.logs.front();
  if (a.reference) return compare_with_reference(a);
  const Played played = play_from(a, part_of(a));
  const ReplayAnswer& answer = played.answer;
  const model::Description& model = played.assembly.config.model.description;
  cli::print_text(a.as_json ? report::pretty(to_json(answer, model)) : to_text(answer, model));
  return answer.well() ? ExitCode::done : ExitCode::fault;
}

}  // namespace

void add_replay(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "replay", "run a recording again, and find the first difference", replay_log);
  command.add_option("LOG", a.logs, "recording (MCAP) with every frame; with --join several")
      ->required();
  command.add_flag("--join", a.join,
                   "those of several nodes of a system: each again, and whether each has received "
                   "what the others sent; the first difference of all");
  add_option(command, "--config", a.config, "FILE",
             "under this configuration instead of the recorded one: what would it have done");
  add_option(command, "--node", a.node, "NAME", "of several nodes of that configuration");
  add_repeated(command, "--set", a.settings, "KEY=VALUE",
               "replace one value of the configuration; with --at PARAMETER=VALUE, a parameter of "
               "the model from then on");
  add_option(command, "--at", a.branch.at, "TIME",
             "go on from this simulated time as a branch: with the inputs, the timing and the "
             "changes that were recorded, and with changes of its own");
  add_option(command, "--duration", a.branch.duration, "TIME",
             "of the branch (default: to the end of the recording)");
  add_repeated(command, "--change", a.branch.changes, "JSON",
               "a change at the start of the branch, as an entry of `transaction` (docs: control): "
               "{\"override\": {...}}, {\"stimulate\": {...}}");
  add_option(command, "--record", a.branch.record, "FILE.mcap", "record the branch");
  add_option(command, "--plot", a.branch.plot, "FILE.svg",
             "draw the signals that differ, of the recorded run and of the branch");
  add_option(command, "--tolerance", a.tolerance, "FRACTION",
             "values this close count as the same (default: every bit counts, or 1e-9 where "
             "the binary, a model's file, the kind of CPU or the configuration is another)")
      .check(CLI::NonNegativeNumber);
  auto& from =
      add_option(command, "--from", a.range.from, "TIME",
                 "compare from this simulated time on; begins at the last keyframe before");
  auto& to = add_option(command, "--to", a.range.to, "TIME", "and up to this one");
  command
      .add_flag("--reference", a.reference,
                "integrate the recorded inputs with error control, and tell what the run's "
                "error is due to: overruns, lateness, sampling, events, method")
      ->excludes(&from, &to);
  command.add_option("--rtol", a.against.tolerance.relative, "relative tolerance of a step of it")
      ->capture_default_str();
  command
      .add_option("--atol", a.against.tolerance.absolute,
                  "absolute tolerance, times the nominal value of each state")
      ->capture_default_str();
  command.add_flag("--json", a.as_json, "for programs");
  command.footer(
      "Exit code 0: all of it is the same, or a branch with changes came to its end. 2: it "
      "differs, "
      "or could not all be replayed.");
}

}  // namespace hild::commands
