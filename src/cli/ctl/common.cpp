// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/common.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "control/rpc/socket_path.hpp"

namespace hild::ctl {
namespace {

using namespace std::chrono_literals;

constexpr auto usual_timeout = 5000ms;

std::string_view word_of(CallError::Reason kind) {
  static constexpr std::string_view words[] = {"usage", "refused", "timeout", "connection",
                                               "interrupted"};
  return words[static_cast<std::size_t>(kind)];
}

Client::Timeout timeout_of(const Common& common) {
  if (common.timeout.empty()) {
    return common.waits ? Client::Timeout() : Client::Timeout(usual_timeout);
  }
  const double wanted = seconds_of("--timeout", common.timeout);
  return std::chrono::milliseconds(std::max(static_cast<std::int64_t>(wanted * 1e3), 1L));
}

std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(report::columns(text));
}

}  // namespace

void add_common_options(CLI::App& command, Common& common) {
  command
      .add_option("--socket", common.socket,
                  "the daemon's socket; default: $HILD_SOCKET, then where a daemon puts it")
      ->type_name("PATH");
  command.add_option("--timeout", common.timeout, "how long to wait for a reply; default: 5 s")
      ->type_name("S");
  command.add_flag("--json", common.json,
                   "for programs: the reply as it came, or {\"error\": ...}");
}

std::ptrdiff_t options_first(const std::vector<std::string>& words) {
  auto command = words.begin();
  while (command != words.end() && command->starts_with("--")) {
    const bool apart = *command == "--socket" || *command == "--timeout";
    const bool common = apart || *command == "--json" || command->starts_with("--socket=") ||
                        command->starts_with("--timeout=");
    if (!common || (apart && command + 1 == words.end())) return 0;
    command += apart ? 2 : 1;
  }
  return command - words.begin();
}

std::vector<std::string> command_first(const CLI::App& app, std::vector<std::string> words) {
  const auto command = words.begin() + options_first(words);
  auto behind = command;
  for (const CLI::App* at = &app; behind != words.end(); ++behind) {
    const auto named =
        at->get_subcommands([&](const CLI::App* c) { return c->get_name() == *behind; });
    if (named.empty()) break;
    at = named.front();
  }
  std::rotate(words.begin(), command, behind);
  return words;
}

Client open(const Common& common) {
  return {rpc::client_socket(common.socket), timeout_of(common)};
}

json::object error_json(const CallError& failed) {
  json::object error{{"kind", word_of(failed.kind)}, {"message", failed.message}};
  if (failed.code != 0) error["code"] = failed.code;
  if (!failed.data.empty()) error["data"] = failed.data;
  return {{"error", std::move(error)}};
}

Exit exit_of(const CallError& failed) {
  const bool connection =
      failed.kind == CallError::Reason::lost || failed.kind == CallError::Reason::silent;
  if (refused_for_control(failed)) return Exit::controlled;
  return connection ? Exit::no_daemon : Exit::refused;
}

Exit complain(const Common& common, const CallError& failed) {
  if (common.json) {
    print_json(error_json(failed));
  } else {
    cli::tell("hildctl: {}\n", failed.message);
  }
  return exit_of(failed);
}

Exit perform(const Common& common, std::string_view method, const json::object& params,
             const Print& print) {
  Client client = open(common);
  const json::value result = call_as_owner(client, method, params);
  if (common.json) {
    print_json(result);
  } else {
    print(result);
  }
  return Exit::done;
}

void print_effect(const json::value& result) {
  cli::print("took effect at frame {} ({:.9g} s)\n", whole_of(result, "frame"),
             number_of(result, "time_s"));
}

void print_json(const json::value& value) { cli::print_text(report::pretty(value)); }

std::string columns(const std::vector<TableLine>& rows, const std::vector<std::size_t>& right,
                    const std::string& indent) {
  std::vector<std::size_t> widths;
  for (const TableLine& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(row[i]));
    }
  }
  std::string text;
  for (const TableLine& row : rows) {
    std::string line = indent;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string pad(widths[i] - width_of(row[i]), ' ');
      const bool flush_right = std::ranges::find(right, i) != right.end();
      line += (i == 0 ? "" : "  ") + (flush_right ? pad + row[i] : row[i] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

}  // namespace hild::ctl
