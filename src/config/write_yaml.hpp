// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes a resolved configuration as YAML again, with includes and settings merged.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/node.hpp"

namespace hild::config {

/// Writes YAML that reads back as the same tree, wherever that is done: for a node in `files` the
/// absolute path of its file stands instead. The tree is a map.
[[nodiscard]] std::string write_yaml(const Node& tree,
                                     const std::map<const Node*, std::string>& files = {});

/// A text the configuration came from.
struct SourceText {
  std::string name;
  std::string text;
};
/// All sources of a tree, each once, in the order of their first use.
[[nodiscard]] std::vector<SourceText> sources_of(const Node& tree);

}  // namespace hild::config
