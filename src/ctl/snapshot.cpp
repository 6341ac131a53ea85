// SPDX-License-Identifier: Apache-2.0
/// `hildctl snapshot`: save the states, put them back, look at them, start again.
#include <boost/json.hpp>

#include "cli/print.hpp"
#include "ctl/arguments.hpp"
#include "ctl/columns.hpp"
#include "ctl/commands.hpp"
#include "ctl/members.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

constexpr std::int64_t last_slot = 7;

struct SnapshotArguments {
  Common common;
  std::int64_t slot = 0;
  bool parameters = false;
  When when;
};

Exit change(SnapshotArguments& a, std::string_view method, json::object params) {
  if (a.parameters) params["parameters"] = true;
  if (auto put = put_when(a.when, params); !put) return complain(a.common, put.error());
  a.common.waits = a.when.later();
  return perform(a.common, method, params, print_effect);
}

void print_saved(const json::value& saved) {
  for (const char* section : {"states", "parameters"}) {
    std::vector<Row> rows;
    const json::object& values = map_of(saved, section);
    for (const auto& [name, value] : values) {
      rows.push_back({std::string(name), quantity_text(number_of(values, name))});
    }
    cli::print("{}\n{}", section, columns(rows, {1}, "  "));
  }
}

CLI::App* add(CLI::App& snapshot, const char* name, const char* summary,
              const std::shared_ptr<SnapshotArguments>& a, bool has_slot) {
  auto* command = snapshot.add_subcommand(name, summary);
  if (has_slot) {
    command->add_option("SLOT", a->slot, "0 to 7; default: 0")->check(CLI::Range(0L, last_slot));
  }
  add_common_options(*command, a->common);
  return command;
}

}  // namespace

void add_snapshot(CLI::App& app, Exit& exit) {
  auto* snapshot =
      app.add_subcommand("snapshot", "save the states of the plant, restore, show, reset them");
  snapshot->require_subcommand(1);
  const auto a = std::make_shared<SnapshotArguments>();

  auto* save = add(*snapshot, "save", "save all states and parameters in a slot", a, true);
  save->callback([=, &exit] { exit = change(*a, "save", {{"slot", a->slot}}); });

  auto* restore = add(*snapshot, "restore", "put saved states back; time goes on", a, true);
  restore->add_flag("--parameters", a->parameters, "and the parameters");
  restore->callback([=, &exit] { exit = change(*a, "restore", {{"slot", a->slot}}); });

  auto* show = add(*snapshot, "show", "what a slot holds", a, true);
  show->callback([=, &exit] {
    exit = perform(a->common, "saved", {{"slot", a->slot}}, print_saved);
  });

  auto* reset = add(*snapshot, "reset", "back to the initial states; time goes on", a, false);
  reset->add_flag("--parameters", a->parameters, "and to the parameters the run began with");
  reset->callback([=, &exit] { exit = change(*a, "reset", {}); });

  for (auto* changes : {save, restore, reset}) add_when_options(*changes, a->when, false);
  snapshot->footer(
      "Examples: hildctl snapshot save 1\n"
      "          hildctl snapshot restore 1 --parameters");
}

}  // namespace hild::ctl
