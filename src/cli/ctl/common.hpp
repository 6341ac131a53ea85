// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the commands of hildctl share: the options of the connection, making one call and printing
/// its result, and the exit codes.
#pragma once

#include <CLI/CLI.hpp>
#include <boost/json/value.hpp>
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

struct Common {
  std::string socket;
  std::string timeout;  ///< empty: 5 s, and none for changes at a later time
  bool json = false;
  bool waits = false;  ///< the reply comes when the change takes effect, at a given time
};

void add_common_options(CLI::App& command, Common& common);

/// How many words the common options that stand before the command take.
[[nodiscard]] std::ptrdiff_t options_first(const std::vector<std::string>& words);
/// The words of a command line, with the common options that stand before the command moved behind
/// it, where the command takes them.
[[nodiscard]] std::vector<std::string> command_first(const CLI::App& app,
                                                     std::vector<std::string> words);

[[nodiscard]] Reply<std::unique_ptr<Client>> open(const Common& common);

/// Reports what went wrong: in words, or as an object {"error": ...} with --json.
Exit complain(const Common& common, const CallError& failed);

using Print = std::function<void(const boost::json::value& result)>;

/// Makes one call on a connection of its own; `print` writes the result for a person. With --json
/// the result is printed as it came.
Exit perform(const Common& common, std::string_view method, const boost::json::object& params,
             const Print& print);

/// Prints when a change took effect: "took effect at frame 1234 (1.234 s)".
void print_effect(const boost::json::value& result);

void print_json(const boost::json::value& value);

}  // namespace hild::ctl
