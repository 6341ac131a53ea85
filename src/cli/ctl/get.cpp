// SPDX-License-Identifier: Apache-2.0
/// `hildctl get`.
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/columns.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/ctl/told.hpp"
#include "cli/terminal/print.hpp"
#include "control/sequence/names.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using SignalKind = sequence::Kind;

/// Of "output:current", "current": nothing when the run has no such name.
std::string unit_of(const sequence::Names& names, std::string_view name) {
  for (const SignalKind kind :
       {SignalKind::output, SignalKind::input, SignalKind::state, SignalKind::parameter}) {
    if (const auto found = names.find(name, {kind}); found) return (*found)->unit;
  }
  return {};
}

Exit get(const Common& common, const std::vector<std::string>& names) {
  auto client = open(common);
  if (!client) return complain(common, client.error());
  json::object params;
  if (!names.empty()) params["names"] = json::array(names.begin(), names.end());
  const auto got = (*client)->call("get", params);
  if (!got) return complain(common, got.error());
  if (common.json) {
    print_json(*got);
    return Exit::done;
  }
  const auto list = (*client)->call("list");
  if (!list) return complain(common, list.error());
  const auto known = sequence::Names::from_list(*list);
  std::vector<TableLine> rows;
  for (const auto& [name, value] : map_of(*got, "values")) {
    const std::string unit = known ? unit_of(*known, name) : "";
    TableLine row{std::string(name), quantity_text(number_of(map_of(*got, "values"), name)),
                  unit == "1" ? "" : unit};
    if (std::string why = difference(*got, name, unit); !why.empty()) row.push_back(std::move(why));
    rows.push_back(std::move(row));
  }
  const json::value* frozen = member(*got, "frozen");
  cli::print("frame {}  {:.9g} s{}\n", whole_of(*got, "frame"), number_of(*got, "time_s"),
             frozen != nullptr && *frozen == true ? "  frozen" : "");
  for (const Told& t : told_in(*got)) cli::print("{}: {}\n", t.of, t.words);
  cli::print_text(columns(rows, {1}));
  return Exit::done;
}

}  // namespace

void add_get(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("get", "values, all of one step");
  const auto common = std::make_shared<Common>();
  const auto names = std::make_shared<std::vector<std::string>>();
  command->add_option("NAME", *names, "signals and parameters; default: all");
  add_common_options(*command, *common);
  command->footer(
      "A name that several kinds have is written input:NAME, output:NAME, state:NAME or "
      "parameter:NAME.\nWhere a line carries another value than the plant has (disarmed, a fault, "
      "...) both are\nshown, and why.\nExample: hildctl get shaft_speed output:current");
  command->callback([=, &exit] { exit = get(*common, *names); });
}

}  // namespace hild::ctl
