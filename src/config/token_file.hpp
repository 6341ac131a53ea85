// SPDX-License-Identifier: Apache-2.0
/// \file
/// The secret that HTTP asks for when others can reach it.
#pragma once

#include <string>

#include "hild/core/result.hpp"

namespace hild::config {

inline constexpr std::size_t shortest_token = 16;
inline constexpr std::size_t longest_token = 512;

/// What the file holds, blanks around it taken off. Error: it cannot be read, can be read by
/// others, is too short to be a secret, or holds what HTTP cannot carry.
[[nodiscard]] Result<std::string> read_token_file(const std::string& path);

}  // namespace hild::config
