// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads files and those they include: `include: base.yaml`, or a list of files. The file overrides
/// what it includes, later includes override earlier ones; maps are merged key by key, everything
/// else is replaced.
#pragma once

#include <string>

#include "config/node.hpp"

namespace hild::config {

inline constexpr std::string_view include_key = "include";

/// Parses a text as a map of sections; `name` stands for the file in messages. Throws ConfigError.
[[nodiscard]] Node parse_sections(const std::string& text, const std::string& name);

/// Reads a file with all it includes. Throws ConfigError.
[[nodiscard]] Node read_with_includes(const std::string& file);

}  // namespace hild::config
