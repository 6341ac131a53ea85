// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs the command of a command line and determines the exit code; shared by both programs.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

namespace hild::cli {

/// The exit codes of a program for errors outside its commands.
struct Codes {
  int usage;    ///< no such command, wrong arguments
  int fault;    ///< an exception that nobody expected
  int printed;  ///< its answer could not be written
};

/// Runs the command that `words` choose; `code` then returns its exit code. Returns the exit code
/// of the program. --help and --version end with 0; an unknown command is named, with those that
/// were likely meant.
[[nodiscard]] int run_command(CLI::App& app, std::vector<std::string> words,
                              const std::function<int()>& code, const Codes& codes);

}  // namespace hild::cli
