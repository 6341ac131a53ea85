// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `hild replay` answers: whether the run was the same, and where it was not.
#pragma once

#include <boost/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/main/replay_branch.hpp"
#include "hild/model/description.hpp"
#include "offline/replay/rerun.hpp"

namespace hild::commands {

struct ReplayAnswer {
  replay::Rerun rerun;
  bool part = false;                            ///< of the recording, not all of it
  std::optional<exec::KeyframeHead> begins_at;  ///< none: with the run
  std::string begins_with_run;                  ///< why, where a keyframe was looked for
  std::string begins_earlier;                   ///< why, where not at the last keyframe before
  std::vector<std::string> changes;             ///< since the record
  double tolerance = 0;
  double wall_s = 0;
  std::optional<double> reached_s;  ///< from the start to the end of the first step compared
  double sim_s = 0;
  bool closed = true;  ///< the log was
  std::string damage;
  std::uint64_t bytes_read = 0;        ///< of the log
  std::optional<BranchAnswer> branch;  ///< none: it was played as it was

  /// Why not all of it could be replayed; empty when it was.
  [[nodiscard]] std::vector<std::string> problems() const;
  [[nodiscard]] bool same() const;
  /// Whether it did what was asked for: a branch with changes of its own need not be the same.
  [[nodiscard]] bool well() const;
};

[[nodiscard]] std::string to_text(const ReplayAnswer& answer, const model::Description& model);
[[nodiscard]] boost::json::value to_json(const ReplayAnswer& answer,
                                         const model::Description& model);

}  // namespace hild::commands
