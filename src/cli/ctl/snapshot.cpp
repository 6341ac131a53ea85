// SPDX-License-Identifier: Apache-2.0
/// `hildctl snapshot`: save the states, put them back, look at them, start again.
#include <boost/json.hpp>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct SlotArguments : Common {
  std::int64_t slot = 0;

  void declare(CLI::App& command) {
    command.add_option("SLOT", slot, std::string(exec::slot_field.help))
        ->check(CLI::Range(exec::slot_range.low, exec::slot_range.high));
  }
};

void print_saved(const json::value& saved) {
  for (const char* section : {"states", "parameters"}) {
    std::vector<TableLine> rows;
    for (const auto& [name, value] : map_of(saved, section)) {
      rows.push_back({std::string(name), quantity_text(number_of(value))});
    }
    cli::print("{}\n{}", section, columns(rows, {1}, "  "));
  }
}

}  // namespace

void add_snapshot(CLI::App& app, Exit& exit) {
  auto* snapshot =
      app.add_subcommand("snapshot", "save the states of the plant, restore, show, reset them");
  snapshot->require_subcommand(1);
  add_change(*snapshot, exit, {"save", "save all states and parameters in a slot", ""});
  add_change(*snapshot, exit, {"restore", "put saved states back; time goes on", ""});
  add_command<SlotArguments>(*snapshot, exit, {"show", "what a slot holds", ""}, [](const auto& a) {
    return perform(a, "saved", {{"slot", a.slot}}, print_saved);
  });
  add_change(*snapshot, exit, {"reset", "back to the initial states; time goes on", ""});
  snapshot->footer(
      "Examples: hildctl snapshot save 1\n"
      "          hildctl snapshot restore 1 --parameters");
}

}  // namespace hild::ctl
