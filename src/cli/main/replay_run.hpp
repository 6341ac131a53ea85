// SPDX-License-Identifier: Apache-2.0
/// \file
/// The replay of one recording, for `hild replay` of one and of several.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/main/replay_answer.hpp"
#include "cli/main/replay_branch.hpp"
#include "cli/main/replay_reference.hpp"

namespace hild::commands {

struct ReplayArguments {
  std::vector<std::string> logs;
  std::string log;  ///< of these the one that is replayed
  std::string config;
  std::string node;
  std::vector<std::string> settings;
  double tolerance = -1;
  RangeArguments range;
  BranchArguments branch;
  bool reference = false;
  ReferenceArguments against;
  bool join = false;
  bool as_json = false;

  /// Whether the run is to be as it was.
  [[nodiscard]] bool own_configuration() const {
    return config.empty() && (settings.empty() || branches());
  }
  /// Whether it goes on as a branch; `settings` are then of parameters.
  [[nodiscard]] bool branches() const { return !branch.at.empty(); }
};

[[nodiscard]] Result<config::Config> config_of(const framelog::Description& d,
                                               const ReplayArguments& a);

/// What of the recording is replayed, in simulated time.
struct Part {
  std::optional<SimTime> from{};  ///< compared from there on; none: from the start of the run
  std::optional<SimTime> to{};
};

[[nodiscard]] Part part_of(const ReplayArguments& a);

struct Played {
  plan::Assembly assembly;
  ReplayAnswer answer;
};

/// Throws an Error where the recording cannot be replayed.
[[nodiscard]] Played play_from(const ReplayArguments& a, const Part& part);

}  // namespace hild::commands
