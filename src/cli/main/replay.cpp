// SPDX-License-Identifier: Apache-2.0
/// `hild replay`: a recorded run again, through the same loop, compared with the record.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/recordings_together.hpp"
#include "cli/main/replay_answer.hpp"
#include "cli/main/replay_reference.hpp"
#include "cli/report/join.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "offline/replay/log_source.hpp"
#include "offline/replay/rerun.hpp"

namespace hild::commands {
namespace {

struct ReplayArguments {
  std::vector<std::string> logs;
  std::string log;  ///< of these the one that is replayed
  std::string config;
  std::string node;
  std::vector<std::string> settings;
  double tolerance = -1;
  RangeArguments range;
  bool reference = false;
  ReferenceArguments against;
  bool join = false;
  bool as_json = false;

  /// Whether the run is to be as it was.
  [[nodiscard]] bool own_configuration() const { return config.empty() && settings.empty(); }
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
  if (!a.config.empty()) return load({a.config, a.node, a.settings});
  if (!a.node.empty()) return fail("--node {} is of --config", a.node);
  const auto settings = parse_settings(a.settings);
  if (!settings) return tl::make_unexpected(settings.error());
  return config::load_text(d.config, fmt::format("{} (its configuration)", a.log), *settings);
}

// ---- the replay --------------------------------------------------------------------------------

/// What of the recording is replayed, in simulated time.
struct Part {
  std::optional<SimTime> from{};  ///< compared from there on; none: from the start of the run
  std::optional<SimTime> to{};
};

Part part_of(const ReplayArguments& a) {
  const framelog::ReadOptions range = range_of(a.range);
  const auto instant = [](double t) -> std::optional<SimTime> {
    if (!std::isfinite(t)) return std::nullopt;
    constexpr double longest = 1e9;  // some thirty years
    return SimTime{std::llround(1e9 * std::clamp(t, -longest, longest))};
  };
  return {instant(range.from), instant(range.to)};
}

struct Played {
  plan::Assembly assembly;
  ReplayAnswer answer;
};

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

/// Replays a part of the log, beginning at the last keyframe before `from`, or (of none) with the
/// run.
Played play(const ReplayArguments& a, const Part& part, std::optional<SimTime> from) {
  const auto started = std::chrono::steady_clock::now();
  const auto recording = needed(replay::LogSource::open(a.log, {.from = from, .to = part.to}));
  const framelog::Description& description = recording->head().description;
  Played played{plan::assemble(needed(config_of(description, a))), {}};

  ReplayAnswer& answer = played.answer;
  answer.part = part.from || part.to;
  answer.changes = changes_since(description, played.assembly.config, a);
  // Another binary, model or processor may round differently: then no bits are promised.
  answer.tolerance = a.tolerance >= 0 ? a.tolerance : answer.changes.empty() ? 0.0 : 1e-9;
  if (const exec::Keyframe* const keyframe = recording->begins_at()) {
    answer.begins_at = keyframe->head;
    if (recording->passed_over()) answer.begins_earlier = "a later one is damaged";
  } else if (from) {
    answer.begins_with_run = fmt::format("there is no keyframe at {} or before", a.range.from);
  }
  LogProgress progress("replaying");
  replay::RerunOptions options;
  options.tolerance = answer.tolerance;
  options.stop_at_difference = false;
  options.compare_from = part.from.value_or(SimTime{});
  options.compare_keyframes = answer.tolerance == 0 && a.own_configuration();
  options.go_on = [&](std::int64_t) { return progress(recording->progress()); };
  if (part.from) options.on_reached = [&] { answer.reached_s = seconds_since(started); };
  const auto begun = std::chrono::steady_clock::now();
  auto rerun = replay::rerun(played.assembly, *recording, options);
  if (!rerun) throw Error{fmt::format("{}: {}", a.log, rerun.error().message)};
  answer.wall_s = seconds_since(begun);
  answer.sim_s =
      seconds(played.assembly.config.settings.grid.period()) * static_cast<double>(rerun->steps);
  answer.damage = recording->problem();
  answer.closed = recording->closed();
  answer.rerun = std::move(*rerun);
  return played;
}

ExitCode compare_with_reference(const ReplayArguments& a) {
  const auto recording = needed(replay::LogSource::open(a.log));
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

/// Where a keyframe cannot be gone on from, from one before it; else with the run.
Played play_from(const ReplayArguments& a, const Part& part) {
  if (part.from && !a.own_configuration()) {
    Played played = play(a, part, std::nullopt);
    played.answer.begins_with_run = "its keyframes are of the configuration that was recorded";
    return played;
  }
  std::string why;
  for (std::optional<SimTime> from = part.from;;) {
    Played played = play(a, part, from);
    ReplayAnswer& answer = played.answer;
    if (answer.rerun.keyframe_refused.empty()) {
      if (!why.empty()) (answer.begins_at ? answer.begins_earlier : answer.begins_with_run) = why;
      return played;
    }
    if (why.empty()) {
      why = fmt::format("the keyframe of frame {} cannot be gone on from: {}",
                        answer.begins_at->frame, answer.rerun.keyframe_refused);
    }
    from = answer.begins_at->time - Duration{1};
    if (answer.rerun.keyframe_of_another) from.reset();
  }
}

// ---- several nodes -----------------------------------------------------------------------------

/// Where the run of a system is not what it was, or what was received not what was sent.
struct SystemDifference {
  join::TaiTime at;
  std::string words;
};

// Inputs of a replay are what was received. So where each node sends what it sent, and has received
// what was sent, all of them together do what they did.
class SystemReplay {
 public:
  explicit SystemReplay(const ReplayArguments& a) : all_(read_together(a.logs)) {
    for (const std::string& file : a.logs) {
      ReplayArguments one = a;
      one.log = file;
      played_.push_back(play_from(one, {}));
    }
  }

  [[nodiscard]] bool same() const {
    return all_.joined.first_difference() == nullptr &&
           std::ranges::all_of(played_, [](const Played& one) { return one.answer.same(); });
  }
  [[nodiscard]] std::string text(const report::Style& style) const {
    std::string out = report::join_text(all_.joined, "hild replay --join", style);
    for (std::size_t n = 0; n < played_.size(); ++n) {
      out += fmt::format("\n {}\n", all_.nodes[n].name);
      const std::string words = to_text(played_[n].answer, model_of(n));
      for (std::string_view lines = words; !lines.empty();) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        out += fmt::format("   {}\n", lines.substr(0, end));
        lines.remove_prefix(end + 1);
      }
    }
    const auto first = first_difference();
    return out + (first ? fmt::format("\n The first difference of the system, {:.6f} s after the "
                                      "first tick of all: {}\n",
                                      seconds(first->at - all_.joined.zero), first->words)
                  : same() ? "\n All nodes do what they did, together.\n"
                           : "\n Not all of it was replayed.\n");
  }
  [[nodiscard]] boost::json::value json() const {
    boost::json::array nodes;
    for (std::size_t n = 0; n < played_.size(); ++n) {
      nodes.push_back({{"node", all_.nodes[n].name},
                       {"log", all_.nodes[n].file},
                       {"replay", to_json(played_[n].answer, model_of(n))}});
    }
    boost::json::object out{
        {"same", same()}, {"nodes", std::move(nodes)}, {"joined", report::join_json(all_.joined)}};
    const auto first = first_difference();
    out["first_difference"] =
        first ? boost::json::value{{"tai_ns", first->at.ns}, {"what", first->words}} : nullptr;
    return out;
  }

 private:
  [[nodiscard]] const model::Description& model_of(std::size_t n) const {
    return played_[n].assembly.config.model.description;
  }
  [[nodiscard]] std::optional<SystemDifference> first_difference() const {
    std::optional<SystemDifference> first;
    const auto keep = [&](SystemDifference one) {
      if (!first || one.at < first->at) first = std::move(one);
    };
    for (std::size_t n = 0; n < played_.size(); ++n) {
      if (const auto& d = played_[n].answer.rerun.first) {
        keep({all_.nodes[n].instant_of(d->frame),
              fmt::format("{}, {}", all_.nodes[n].name, in_words(*d, model_of(n)))});
      }
    }
    if (const join::Link* const link = all_.joined.first_difference()) {
      keep({link->first->at, fmt::format("{} in frame {} received another value than {} sent",
                                         link->to, link->first->frame, link->from)});
    }
    return first;
  }

  RecordingsTogether all_;
  std::vector<Played> played_;
};

ExitCode replay_together(const ReplayArguments& a) {
  if (!a.own_configuration() || a.reference || !a.range.from.empty() || !a.range.to.empty()) {
    throw Error{
        "--join, with --config, --set, --reference, --from or --to: expected none of these; it "
        "takes all of each recording as it was"};
  }
  const SystemReplay system(a);
  cli::print_text(a.as_json ? report::pretty(system.json())
                            : system.text(report::style_for(STDOUT_FILENO)));
  return system.same() ? ExitCode::done : ExitCode::fault;
}

ExitCode replay_log(const ReplayArguments& given) {
  if (given.join) return replay_together(given);
  if (given.logs.size() > 1) {
    throw Error{fmt::format(
        "found {} recordings, expected one; `--join` replays those of several nodes together",
        given.logs.size())};
  }
  ReplayArguments a = given;
  a.log = a.logs.front();
  if (a.reference) return compare_with_reference(a);
  const Played played = play_from(a, part_of(a));
  const ReplayAnswer& answer = played.answer;
  const model::Description& model = played.assembly.config.model.description;
  cli::print_text(a.as_json ? report::pretty(to_json(answer, model)) : to_text(answer, model));
  return answer.same() ? ExitCode::done : ExitCode::fault;
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
  add_repeated(command, "--set", a.settings, "KEY=VALUE", "replace one value of the configuration");
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
      "Exit code 0: all of it is the same. 2: it differs, or could not all be replayed.");
}

}  // namespace hild::commands
