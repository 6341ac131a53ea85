// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a recording branches off another one: a run that went on from a recorded step, with the
/// inputs that were recorded and with what was changed there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hild/core/time.hpp"
#include "recording/mcap/format.hpp"

namespace hild::framelog {

struct Branch {
  std::string file;            ///< the other recording, as it was called then
  std::int64_t start_ns = 0;   ///< `realtime_ns` of its clock, by which it is known again
  std::int64_t step = 0;       ///< the first step that is of this branch
  std::int64_t frame = 0;      ///< the simulated frame that it starts at
  SimTime time{};              ///< of that
  std::int64_t begins_at = 0;  ///< the first step in the file, a keyframe before it; 0: the run's
  /// What was changed at the start of that step, each as JSON: {"set": {"values": {...}}}.
  std::vector<std::string> changes{};

  /// Whether it has nothing of the run before its first step but the keyframe there.
  [[nodiscard]] bool cut() const noexcept { return begins_at > 0; }
};

/// Convert it into the entries of a metadata record, and back. What is not one gives nothing.
[[nodiscard]] mcap::Map map_of(const Branch& branch);
[[nodiscard]] std::optional<Branch> branch_of(const mcap::Map& map);

}  // namespace hild::framelog
