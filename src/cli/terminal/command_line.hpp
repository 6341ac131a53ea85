// SPDX-License-Identifier: Apache-2.0
/// \file
/// From the words of a command line to the exit code of its command: what both programs share.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace hild::cli {

/// The exit codes a program has for what goes wrong before and around its commands.
struct Codes {
  int usage;    ///< no such command, wrong arguments
  int fault;    ///< an exception that nobody expected
  int printed;  ///< its answer could not be written
};

/// Runs the command that `words` choose; `code` tells its exit code then. Returns what the program
/// exits with. --help and --version end with 0; an unknown command is named, with those
/// that were likely meant.
[[nodiscard]] int run_command(CLI::App& app, std::vector<std::string> words,
                              const std::function<int()>& code, const Codes& codes);

}  // namespace hild::cli
