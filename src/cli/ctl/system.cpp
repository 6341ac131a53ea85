// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/system.hpp"

#include <boost/json.hpp>
#include <chrono>
#include <thread>

#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

using namespace std::chrono_literals;

std::string run_words(const json::value& node) {
  if (!flag_of(node, "here")) return "not here";
  return flag_of(node, "waits") ? "waits for others" : "runs";
}

std::string output_words(const json::value& node) {
  if (!flag_of(node, "here")) return "-";
  if (flag_of(node, "armed")) return "armed";
  return flag_of(node, "may_arm") ? "disarmed" : "disarmed, cannot be armed";
}

std::string count_words(const json::value& node, std::string_view key) {
  return flag_of(node, "here") ? std::to_string(whole_of(node, key)) : "-";
}

std::string name_words(const json::value& node) {
  std::string words = text_of(node, "node");
  if (flag_of(node, "own")) words += " (this one)";
  return words;
}

void print_nodes(const json::value& reply) {
  if (list_of(reply, "nodes").empty()) {
    cli::print("this run is no node of a system: none of its devices connects it with others\n");
    return;
  }
  std::vector<TableLine> rows{{"node", "", "outputs", "frame", "overruns", ""}};
  for (const json::value& node : list_of(reply, "nodes")) {
    rows.push_back({name_words(node), run_words(node), output_words(node),
                    count_words(node, "frame"), count_words(node, "overruns"),
                    flag_of(node, "member") ? "" : "no member"});
  }
  cli::print_text(columns(rows, {3, 4}));
  const json::value round = map_of(reply, "round");
  if (text_of(round, "state") != "none") {
    cli::print("\narming of all: {}\n", text_of(round, "words"));
  }
}

}  // namespace

Exit show_system(const Common& common) { return perform(common, "nodes", {}, print_nodes); }

// The daemon answers within some seconds whatever the others do.
Exit arm_system(const Common& common) {
  Client client = open(common);
  const std::int64_t number =
      whole_of(map_of(client.call("arm", {{"system", true}}), "round"), "number");
  json::value round;
  while (true) {
    round = map_of(client.call("nodes"), "round");
    const bool ours = whole_of(round, "number") == number;
    if (!ours || text_of(round, "state") != "under_way") break;
    std::this_thread::sleep_for(50ms);
  }
  if (whole_of(round, "number") != number) {
    fail_call(CallError::Reason::refused, "another request to all nodes came in between");
  }
  if (text_of(round, "state") != "done") {
    fail_call(CallError::Reason::refused,
              "{}; `hildctl status --system` tells what each of them does",
              text_of(round, "words"));
  }
  if (common.json) {
    print_json(round);
  } else {
    cli::print("{}\n", text_of(round, "words"));
  }
  return Exit::done;
}

Exit disarm_system(const Common& common) {
  return perform(common, "disarm", {{"system", true}}, [](const json::value&) {
    cli::print("disarming all members: `hildctl status --system` tells what each of them does\n");
  });
}

}  // namespace hild::ctl
