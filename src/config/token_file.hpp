// SPDX-License-Identifier: Apache-2.0
/// \file
/// The token, a secret that HTTP requests must carry when others can reach the server.
#pragma once

#include <string>

#include "hild/core/result.hpp"

namespace hild::config {

inline constexpr std::size_t shortest_token = 16;
inline constexpr std::size_t longest_token = 512;

/// Reads a token file, without blanks around its content. Error: it cannot be read, can be read by
/// others, is too short to be a secret, or contains what HTTP cannot carry.
[[nodiscard]] Result<std::string> read_token_file(const std::string& path);

}  // namespace hild::config
