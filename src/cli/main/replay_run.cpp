// SPDX-License-Identifier: Apache-2.0
#include "cli/main/replay_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <utility>

#include "cli/main/log_progress.hpp"
#include "offline/replay/log_source.hpp"
#include "offline/replay/rerun.hpp"

namespace hild::commands {
namespace {

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
  if (a.branches()) return changes;
  for (const std::string& setting : a.settings) changes.push_back(fmt::format("--set {}", setting));
  return changes;
}

// Nothing was recorded at the time at which a branch was to begin.
Error no_such_time(const ReplayArguments& a, const replay::LogSource& recording,
                   const replay::Rerun& rerun) {
  if (!rerun.problem.empty()) return {fmt::format("{}: {}", a.log, rerun.problem)};
  return {
      fmt::format("--at {}: {} has no frame that starts then or later; its last one starts at "
                  "{:.6f} s",
                  a.branch.at, a.log, seconds(recording.last_time()))};
}

double seconds_since(std::chrono::steady_clock::time_point begun) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void check_mid_run(const ReplayArguments& a, const replay::LogSource& recording) {
  if (!recording.mid_run() || a.own_configuration()) return;
  throw Error{fmt::format(
      "{}: it begins in mid-run, with the state of the configuration that was recorded: replay "
      "it without --config and --set",
      a.log)};
}

/// Whether it begins at a keyframe, or why not where that was asked for.
void tell_begin(const ReplayArguments& a, const replay::LogSource& recording, bool asked,
                ReplayAnswer& answer) {
  if (const exec::Keyframe* const keyframe = recording.begins_at()) {
    answer.begins_at = keyframe->head;
    if (recording.passed_over()) answer.begins_earlier = "a later one is damaged";
  } else if (asked) {
    answer.begins_with_run = fmt::format("there is no keyframe at {} or before",
                                         a.branches() ? a.branch.at : a.range.from);
  }
}

/// Of what was before a branch it has nothing.
void check_branching_off(const ReplayArguments& a, const framelog::Description& description,
                         SimTime at) {
  const auto& of = description.branch;
  if (!of || !of->cut() || at >= of->time) return;
  throw Error{fmt::format("--at {}: {} begins at {:.6f} s; branch off {}, whose branch it is",
                          a.branch.at, a.log, seconds(of->time), of->file)};
}

/// What a branch begins with cannot be passed over for a keyframe before.
void check_begins(const ReplayArguments& a, const framelog::Description& description,
                  const ReplayAnswer& answer) {
  const auto& cut = description.branch;
  if (!cut || !cut->cut() || answer.begins_at->step != cut->begins_at) return;
  throw Error{fmt::format(
      "{}: the keyframe that this branch begins with cannot be gone on from: {}; branch off {} "
      "again",
      a.log, answer.rerun.keyframe_refused, cut->file)};
}

/// Replays a part of the log, beginning at the last keyframe before `from`, or (of none) with the
/// run.
Played play(const ReplayArguments& a, const Part& part, std::optional<SimTime> from) {
  const auto started = std::chrono::steady_clock::now();
  const auto recording = needed(replay::LogSource::open(a.log, {.from = from, .to = part.to}));
  const framelog::Description& description = recording->head().description;
  check_mid_run(a, *recording);
  Played played{plan::assemble(needed(config_of(description, a))), {}};

  ReplayAnswer& answer = played.answer;
  answer.part = part.from || part.to;
  answer.changes = changes_since(description, played.assembly.config, a);
  // Another binary, model or processor may round differently: then no bits are promised.
  answer.tolerance = a.tolerance >= 0 ? a.tolerance : answer.changes.empty() ? 0.0 : 1e-9;
  tell_begin(a, *recording, from.has_value(), answer);
  LogProgress progress("replaying");
  replay::RerunOptions options;
  options.tolerance = answer.tolerance;
  options.stop_at_difference = false;
  options.compare_from = part.from.value_or(SimTime{});
  options.compare_keyframes = answer.tolerance == 0 && a.own_configuration();
  options.go_on = [&](std::int64_t) { return progress(recording->progress()); };
  if (part.from) options.on_reached = [&] { answer.reached_s = seconds_since(started); };
  std::optional<BranchRun> branch;
  if (a.branches()) {
    check_branching_off(a, description, *part.from);
    branch.emplace(a.branch, a.settings, a.log, played.assembly, *recording, *part.from);
    options.branch = &branch->plan();
    options.listener = &*branch;
    // What took effect is part of the state.
    if (!branch->plan().changes.empty()) options.compare_keyframes = false;
  }
  const auto begun = std::chrono::steady_clock::now();
  auto rerun = replay::rerun(played.assembly, *recording, options);
  if (!rerun) throw Error{fmt::format("{}: {}", a.log, rerun.error().message)};
  answer.wall_s = seconds_since(begun);
  answer.sim_s =
      seconds(played.assembly.config.settings.grid.period()) * static_cast<double>(rerun->steps);
  answer.damage = recording->problem();
  answer.closed = recording->closed();
  answer.bytes_read = recording->bytes_read();
  answer.rerun = std::move(*rerun);
  if (!answer.rerun.keyframe_refused.empty()) {
    check_begins(a, description, answer);
    return played;
  }
  if (branch) {
    if (!answer.rerun.branch) throw no_such_time(a, *recording, answer.rerun);
    answer.branch = branch->finish(answer.rerun.images_repeated, answer.rerun.outcome,
                                   !answer.rerun.problem.empty());
  }
  return played;
}

}  // namespace

