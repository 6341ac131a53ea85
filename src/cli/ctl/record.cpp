// SPDX-License-Identifier: Apache-2.0
/// `hildctl record`.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <thread>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"
#include "core/doc_page.hpp"

namespace hild::ctl {
namespace {

struct RecordArguments : ChangeCommand {
  RecordArguments() : ChangeCommand("mark") {}

  std::string action = "mark";
  std::string recorder;
  std::string text;

  void declare(CLI::App& command) {
    command
        .add_option("ACTION", action,
                    "start: begin to record; stop: end it; mark (default): mark the record of a "
                    "step, which triggers a recording")
        ->check(CLI::IsMember({"start", "stop", "mark"}));
    command.add_option("RECORDER", recorder, "to start or stop; default: all that do not yet");
    command.add_option("--text", text, "what the mark is called, on plots and in the recording");
    ChangeCommand::declare(command);
  }
};

/// Whether the recorder has come to what was asked of it, or to nothing.
bool settled(const json::value& recorder) {
  return text_of(recorder, "state") != "beginning" && whole_of(recorder, "closing") == 0;
}

/// Those of `names` in the daemon's status.
json::array named_in(const json::value& status, const std::vector<std::string>& names) {
  json::array found;
  for (const json::value& one : list_of(status, "recorders")) {
    if (std::ranges::find(names, text_of(one, "name")) != names.end()) found.push_back(one);
  }
  return found;
}

// A file is begun and ended beside the run: what became of it is waited for.
json::array await(Client& client, const json::value& asked) {
  std::vector<std::string> names;
  for (const json::value& one : list_of(asked, "recorders")) names.push_back(text_of(one, "name"));
  const auto patience =
      std::chrono::steady_clock::now() + client.timeout().value_or(std::chrono::hours(1));
  json::array now = named_in(client.call("status"), names);
  while (!std::ranges::all_of(now, settled) && std::chrono::steady_clock::now() < patience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    now = named_in(client.call("status"), names);
  }
  return now;
}

std::string words_for(const json::value& recorder) {
  const std::string file = text_of(recorder, "file");
  const std::string error = text_of(recorder, "error");
  std::string words;
  if (text_of(recorder, "state") == "recording") {
    words = fmt::format("records into {}", file);
  } else if (!settled(recorder)) {
    words = "not yet: `hildctl status` tells what became of it";
  } else {
    words = file.empty() ? "does not record" : fmt::format("ended; the newest file is {}", file);
  }
  return fmt::format("{}: {}{}{}", text_of(recorder, "name"), words, error.empty() ? "" : "; ",
                     error);
}

Exit turn(const RecordArguments& a, bool on) {
  if (a.when.later() || !a.text.empty()) {
    fail_call(CallError::Reason::usage, "--at-frame, --at-time and --text are of a mark");
  }
  json::object params;
  if (!a.recorder.empty()) params["recorder"] = a.recorder;
  Client client = open(a);
  const json::value asked = client.call(on ? "record" : "unrecord", params);
  const json::array now = await(client, asked);
  // What was to begin and does not was refused after all.
  const bool refused = on && std::ranges::any_of(now, [](const json::value& one) {
                         return text_of(one, "state") == "idle";
                       });
  if (a.json) {
    print_json(json::object{{"recorders", now}});
  } else {
    for (const json::value& one : now) cli::print("{}\n", words_for(one));
  }
  return refused ? Exit::refused : Exit::done;
}

Exit mark(RecordArguments& a) {
  if (!a.recorder.empty()) {
    fail_call(CallError::Reason::usage, "a mark is of all recorders: expected no RECORDER");
  }
  const json::value status = open(a).call("status");
  const json::value* recording = member(status, "recording");
  // One that is called something is seen on the page all the same.
  if (recording != nullptr && recording->is_null() && a.text.empty()) {
    const bool any = !list_of(status, "recorders").empty();
    fail_call(CallError::Reason::refused, "nothing is recorded: {}, or see {}",
              any ? "`hildctl record start` begins to"
                  : "the run has no \"record:\" in its configuration; start it with "
                    "--set 'record={file: run.mcap}'",
              doc_page("configuration"));
  }
  json::object params = a.params();
  if (!a.text.empty()) params["text"] = a.text;
  a.waits = a.when.later();
  return perform(a, "mark", params, print_effect);
}

Exit record(RecordArguments& a) {
  return a.action == "mark" ? mark(a) : turn(a, a.action == "start");
}

}  // namespace

void add_record(CLI::App& app, Exit& exit) {
  add_command(app, exit,
              {"record", "begin or end a recording, or mark the record of a step",
               "Examples: hildctl record start\n          hildctl record stop slow\n          "
               "hildctl record --label 7 --text 'engine fails'"},
              record, RecordArguments());
}

}  // namespace hild::ctl
