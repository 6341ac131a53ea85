// SPDX-License-Identifier: Apache-2.0
/// `hildctl get`.
#include <boost/json.hpp>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"
#include "control/sequence/names.hpp"

namespace hild::ctl {
namespace {

using SignalKind = sequence::Kind;

struct GetArguments : Common {
  std::vector<std::string> names;

  void declare(CLI::App& command) {
    command.add_option("NAME", names, "signals and parameters; default: all");
  }
};

/// Of "output:current", "current": nothing when the run has no such name.
std::string unit_of(const sequence::Names& names, std::string_view name) {
  for (const SignalKind kind :
       {SignalKind::output, SignalKind::input, SignalKind::state, SignalKind::parameter}) {
    if (const auto found = names.find(name, {kind}); found) return (*found)->unit;
  }
  return {};
}

Exit get(const GetArguments& a) {
  Client client = open(a);
  json::object params;
  if (!a.names.empty()) params["names"] = json::array(a.names.begin(), a.names.end());
  const json::value got = client.call("get", params);
  if (a.json) {
    print_json(got);
    return Exit::done;
  }
  const auto known = sequence::Names::from_list(client.call("list"));
  std::vector<TableLine> rows;
  for (const auto& [name, value] : map_of(got, "values")) {
    const std::string unit = known ? unit_of(*known, name) : "";
    TableLine row{std::string(name), quantity_text(number_of(value)), unit == "1" ? "" : unit};
    if (std::string why = difference(got, name, unit); !why.empty()) row.push_back(std::move(why));
    rows.push_back(std::move(row));
  }
  cli::print("frame {}  {:.9g} s{}\n", whole_of(got, "frame"), number_of(got, "time_s"),
             flag_of(got, "frozen") ? "  frozen" : "");
  for (const Told& t : told_in(got)) cli::print("{}: {}\n", t.of, t.words);
  cli::print_text(columns(rows, {1}));
  return Exit::done;
}

}  // namespace

void add_get(CLI::App& app, Exit& exit) {
  add_command<GetArguments>(
      app, exit,
      {"get", "values, all of one step",
       "A name that several kinds have is written input:NAME, output:NAME, state:NAME or "
       "parameter:NAME.\nWhere a line carries another value than the plant has (disarmed, a fault, "
       "...) both are\nshown, and why.\nExample: hildctl get shaft_speed output:current"},
      get);
}

}  // namespace hild::ctl
