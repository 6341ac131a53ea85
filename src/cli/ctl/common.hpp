// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the commands of hildctl share: how one is declared, the options of the connection, making
/// one call and printing its result, and the exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

enum class Exit : int {
  done = 0,
  refused = 1,     ///< wrong arguments, or an error reply
  no_daemon = 2,   ///< the connection failed
  unexpected = 3,  ///< an expectation of a sequence was not met
  controlled = 4,  ///< another client has control
};

/// The arguments that every command has. Those of a command with more are derived from it.
struct Common {
  std::string socket;
  std::string timeout;  ///< empty: 5 s, and none for changes at a later time
  bool json = false;
  bool waits = false;  ///< the reply comes when the change takes effect, at a given time

  /// Adds what the command has of its own, and refers to it.
  void declare(CLI::App& /*command*/) {}
};

/// Adds the options of Common.
void add_common_options(CLI::App& command, Common& common);

/// {"error": {kind, message, code?, data?}}: what went wrong, for programs.
[[nodiscard]] json::object error_json(const CallError& failed);
/// The exit code for it.
[[nodiscard]] Exit exit_of(const CallError& failed);
/// Reports what went wrong: in words, or as an object {"error": ...} with --json.
Exit complain(const Common& common, const CallError& failed);

struct CommandWords {
  std::string name;
  std::string summary;
  std::string footer;
};

/// Adds a command to `app`. Its arguments are an A, Common or derived from it. When it is chosen,
/// `run` is called with them, and what it returns is stored in `exit`.
template <class A = Common, class Run>
void add_command(CLI::App& app, Exit& exit, const CommandWords& words, Run run, A arguments = {}) {
  CLI::App* const command = app.add_subcommand(words.name, words.summary);
  const auto a = std::make_shared<A>(std::move(arguments));
  a->declare(*command);
  add_common_options(*command, *a);
  command->footer(words.footer);
  command->callback([=, &exit] {
    try {
      exit = run(*a);
    } catch (const CallError& failed) {
      exit = complain(*a, failed);
    }
  });
}

/// How many words the common options that stand before the command take.
[[nodiscard]] std::ptrdiff_t options_first(const std::vector<std::string>& words);
/// The words of a command line, with the common options that stand before the command moved behind
/// it, where the command takes them.
[[nodiscard]] std::vector<std::string> command_first(const CLI::App& app,
                                                     std::vector<std::string> words);

/// Connects to the daemon.
[[nodiscard]] Client open(const Common& common);

using Print = std::function<void(const json::value& result)>;

/// Makes one call on a connection of its own; `print` writes the result for a person. With --json
/// the result is printed as it came.
Exit perform(const Common& common, std::string_view method, const json::object& params,
             const Print& print);

/// Prints when a change took effect: "took effect at frame 1234 (1.234 s)".
void print_effect(const json::value& result);

void print_json(const json::value& value);

using TableLine = std::vector<std::string>;

/// Two spaces between columns, the last one not padded; those of `right` are flush right. Each row
/// starts with `indent` and ends with a newline. Rows may differ in length.
[[nodiscard]] std::string columns(const std::vector<TableLine>& rows,
                                  const std::vector<std::size_t>& right = {},
                                  const std::string& indent = "");

}  // namespace hild::ctl
