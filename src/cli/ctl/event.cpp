// SPDX-License-Identifier: Apache-2.0
/// `hildctl event`, `hildctl methods` and `hildctl rights`: any change by the name of its method.
#include <algorithm>
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct EventArguments : Common {
  std::vector<std::string> words;
  When when;

  void declare(CLI::App& command) {
    command
        .add_option("METHOD", words,
                    "a method and its params as key=value, values being JSON or text; + and "
                    "another")
        ->type_name("METHOD [KEY=VALUE ...] [+ METHOD [KEY=VALUE ...]] ...")
        ->required();
    when.declare(command, false);
  }
};

struct EventChange {
  std::string method;
  json::object params;
};

/// "set values.a=1 + mark label=2" as changes.
std::vector<EventChange> changes_of(const std::vector<std::string>& words) {
  std::vector<EventChange> changes;
  for (auto first = words.begin();; ++first) {
    const auto last = std::find(first, words.end(), "+");
    if (first == last || first->find('=') != std::string::npos) {
      fail_call(CallError::Reason::usage,
                "found {}, expected the name of a method, such as set: `hildctl methods` lists "
                "them",
                first == last ? "nothing beside +" : "\"" + *first + "\"");
    }
    changes.push_back({*first, params_of({first + 1, last})});
    if (last == words.end()) return changes;
    first = last;
  }
}

void print_result(const json::value& result) {
  if (member(result, "time_s") != nullptr && member(result, "frame") != nullptr) {
    print_effect(result);
  } else if (!result.is_object() || !result.get_object().empty()) {
    print_json(result);
  }
}

Exit event(EventArguments& a) {
  std::vector<EventChange> changes = changes_of(a.words);
  EventChange all = changes.front();
  if (changes.size() > 1) {
    json::array each;
    for (EventChange& c : changes) each.push_back(json::object{{c.method, std::move(c.params)}});
    all = {"transaction", {{"changes", std::move(each)}}};
  }
  a.when.put(all.params);
  a.waits = a.when.later();
  return perform(a, all.method, all.params, print_result);
}

void print_methods(const json::value& methods) {
  if (!methods.is_array()) return print_json(methods);
  std::vector<TableLine> rows;
  for (const json::value& one : methods.get_array()) {
    rows.push_back({text_of(one, "name"), flag_of(one, "writes") ? "changes" : "reads",
                    text_of(one, "summary")});
  }
  cli::print_text(columns(rows));
}

// "set: level, gain".
void print_rights(const json::value& rights) {
  const json::object* const all = rights.if_object();
  if (all == nullptr) return print_json(rights);
  if (!flag_of(*all, "writes")) {
    cli::print_text("nothing: this client may only read\n");
    return;
  }
  const json::object* const may = all->at("may").if_object();
  if (may == nullptr) {
    cli::print_text("everything\n");
    return;
  }
  cli::print("of the role {}, besides disarm, freeze and stop:\n", text_of(*all, "role"));
  std::vector<TableLine> rows;
  for (const auto& [method, names] : *may) {
    std::string of;
    for (const json::value& name : names.is_array() ? names.get_array() : json::array{names}) {
      of += fmt::format("{}{}", of.empty() ? "" : ", ", std::string_view(name.as_string()));
    }
    rows.push_back({std::string(method), of});
  }
  cli::print_text(columns(rows));
}

}  // namespace

void add_event(CLI::App& app, Exit& exit) {
  add_command<EventArguments>(
      app, exit,
      {"event", "any method of the control interface by name; several changes as one transaction",
       "All changes of a transaction take effect at the start of one step, or none does. A dot "
       "makes a map:\nvalues.inertia=8e-4 is {\"values\": {\"inertia\": 8e-4}}. `hildctl methods` "
       "lists the methods.\n"
       "Example: hildctl event set values.inertia=8e-4 + override signal=shaft_speed kind=stuck "
       "value=0 --at-time 10"},
      event);
  add_command(
      app, exit,
      {"methods", "the methods of the control interface", "Example: hildctl methods --json"},
      [](const Common& common) { return perform(common, "methods", {}, print_methods); });
  add_command(app, exit,
              {"rights", "what may be changed by this connection",
               "Example: hildctl rights --socket trainee.sock"},
              [](const Common& common) { return perform(common, "rights", {}, print_rights); });
}

}  // namespace hild::ctl
