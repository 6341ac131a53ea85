// SPDX-License-Identifier: Apache-2.0
/// `hildctl show`: all pages play a stretch of the last minute.
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct ShowArguments : Common {
  std::string last;
  std::string from;
  std::string to;
  double speed = 1;
  bool end = false;

  void declare(CLI::App& command) {
    auto* const newest = command.add_option("LAST", last, "the newest: \"20 s\", or seconds");
    auto* const since = command.add_option("--from", from, "from this simulated time");
    command.add_option("--to", to, "to this one; default: where the run is")->needs(since);
    command.add_option("--speed", speed, "simulated seconds a second, 0.25 to 4; default: 1")
        ->check(CLI::Range(0.25, 4.0));
    auto* const ends = command.add_flag("--end", end, "back to what is now");
    newest->excludes(since)->excludes(ends);
    since->excludes(ends);
  }
};

void print_showing(const json::value& result) {
  const json::value* const showing = member(result, "showing");
  if (showing == nullptr || showing->is_null()) {
    cli::print("all pages show what is now\n");
    return;
  }
  cli::print(
      "all pages show {:.3f} s to {:.3f} s, at {:g} times the speed; `hildctl show --end` "
      "ends it\n",
      number_of(*showing, "from_s"), number_of(*showing, "to_s"), number_of(*showing, "speed"));
}

Exit show(const ShowArguments& a) {
  json::object params;
  if (!a.end) {
    if (a.last.empty() && a.from.empty()) {
      fail_call(CallError::Reason::usage, "expected how much, \"20 s\", or --from TIME, or --end");
    }
    if (!a.last.empty()) params["last_s"] = seconds_of("LAST", a.last);
    if (!a.from.empty()) params["from_s"] = seconds_of("--from", a.from);
    if (!a.to.empty()) params["to_s"] = seconds_of("--to", a.to);
    params["speed"] = a.speed;
  }
  return perform(a, "show", params, print_showing);
}

}  // namespace

void add_show(CLI::App& app, Exit& exit) {
  add_command<ShowArguments>(
      app, exit,
      {"show", "have all pages play a stretch of the last minute",
       "Each page plays what it holds, and then shows again what is now; a person at a page may "
       "go\n"
       "back to that at any time. The run goes on.\n"
       "Examples: hildctl show 20s --speed 0.5\n          hildctl show --end"},
      show);
}

}  // namespace hild::ctl
