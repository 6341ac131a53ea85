// SPDX-License-Identifier: Apache-2.0
/// `hildctl history`: what the run did of late.
#include <boost/json.hpp>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct HistoryArguments : Common {
  std::vector<std::string> names;
  double last = 0;
  std::int64_t rows = 0;

  void declare(CLI::App& command) {
    command.add_option("NAME", names, "signals; without them only the changes are told");
    command.add_option("--last", last, "so many seconds, 60 at most; default: 60")
        ->check(CLI::Range(0.0, 60.0));
    command.add_option("--rows", rows, "so many rows at most, evenly spread")
        ->check(CLI::PositiveNumber);
  }
};

void print_history(const json::value& result) {
  TableLine head{"time in s"};
  for (const json::value& name : list_of(result, "names")) head.emplace_back(name.as_string());
  std::vector<TableLine> rows{head};
  const json::array& times = list_of(result, "time_s");
  const json::array& values = list_of(result, "values");
  rows.reserve(times.size() + 1);
  std::vector<std::size_t> right{0};
  for (std::size_t c = 1; c < head.size(); ++c) right.push_back(c);
  for (std::size_t n = 0; n < times.size() && n < values.size(); ++n) {
    TableLine row{fmt::format("{:.6f}", number_of(times[n]))};
    for (const json::value& v : values[n].as_array()) row.push_back(quantity_text(number_of(v)));
    rows.push_back(std::move(row));
  }
  if (head.size() > 1) cli::print_text(columns(rows, right));
  for (const json::value& one : list_of(result, "changes")) {
    cli::print("{:.6f} s  {}\n", number_of(one, "time_s"), text_of(one, "words"));
  }
}

Exit history(const HistoryArguments& a) {
  json::object params;
  if (!a.names.empty()) params["names"] = json::array(a.names.begin(), a.names.end());
  if (a.last > 0) params["last_s"] = a.last;
  if (a.rows > 0) params["rows"] = a.rows;
  return perform(a, "history", params, print_history);
}

}  // namespace

void add_history(CLI::App& app, Exit& exit) {
  add_command<HistoryArguments>(app, exit,
                                {"history", "samples of the last minute, and the newest changes",
                                 "Example: hildctl history shaft_speed --last 5 --rows 20"},
                                history);
}

}  // namespace hild::ctl
