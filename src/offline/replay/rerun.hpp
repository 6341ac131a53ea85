// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs a recorded run again, as fast as the machine goes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/plan/assembly.hpp"
#include "exec/run_end.hpp"
#include "offline/replay/branch.hpp"
#include "offline/replay/difference.hpp"
#include "offline/replay/source.hpp"

namespace hild::replay {

struct RerunOptions {
  double tolerance = 0;  ///< as in compare(); 0: every bit
  /// Ends at the first difference; else goes on, for a model that was changed.
  bool stop_at_difference = true;
  /// Frames that start before this are played and not compared.
  SimTime compare_from{};
  /// Whether the state is compared with each keyframe that is passed: of the same model and
  /// configuration, and where every bit counts.
  bool compare_keyframes = true;
  std::function<bool(std::int64_t steps)> go_on = [](std::int64_t) { return true; };
  /// Called once the first step that is compared has been made.
  std::function<void()> on_reached = [] {};
  /// It goes on as a branch from some step on, which `listener` hears of; null: it does not.
  const BranchPlan* branch = nullptr;
  BranchListener* listener = nullptr;
};

struct Rerun : Differences {
  std::int64_t steps = 0;
  std::int64_t keyframes = 0;           ///< compared
  std::vector<StateDifference> states;  ///< of the first keyframe that differs
  std::string problem;  ///< why it ended before the record did; empty when it did not
  /// Why the keyframe that the source begins at could not be gone on from; then nothing was played.
  std::string keyframe_refused;
  bool keyframe_of_another = false;       ///< it is none of this run's: nor are those before it
  std::optional<io::FrameHeader> branch;  ///< its first step; none: no step was of it
  std::int64_t images_repeated = 0;       ///< images of the branch that were not recorded
  exec::Outcome outcome;                  ///< how it ended; requested: with the record
};

/// Runs the plant of `assembly` with its settings, from the start of the run or from the keyframe
/// that the source begins at; its devices are not touched. Error: the source cannot be played, or
/// has signals other than the assembly's.
[[nodiscard]] Result<Rerun> rerun(const plan::Assembly& assembly, StepSource& source,
                                  const RerunOptions& options = {});

}  // namespace hild::replay
