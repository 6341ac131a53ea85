// SPDX-License-Identifier: Apache-2.0
/// \file
/// The state that a recorded run had at a time, so that another run goes on from it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "config/plan/assembly.hpp"
#include "exec/keyframe.hpp"
#include "exec/stimuli.hpp"
#include "hild/core/result.hpp"
#include "recording/framelog/branch.hpp"
#include "recording/framelog/changes.hpp"

namespace hild::replay {

/// A recorded state.
struct StateAt {
  exec::Keyframe keyframe;  ///< before the first step of the branch
  framelog::Branch branch;  ///< what goes on from it, as a branch of the recording
  /// The transactions that took effect before, all of them, in their order.
  std::vector<framelog::Effect> changes;
};

/// Finds the tables of playbacks that changes before brought, which outlive it.
class TablesOf final : public exec::Tables {
 public:
  /// `changes`: as StateAt has them.
  explicit TablesOf(const std::vector<framelog::Effect>& changes) noexcept : changes_(changes) {}
  [[nodiscard]] const exec::PlaybackTable* find(std::uint64_t id, std::uint32_t change,
                                                SimTime start) noexcept override;

 private:
  const std::vector<framelog::Effect>& changes_;
};

/// That before the first step that starts at `at` or later, reached from the last keyframe before
/// by steps as they were recorded, each compared with its record. `assembly` is of the
/// configuration that was recorded; its plant is used, its devices are not touched. The recording
/// may still be written. `go_on` is asked before each step; where it says no, there is an error.
/// Error too: there is no such step, a step is not what was recorded, the state cannot be saved,
/// or changes before are not in the recording.
[[nodiscard]] Result<StateAt> state_at(const plan::Assembly& assembly, const std::string& file,
                                       SimTime at, const std::function<bool()>& go_on);

}  // namespace hild::replay
