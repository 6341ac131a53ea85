// SPDX-License-Identifier: Apache-2.0
/// `hildctl snapshot`: save the states, put them back, look at them, start again.
#include <boost/json.hpp>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/columns.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

struct SlotArguments {
  Common common;
  std::int64_t slot = 0;
};

void print_saved(const json::value& saved) {
  for (const char* section : {"states", "parameters"}) {
    std::vector<TableLine> rows;
    const json::object& values = map_of(saved, section);
    for (const auto& [name, value] : values) {
      rows.push_back({std::string(name), quantity_text(number_of(values, name))});
    }
    cli::print("{}\n{}", section, columns(rows, {1}, "  "));
  }
}

}  // namespace

void add_snapshot(CLI::App& app, Exit& exit) {
  auto* snapshot =
      app.add_subcommand("snapshot", "save the states of the plant, restore, show, reset them");
  snapshot->require_subcommand(1);
  add_change(*snapshot, exit, {"save", "save all states and parameters in a slot", "", "save"});
  add_change(*snapshot, exit, {"restore", "put saved states back; time goes on", "", "restore"});
  auto* show = snapshot->add_subcommand("show", "what a slot holds");
  const auto a = std::make_shared<SlotArguments>();
  show->add_option("SLOT", a->slot, std::string(exec::slot_field.help))
      ->check(CLI::Range(exec::slot_range.low, exec::slot_range.high));
  add_common_options(*show, a->common);
  show->callback([=, &exit] {
    exit = perform(a->common, "saved", {{"slot", a->slot}}, print_saved);
  });
  add_change(*snapshot, exit, {"reset", "back to the initial states; time goes on", "", "reset"});
  snapshot->footer(
      "Examples: hildctl snapshot save 1\n"
      "          hildctl snapshot restore 1 --parameters");
}

}  // namespace hild::ctl
