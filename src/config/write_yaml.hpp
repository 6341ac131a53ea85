// SPDX-License-Identifier: Apache-2.0
/// \file
/// A configuration as it was resolved, in words again: includes and settings are part of it.
#pragma once

#include <string>
#include <vector>

#include "config/node.hpp"

namespace hild::config {

/// YAML that reads back as the same tree. The tree is a map.
[[nodiscard]] std::string write_yaml(const Node& tree);

/// A text the configuration came from.
struct SourceText {
  std::string name;
  std::string text;
};
/// All of a tree, each once, those first that come first in it.
[[nodiscard]] std::vector<SourceText> sources_of(const Node& tree);

}  // namespace hild::config
