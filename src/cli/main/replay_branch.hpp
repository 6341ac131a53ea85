// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay --at`: goes on from a recorded step as a branch, which is recorded and compared
/// with the run it branches off.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/main/differences.hpp"
#include "config/plan/assembly.hpp"
#include "control/server/subjects.hpp"
#include "offline/replay/branch.hpp"
#include "offline/replay/log_source.hpp"
#include "recording/framelog/frame_log.hpp"

namespace hild::commands {

/// What the command line says of a branch.
struct BranchArguments {
  std::string at;                    ///< empty: there is none
  std::string duration;              ///< empty: to the end of the recording
  std::vector<std::string> changes;  ///< as JSON
  std::string record;                ///< a file; empty: none
  std::string plot;                  ///< likewise
};

/// What became of a branch.
struct BranchAnswer {
  framelog::Branch of;               ///< where it begins, and what was changed
  std::int64_t images_repeated = 0;  ///< images it wanted that were not recorded
  std::string ended;                 ///< why it ended before the recording did; else empty
  std::string file;                  ///< it was recorded into; empty: it was not
  std::string plot;                  ///< likewise
  std::string problem;               ///< of the recording
};

class BranchRun final : public replay::BranchListener {
 public:
  /// `settings` are PARAMETER=VALUE. All outlive it. Throws an Error where a change is not one.
  BranchRun(const BranchArguments& a, const std::vector<std::string>& settings,
            const std::string& log, const plan::Assembly& assembly,
            const replay::LogSource& recording, SimTime at);

  [[nodiscard]] const replay::BranchPlan& plan() const noexcept { return plan_; }
  /// After the run: closes the recording, draws the curves. Throws an Error.
  [[nodiscard]] BranchAnswer finish(std::int64_t images_repeated, const exec::Outcome& outcome,
                                    bool problem);

  void begin(const io::FrameHeader& first, const exec::Keyframe* state,
             std::int64_t transactions) override;
  void keyframe(const exec::Keyframe& keyframe) override;
  void changed(const exec::Transaction& transaction, const exec::Reply& reply) override;
  void step(const io::FrameView& was, const io::FrameView& is) override;

 private:
  void read_changes(const std::vector<std::string>& settings);
  Result<void> record(const io::FrameHeader& first, const exec::Keyframe* state,
                      std::int64_t transactions);

  const BranchArguments& a_;
  const std::string& log_file_;
  const plan::Assembly& assembly_;
  const framelog::LogHead& head_;
  server::ReadChanges changes_;
  replay::BranchPlan plan_;
  BranchAnswer answer_;
  std::unique_ptr<framelog::FrameLog> file_;
  std::int64_t noted_ = 0;  // changes that are in the file
  std::optional<DifferenceCurves> curves_;
  std::string failure_;  // that the recording could not be begun
};

}  // namespace hild::commands
