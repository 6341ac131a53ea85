// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the commands of hildctl share: the options of the connection, one call and what is printed
/// of it, and the exit codes.
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
  unexpected = 3,  ///< of a sequence: an expectation was not met
  controlled = 4,  ///< another client has control
};

struct Common {
  std::string socket;
  std::string timeout;  ///< empty: 5 s, and none for what was asked to happen later
  bool json = false;
  bool waits = false;  ///< the reply comes when it takes effect, at a given time
};

void add_common_options(CLI::App& command, Common& common);

/// How many words the common options before the command take.
[[nodiscard]] std::ptrdiff_t options_first(const std::vector<std::string>& words);
/// The words of a command line, with the common options that stand before the command put behind
/// it, where the command takes them.
[[nodiscard]] std::vector<std::string> command_first(const CLI::App& app,
                                                     std::vector<std::string> words);

[[nodiscard]] Reply<std::unique_ptr<Client>> open(const Common& common);

/// Says what went wrong: in words, or as an object {"error": ...} with --json.
Exit complain(const Common& common, const CallError& failed);

using Print = std::function<void(const boost::json::value& result)>;

/// One call on a connection of its own; `print` writes the result for a person. With --json the
/// result is printed as it came.
Exit perform(const Common& common, std::string_view method, const boost::json::object& params,
             const Print& print);

/// "took effect at frame 1234 (1.234 s)": of what changes a run.
void print_effect(const boost::json::value& result);

void print_json(const boost::json::value& value);

}  // namespace hild::ctl
