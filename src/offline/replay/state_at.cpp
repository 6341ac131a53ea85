// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/state_at.hpp"

#include <optional>
#include <utility>

#include "core/archive_problem.hpp"
#include "offline/replay/changes_before.hpp"
#include "offline/replay/effects.hpp"
#include "offline/replay/log_source.hpp"
#include "offline/replay/player.hpp"
#include "offline/replay/rerun.hpp"

namespace hild::replay {
namespace {

/// Keeps the state that a branch begins with.
class Reached final : public BranchListener {
 public:
  void begin(const io::FrameHeader& first, const exec::Keyframe* before,
             std::int64_t /*transactions*/) override {
    at = first;
    if (before != nullptr) state = *before;
  }
  void keyframe(const exec::Keyframe& /*keyframe*/) override {}
  void changed(const exec::Transaction& /*transaction*/, const exec::Reply& /*reply*/) override {}
  void step(const io::FrameView& /*was*/, const io::FrameView& /*is*/) override {}

  std::optional<io::FrameHeader> at;  ///< the step it begins with
  std::optional<exec::Keyframe> state;
};

// By loading it as another run will; no step is made.
std::string why_not_loaded(const plan::Assembly& assembly, StepSource& source,
                           const exec::Keyframe& keyframe,
                           const std::vector<framelog::Effect>& changes) {
  Player player(source);
  rt::VirtualClock clock;
  exec::Parts parts = assembly.parts(clock, player, player.events(), player.records());
  parts.replay = &player;
  exec::FrameLoop loop(assembly.config.settings, std::move(parts));
  Archive::Problem problem;
  TablesOf tables(changes);
  loop.run_from({.keyframe = keyframe.view(), .tick = keyframe.head.tick, .tables = &tables}, 0,
                rt::Flag(), problem);
  return words_for(problem);
}

}  // namespace

const exec::PlaybackTable* TablesOf::find(std::uint64_t id, std::uint32_t change,
                                          SimTime start) noexcept {
  for (std::size_t i = changes_.size(); i-- > 0;) {
    if (const auto* const table = table_in(changes_[i], id, change, start)) return table;
  }
  return nullptr;
}

Result<StateAt> state_at(const plan::Assembly& assembly, const std::string& file, SimTime at,
                         const std::function<bool()>& go_on) {
  auto opened = LogSource::open(file, {.from = at});
  if (!opened) return tl::make_unexpected(opened.error());
  LogSource& source = **opened;
  const BranchPlan plan{.at = at};
  Reached reached;
  RerunOptions options;
  options.branch = &plan;
  options.listener = &reached;
  options.go_on = [&](std::int64_t) { return !reached.at && go_on(); };
  const auto rerun = replay::rerun(assembly, source, options);
  if (!rerun) return fail("{}: {}", file, rerun.error().message);
  if (!rerun->keyframe_refused.empty()) {
    return fail("{}: the keyframe of frame {} cannot be gone on from: {}", file,
                source.begins_at()->head.frame, rerun->keyframe_refused);
  }
  if (rerun->first) {
    return fail(
        "{}: its steps before that are not made again as they were recorded: `hild replay` tells "
        "which is the first",
        file);
  }
  if (!reached.at && !go_on()) return fail("{}: given up", file);
  if (!reached.at) {
    if (!rerun->problem.empty()) return fail("{}: {}", file, rerun->problem);
    return fail("{} has no step that starts at {:.6f} s or later; its last one starts at {:.6f} s",
                file, seconds(at), seconds(source.last_time()));
  }
  if (!reached.state) {
    if (reached.at->step > 0) return fail("{}: the state of this plant cannot be saved", file);
    return fail(
        "{}: there is no state before the first step: `hildctl reset` takes the plant to its start",
        file);
  }
  auto changes = changes_before(file, reached.state->head.transactions);
  if (!changes) return tl::make_unexpected(changes.error());
  const std::string why = why_not_loaded(assembly, source, *reached.state, *changes);
  if (!why.empty()) return fail("{}: another run cannot go on from there: {}", file, why);
  const io::FrameHeader& first = *reached.at;
  return StateAt{std::move(*reached.state),
                 {.file = file,
                  .start_ns = source.head().description.clock.realtime_ns,
                  .step = first.step,
                  .frame = first.frame,
                  .time = first.t},
                 std::move(*changes)};
}

}  // namespace hild::replay
