// SPDX-License-Identifier: Apache-2.0
/// `hildctl rewind`: back to a recorded step.
#include <boost/json.hpp>
#include <chrono>
#include <optional>
#include <thread>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

using Instant = std::chrono::steady_clock::time_point;

struct RewindArguments : Common {
  std::string by;
  std::string to;

  void declare(CLI::App& command) {
    auto* const back = command.add_option("BY", by, "so far: \"30 s\", or seconds");
    command.add_option("--to", to, "to this simulated time")->excludes(back);
  }
};

bool may_wait(Instant until) {
  if (std::chrono::steady_clock::now() >= until) return false;
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return true;
}

// It looks for the step first; with what it finds it ends, and so does the connection.
void await_end(Client& client, Instant until) {
  try {
    do {
      const json::value status = client.call("status");
      const json::value* rewinding = member(status, "rewinding");
      if (rewinding == nullptr) continue;
      if (const std::string error = text_of(*rewinding, "error"); !error.empty()) {
        fail_call(CallError::Reason::refused, "{}; the run is held where it was", error);
      }
    } while (may_wait(until));
  } catch (const CallError& e) {
    if (e.kind == CallError::Reason::lost) return;
    throw;
  }
  fail_call(CallError::Reason::silent,
            "it still looks for the step: `hildctl status --json` tells what becomes of it "
            "(rewinding); give it longer with --timeout");
}

// It begins anew: nobody listens for a moment.
json::value await_beginning(const Common& common, Instant until) {
  std::optional<CallError> why;
  do {
    try {
      json::value status = open(common).call("status");
      if (whole_of(status, "frame") >= 0) return status;
    } catch (const CallError& e) {
      if (e.kind == CallError::Reason::interrupted) throw;
      why = e;
    }
  } while (may_wait(until));
  fail_call(CallError::Reason::silent, "it has ended to begin anew, and does not answer{}{}",
            why ? ": " : "", why ? why->message : "");
}

Exit rewind(const RewindArguments& a) {
  if (a.by.empty() == a.to.empty()) {
    fail_call(CallError::Reason::usage, "expected how far, \"30 s\", or --to TIME");
  }
  json::object params;
  if (!a.by.empty()) params["by_s"] = seconds_of("BY", a.by);
  if (!a.to.empty()) params["to_s"] = seconds_of("--to", a.to);
  Client client = open(a);
  static_cast<void>(client.call("rewind", params));
  // The longest way is from one keyframe to the next; then devices are opened, and all is measured.
  const Instant until = std::chrono::steady_clock::now() +
                        (a.timeout.empty() ? std::chrono::milliseconds(std::chrono::minutes(2))
                                           : client.timeout().value_or(std::chrono::hours(24)));
  await_end(client, until);
  const json::value status = await_beginning(a, until);
  if (a.json) {
    print_json(json::object{{"frame", whole_of(status, "frame")},
                            {"time_s", number_of(status, "sim_time_s")}});
  } else {
    cli::print(
        "held at frame {} ({:.6f} s), with outputs disarmed: `hildctl arm` and `hildctl resume` go "
        "on\n",
        whole_of(status, "frame"), number_of(status, "sim_time_s"));
  }
  return Exit::done;
}

}  // namespace

void add_rewind(CLI::App& app, Exit& exit) {
  add_command<RewindArguments>(
      app, exit,
      {"rewind", "go back to a recorded step of a held plant; outputs are safe until armed",
       "The run ends with safe outputs, and begins anew at that step. What is recorded from there\n"
       "is a branch, in a file of its own.\n"
       "Examples: hildctl rewind 30s\n          hildctl rewind --to '12.5 s'"},
      rewind);
}

}  // namespace hild::ctl
