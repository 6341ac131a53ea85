// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/rerun.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/archive_problem.hpp"
#include "offline/replay/player.hpp"

namespace hild::replay {
namespace {

Result<void> check_layout(const plan::Assembly& a, const io::FrameLayout& recorded) {
  const io::FrameLayout own = a.layout(recorded.counted(), recorded.runs() > 0);
  const auto differ = [](std::string_view what, std::size_t was, std::size_t is) {
    return fail("the record has {} {}, this model has {}", was, what, is);
  };
  if (recorded.sampled() == 0 && own.sampled() > 0) {
    return fail("the record does not hold the inputs as they were sampled, which a replay needs");
  }
  if (recorded.sampled() != own.sampled()) {
    return differ("sampled inputs", recorded.sampled(), own.sampled());
  }
  if (recorded.states() != own.states()) {
    return differ("states", recorded.states(), own.states());
  }
  if (recorded.outputs() != own.outputs()) {
    return differ("outputs", recorded.outputs(), own.outputs());
  }
  if (recorded.groups() != own.groups()) {
    return differ("image groups", recorded.groups(), own.groups());
  }
  // Of what was written a replay makes nothing.
  if (recorded.passes() != own.passes() || recorded.images() != own.images() ||
      recorded.inputs() != own.inputs() || recorded.runs() != own.runs()) {
    return differ("passes in a step", recorded.passes(), own.passes());
  }
  return {};
}

// What a branch changes where it begins is no difference of its own.
bool is_own_change(const Difference& d) {
  return d.of == Difference::Of::step && step_facts[d.index] == "external events";
}

// Differences and progress into the result, which outlives the player.
void listen(Player& player, const RerunOptions& options, rt::Flag& stop, Rerun& result) {
  player.tolerance = options.tolerance;
  player.compare_from = options.compare_from;
  player.on_difference = [&, last = std::int64_t{-1}](const Difference& d) mutable {
    if (player.branch != nullptr && is_own_change(d)) return;
    result.add(d, player.steps() != last);
    last = player.steps();
    if (options.stop_at_difference) stop.raise();
  };
  player.on_step = [&, reached = false](std::int64_t steps) mutable {
    if (player.compared() > 0 && !std::exchange(reached, true)) options.on_reached();
    if (!options.go_on(steps)) stop.raise();
  };
}

// The state between two steps; nothing where it cannot be saved.
std::optional<exec::Keyframe> keyframe_of(exec::FrameLoop& loop, std::span<std::byte> room) {
  const Archive saved = room.empty() ? Archive::measuring() : loop.save(room);
  if (room.empty() || !saved.good()) return std::nullopt;
  exec::Keyframe keyframe;
  keyframe.head = loop.place();
  keyframe.head.bytes = saved.bytes();
  keyframe.state.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(saved.bytes()));
  return keyframe;
}

// From where the source begins.
void run_all(exec::FrameLoop& loop, StepSource& source, MonoTime first, const rt::Flag& stop,
             Rerun& result) {
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max() / 4;
  const exec::Keyframe* const keyframe = source.begins_at();
  if (keyframe == nullptr) {
    result.outcome = loop.run(first, all, stop);
    return;
  }
  Archive::Problem problem;
  result.outcome = loop.run_from({.keyframe = keyframe->view(), .tick = first, .tables = &source},
                                 all, stop, problem);
  result.keyframe_refused = words_for(problem);
  result.keyframe_of_another = problem.kind == Archive::Problem::Kind::of_another;
}

}  // namespace

Result<Rerun> rerun(const plan::Assembly& assembly, StepSource& source,
                    const RerunOptions& options) {
  if (auto fits = check_layout(assembly, source.layout()); !fits) {
    return tl::make_unexpected(fits.error());
  }
  Rerun result;
  result.worst_states.resize(source.layout().states());
  result.worst_outputs.resize(source.layout().outputs());
  rt::Flag stop;
  Player player(source);
  std::optional<Branch> branch;
  if (options.branch != nullptr) {
    branch.emplace(*options.branch, *options.listener, source.layout());
    player.branch = &*branch;
  }
  listen(player, options, stop, result);
  const auto start = player.start(assembly.config.settings.grid);
  if (!start) return tl::make_unexpected(start.error());

  rt::VirtualClock clock;
  exec::Parts parts = assembly.parts(clock, player, player.events(), player.records());
  parts.replay = &player;
  exec::FrameLoop loop(assembly.config.settings, parts);
  std::vector<std::byte> state(options.compare_keyframes || branch ? loop.most_state_bytes() : 0);
  player.on_keyframe = [&](const exec::Keyframe& keyframe) {
    if (!options.compare_keyframes || state.empty()) return;
    if (keyframe.head.time < options.compare_from) return;
    const Archive saved = loop.save(state);
    if (!saved.good()) return;
    ++result.keyframes;
    auto differences = compare(keyframe, std::span(state).first(saved.bytes()));
    if (differences.empty() || !result.states.empty()) return;
    result.states = std::move(differences);
    if (options.stop_at_difference) stop.raise();
  };
  if (branch) branch->save = [&] { return keyframe_of(loop, state); };
  run_all(loop, source, *start, stop, result);
  player.finish();
  result.steps = player.steps();
  result.compared = player.compared();
  result.problem = player.problem();
  if (branch) {
    result.branch = branch->begun();
    result.images_repeated = branch->images_repeated();
  }
  return result;
}

}  // namespace hild::replay
