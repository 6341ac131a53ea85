// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "hild/core/result.hpp"

namespace hild::commands {

/// Whether a file that decides what is run could only have been written by root or by the user of
/// this process: its owner is one of them, nobody else may write to it, and in its directory nobody
/// else can put another one in its place. The error says who could, and what to do.
[[nodiscard]] Result<void> check_trusted(const std::string& file);

}  // namespace hild::commands
