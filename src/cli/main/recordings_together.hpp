// SPDX-License-Identifier: Apache-2.0
/// \file
/// The recordings of several nodes, read and held against one another, for the commands that have
/// a `--join`.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "recording/join/join.hpp"
#include "recording/mcap/file.hpp"

namespace hild::commands {

struct RecordingsTogether {
  std::deque<mcap::FileSource> sources;  ///< as the files were given
  std::vector<join::NodeRecord> nodes;   ///< likewise
  join::Joined joined;
};

/// Throws an Error where one cannot be read, or they are not of nodes that were there together.
[[nodiscard]] RecordingsTogether read_together(const std::vector<std::string>& files);

}  // namespace hild::commands
