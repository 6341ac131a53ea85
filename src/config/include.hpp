// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files and what they include: `include: base.yaml`, or a list of files. The file wins over what
/// it includes, later includes over earlier ones; maps are merged key by key, all else is replaced.
#pragma once

#include <string>

#include "config/node.hpp"

namespace hild::config {

inline constexpr std::string_view include_key = "include";

/// The text as a map of sections; `name` stands for the file in messages. Throws ConfigError.
[[nodiscard]] Node parse_sections(const std::string& text, const std::string& name);

/// A file with all it includes. Throws ConfigError.
[[nodiscard]] Node read_with_includes(const std::string& file);

}  // namespace hild::config
