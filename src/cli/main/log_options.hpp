// SPDX-License-Identifier: Apache-2.0
/// \file
/// The options that choose a part of a log.
#pragma once

#include "cli/main/commands.hpp"
#include "recording/framelog/reader.hpp"

namespace hild::commands {

/// Declares --from and --to.
void add_range(CLI::App& command, std::string& from, std::string& to);
/// Reads the bounds: seconds of simulated time, or times such as `500 ms`; empty: no bound. Throws
/// an Error.
[[nodiscard]] framelog::ReadOptions range_of(const std::string& from, const std::string& to);

}  // namespace hild::commands
