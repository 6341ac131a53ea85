// SPDX-License-Identifier: Apache-2.0
/// \file
/// What may come next on a command line, for the shells that ask.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hild::cli {

/// The candidates for an argument of `command`, `before` being those before it. None: a file.
using Argument = std::function<std::vector<std::string>(const std::string& command,
                                                        const std::vector<std::string>& before)>;

/// The candidates for the last of `words` (which may be empty), those before it being complete;
/// `app` has all the commands. Candidates that go on, such as "inertia=", end so.
[[nodiscard]] std::vector<std::string> complete(const CLI::App& app,
                                                const std::vector<std::string>& words,
                                                const Argument& argument);

/// The script of a shell ("bash", "zsh" or "fish") for a program with the commands below.
[[nodiscard]] std::string completion_script(std::string_view program, std::string_view shell);

using Candidates = std::vector<std::string>(const std::vector<std::string>& words);
/// `completion SHELL`, and the hidden command that its scripts call. `names` tells in the help what
/// names are completed.
void add_completion(CLI::App& app, const std::string& names,
                    const std::function<Candidates>& candidates);

}  // namespace hild::cli