Result<config::Config> config_of(const framelog::Description& d, const ReplayArguments& a) {
  if (d.branch && d.branch->cut() && !a.own_configuration()) {
    return fail(
        "{}: it is a branch and begins with a state of the configuration that was recorded: try "
        "another one on {}",
        a.log, d.branch->file);
  }
  if (!a.config.empty()) return load({a.config, a.node, a.settings});
  if (!a.node.empty()) return fail("--node {} is of --config", a.node);
  const auto settings = parse_settings(a.branches() ? std::vector<std::string>{} : a.settings);
  if (!settings) return tl::make_unexpected(settings.error());
  return config::load_text(d.config, fmt::format("{} (its configuration)", a.log), *settings);
}

// Up to the last frame that starts within the duration.
Part part_of_branch(const ReplayArguments& a) {
  const double at = seconds_of("--at", a.branch.at, "20 s");
  if (!(at >= 0 && at <= 1e9)) {
    throw Error{fmt::format("--at {}: expected a simulated time, 0 s or later", a.branch.at)};
  }
  Part part{SimTime{std::llround(1e9 * at)}, {}};
  if (const auto duration = optional_time_of("--duration", a.branch.duration)) {
    part.to = *part.from + *duration - Duration{1};
  }
  return part;
}

Part part_of(const ReplayArguments& a) {
  if (a.branches()) return part_of_branch(a);
  const framelog::ReadOptions range = range_of(a.range);
  const auto instant = [](double t) -> std::optional<SimTime> {
    if (!std::isfinite(t)) return std::nullopt;
    constexpr double longest = 1e9;  // some thirty years
    return SimTime{std::llround(1e9 * std::clamp(t, -longest, longest))};
  };
  return {instant(range.from), instant(range.to)};
}

namespace {

// Where a keyframe cannot be gone on from, from one before it; else with the run.
Played play_from_keyframe(const ReplayArguments& a, const Part& part) {
  std::string why;
  std::int64_t refused = -1;
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
    // A recording that begins in mid-run has none before its first.
    if (std::exchange(refused, answer.begins_at->frame) == answer.begins_at->frame) {
      throw Error{fmt::format("{}: it begins in mid-run, and {}", a.log, why)};
    }
    from = answer.begins_at->time - Duration{1};
    if (answer.rerun.keyframe_of_another) from.reset();
  }
}

}  // namespace

Played play_from(const ReplayArguments& a, const Part& part) {
  if (a.branches()) return play_from_keyframe(a, part);
  if (part.from && !a.own_configuration()) {
    Played played = play(a, part, std::nullopt);
    played.answer.begins_with_run = "its keyframes are of the configuration that was recorded";
    return played;
  }
  return play_from_keyframe(a, part);
}

}  // namespace hild::commands
