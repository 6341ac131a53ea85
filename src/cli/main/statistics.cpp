// SPDX-License-Identifier: Apache-2.0
/// `hild statistics`: what the signals of a recording were like.
#include "recording/convert/statistics.hpp"

#include <algorithm>
#include <boost/json.hpp>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "core/json_parts.hpp"

namespace hild::commands {
namespace {

struct StatisticsArguments {
  std::string file;
  RangeArguments range;
  std::vector<std::string> signals;
  bool as_json = false;
};

boost::json::object statistics_json(const convert::SignalStatistics& s) {
  const bool any = s.count > 0;
  const auto known = [&](double x) { return any ? boost::json::value(x) : boost::json::value(); };
  return {{"name", s.name},        {"unit", s.unit},
          {"count", s.count},      {"not_finite", s.not_finite},
          {"mean", known(s.mean)}, {"deviation", known(s.deviation)},
          {"min", known(s.least)}, {"max", known(s.most)}};
}

std::string statistics_text(const std::vector<convert::SignalStatistics>& all) {
  std::size_t width = 6;
  for (const auto& s : all) width = std::max(width, s.name.size() + s.unit.size() + 3);
  std::string text = fmt::format("{:{}}  {:>12} {:>12} {:>12} {:>12} {:>12}\n", "signal", width,
                                 "mean", "deviation", "min", "max", "values");
  for (const auto& s : all) {
    const std::string name = fmt::format("{} [{}]", s.name, s.unit);
    text += s.count == 0 ? fmt::format("{:{}}  {:>51} {:>12}", name, width, "", 0)
                         : fmt::format("{:{}}  {:12.6g} {:12.6g} {:12.6g} {:12.6g} {:>12}", name,
                                       width, s.mean, s.deviation, s.least, s.most, s.count);
    if (s.not_finite > 0) text += fmt::format(", and {} not finite", s.not_finite);
    text += "\n";
  }
  return text;
}

void tell_statistics(const StatisticsArguments& a) {
  auto source = needed(mcap::FileSource::open(a.file));
  LogProgress progress("reading");
  const auto all =
      needed(convert::statistics_of(source, {a.signals, range_of(a.range)}, std::ref(progress)));
  if (Interrupted::raised()) cli::tell("hild: interrupted, the rest is missing\n");
  cli::print_text(a.as_json ? report::pretty(array_of(all, statistics_json))
                            : statistics_text(all));
}

}  // namespace

void add_statistics(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "statistics",
      "mean, standard deviation and extremes of the signals of a recording", tell_statistics);
  command.add_option("LOG", a.file, "recording (MCAP)")->required();
  add_repeated(command, "--signals", a.signals, "NAME,...",
               "only these: inputs, outputs, states, timing, counts (raw, of converters), "
               "outputs.NAME or NAME")
      .delimiter(',');
  command.add_flag("--json", a.as_json, "for programs");
  add_range_arguments(command, a.range);
}

}  // namespace hild::commands
