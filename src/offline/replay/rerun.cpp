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

void widen(double& worst, const Difference& d) {
  const double distance = std::abs(d.replayed - d.recorded);
  worst =
      std::isnan(distance) ? std::numeric_limits<double>::infinity() : std::max(worst, distance);
}

// Differences and progress into the result, which outlives the player.
void listen(Player& player, const RerunOptions& options, rt::Flag& stop, Rerun& result) {
  player.tolerance = options.tolerance;
  player.compare_from = options.compare_from;
  player.on_difference = [&, last = std::int64_t{-1}](const Difference& d) mutable {
    if (!result.first) result.first = d;
    if (player.steps() != last) ++result.differing_steps;
    last = player.steps();
    if (d.of == Difference::Of::state) widen(result.worst_states[d.index], d);
    if (d.of == Difference::Of::output) widen(result.worst_outputs[d.index], d);
    if (options.stop_at_difference) stop.raise();
  };
  player.on_step = [&, reached = false](std::int64_t steps) mutable {
    if (player.compared() > 0 && !std::exchange(reached, true)) options.on_reached();
    if (!options.go_on(steps)) stop.raise();
  };
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
  listen(player, options, stop, result);
  const auto start = player.start(assembly.config.settings.grid);
  if (!start) return tl::make_unexpected(start.error());

  rt::VirtualClock clock;
  exec::Parts parts = assembly.parts(clock, player, player.events(), player.records());
  parts.replay = &player;
  exec::FrameLoop loop(assembly.config.settings, parts);
  std::vector<std::byte> state(options.compare_keyframes ? loop.most_state_bytes() : 0);
  player.on_keyframe = [&](const exec::Keyframe& keyframe) {
    if (state.empty() || keyframe.head.time < options.compare_from) return;
    const Archive saved = loop.save(state);
    if (!saved.good()) return;
    ++result.keyframes;
    auto differences = compare(keyframe, std::span(state).first(saved.bytes()));
    if (differences.empty() || !result.states.empty()) return;
    result.states = std::move(differences);
    if (options.stop_at_difference) stop.raise();
  };
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max() / 4;
  if (const exec::Keyframe* const keyframe = source.begins_at()) {
    Archive::Problem problem;
    static_cast<void>(loop.run_from(keyframe->view(), *start, all, stop, problem, &source));
    result.keyframe_refused = words_for(problem);
    result.keyframe_of_another = problem.kind == Archive::Problem::Kind::of_another;
  } else {
    static_cast<void>(loop.run(*start, all, stop));
  }
  player.finish();
  result.steps = player.steps();
  result.compared = player.compared();
  result.problem = player.problem();
  return result;
}

}  // namespace hild::replay
