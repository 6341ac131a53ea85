// SPDX-License-Identifier: Apache-2.0
/// \file
/// YAML text into a tree. Refuses what YAML would take silently or what would take the machine
/// down: duplicate keys, tags, deep nesting, aliases that multiply, text that is not UTF-8.
#pragma once

#include <memory>
#include <string>

#include "config/node.hpp"

namespace hild::config {

inline constexpr std::size_t max_text = 16 * 1024 * 1024;  ///< bytes of one file
inline constexpr std::size_t max_nodes = 1'000'000;        ///< with aliases expanded
inline constexpr std::size_t max_depth = 32;

/// Offset of the first byte that does not belong to printable UTF-8 text (control characters other
/// than tab and line ends count as binary); the size of the text when there is none.
[[nodiscard]] std::size_t first_bad_byte(std::string_view text) noexcept;

/// Throws ConfigError.
[[nodiscard]] Node parse(const std::string& text, const std::shared_ptr<const TextSource>& source);

}  // namespace hild::config
