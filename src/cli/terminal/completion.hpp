// SPDX-License-Identifier: Apache-2.0
/// \file
/// Completion of command lines, for the shells that ask.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hild::cli {

/// Returns the candidates for an argument of `command`, `before` being the arguments before it.
/// None: a file is completed.
using Argument = std::function<std::vector<std::string>(const std::string& command,
                                                        const std::vector<std::string>& before)>;

/// The candidates for the last of `words` (which may be empty), those before it being complete;
/// `app` has all the commands. Candidates that expect more text, such as "inertia=", end that way.
[[nodiscard]] std::vector<std::string> complete(const CLI::App& app,
                                                const std::vector<std::string>& words,
                                                const Argument& argument);

/// The script of a shell ("bash", "zsh" or "fish") for a program with the commands below.
[[nodiscard]] std::string completion_script(std::string_view program, std::string_view shell);

using Candidates = std::vector<std::string>(const std::vector<std::string>& words);
/// Adds `completion SHELL`, and the hidden command that its scripts call. `names` says in the help
/// which names are completed.
void add_completion(CLI::App& app, const std::string& names,
                    const std::function<Candidates>& candidates);

}  // namespace hild::cli
