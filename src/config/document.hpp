// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the whole configuration as one tree: a file, the files it includes, and settings of the
/// command line, which override both. `include: base.yaml`, or a list of files: the file overrides
/// what it includes, later includes override earlier ones; maps are merged key by key, everything
/// else is replaced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "config/node.hpp"

namespace hild::config {

/// Reads a file, of a system of several nodes (`nodes`) the part of one: its own section, merged
/// over all else. `node` is empty where there is one. All functions throw ConfigError. The tree
/// returned is a map.
[[nodiscard]] Node read_document(const std::string& file, const std::vector<Setting>& settings,
                                 std::string_view node = {});

/// The names of the nodes in a file, in its order; empty: it has no section `nodes`.
[[nodiscard]] std::vector<std::string> read_nodes(const std::string& file);

/// Reads a text in memory, which includes no files; `name` stands for the file in messages.
[[nodiscard]] Node read_text(const std::string& text, const std::string& name,
                             const std::vector<Setting>& settings);

}  // namespace hild::config
