// SPDX-License-Identifier: Apache-2.0
/// `hildctl event` and `hildctl methods`: any change by the name of its method.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/columns.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using CallKind = CallError::Kind;

struct EventChange {
  std::string method;
  json::object params;
};

/// "set values.a=1 + mark label=2" as changes.
Reply<std::vector<EventChange>> changes_of(const std::vector<std::string>& words) {
  std::vector<std::vector<std::string>> groups(1);
  for (const std::string& word : words) {
    if (word == "+") {
      groups.emplace_back();
    } else {
      groups.back().push_back(word);
    }
  }
  std::vector<EventChange> changes;
  for (std::vector<std::string>& group : groups) {
    if (group.empty() || group.front().find('=') != std::string::npos) {
      return call_error(
          CallKind::usage,
          fmt::format("found {}, expected the name of a method, such as set: `hildctl "
                      "methods` lists them",
                      group.empty() ? "nothing beside +" : "\"" + group.front() + "\""));
    }
    EventChange change{.method = std::move(group.front()), .params = {}};
    group.erase(group.begin());
    auto params = params_of(group);
    if (!params) return tl::make_unexpected(params.error());
    change.params = std::move(*params);
    changes.push_back(std::move(change));
  }
  return changes;
}

void print_result(const json::value& result) {
  if (member(result, "time_s") != nullptr && member(result, "frame") != nullptr) {
    print_effect(result);
  } else if (!result.is_object() || !result.get_object().empty()) {
    print_json(result);
  }
}

Exit event(Common common, const std::vector<std::string>& words, const When& when) {
  auto changes = changes_of(words);
  if (!changes) return complain(common, changes.error());
  std::string method = changes->front().method;
  json::object params = std::move(changes->front().params);
  if (changes->size() > 1) {
    json::array all;
    all.push_back(json::object{{method, std::move(params)}});
    for (std::size_t i = 1; i < changes->size(); ++i) {
      all.push_back(json::object{{(*changes)[i].method, std::move((*changes)[i].params)}});
    }
    method = "transaction";
    params = {{"changes", std::move(all)}};
  }
  if (auto put = put_when(when, params); !put) return complain(common, put.error());
  common.waits = when.later();
  return perform(common, method, params, print_result);
}

void print_methods(const json::value& methods) {
  if (!methods.is_array()) return print_json(methods);
  std::vector<TableLine> rows;
  for (const json::value& one : methods.get_array()) {
    const json::value* writes = member(one, "writes");
    rows.push_back({text_of(one, "name"),
                    writes != nullptr && *writes == true ? "changes" : "reads",
                    text_of(one, "summary")});
  }
  cli::print_text(columns(rows));
}

}  // namespace

void add_event(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand(
      "event", "any method of the control interface by name; several changes as one transaction");
  const auto common = std::make_shared<Common>();
  const auto words = std::make_shared<std::vector<std::string>>();
  const auto when = std::make_shared<When>();
  command
      ->add_option("METHOD", *words,
                   "a method and its params as key=value, values being JSON or text; + and another")
      ->type_name("METHOD [KEY=VALUE ...] [+ METHOD [KEY=VALUE ...]] ...")
      ->required();
  add_when_options(*command, *when, false);
  add_common_options(*command, *common);
  command->footer(
      "All changes of a transaction take effect at the start of one step, or none does. A dot "
      "makes "
      "a map:\nvalues.inertia=8e-4 is {\"values\": {\"inertia\": 8e-4}}. `hildctl methods` lists "
      "the methods.\n"
      "Example: hildctl event set values.inertia=8e-4 + override signal=shaft_speed kind=stuck "
      "value=0 --at-time 10");
  command->callback([=, &exit] { exit = event(*common, *words, *when); });
}

void add_methods(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("methods", "the methods of the control interface");
  const auto common = std::make_shared<Common>();
  add_common_options(*command, *common);
  command->footer("Example: hildctl methods --json");
  command->callback([=, &exit] { exit = perform(*common, "methods", {}, print_methods); });
}

}  // namespace hild::ctl
