// SPDX-License-Identifier: Apache-2.0
/// `hildctl overruns`, `hildctl histograms` and `hildctl models`: where the time goes.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct OverrunArguments : Common {
  std::int64_t last = 20;
  std::int64_t since = -1;
  std::int64_t before = 0;

  void declare(CLI::App& command) {
    command.add_option("--last", last, "how many; default: 20")->check(CLI::PositiveNumber);
    command.add_option("--since-step", since, "only from this step on")
        ->check(CLI::NonNegativeNumber);
    command.add_option("--before", before, "and the phase times of so many steps before each")
        ->check(CLI::Range(0, 16));
  }
};

struct HistogramArguments : Common {
  std::vector<std::string> names;

  void declare(CLI::App& command) {
    command.add_option("NAME", names, "wake, work, margin, lateness, phase.NAME; default: all");
  }
};

/// "wake 3.1, device 4.0, passes 2.2 us", those that took any time.
std::string phases_of(const json::value& step) {
  std::string text;
  for (const auto& [phase, us] : map_of(step, "phases_us")) {
    const double time = number_of(us);
    if (time == 0 || std::isnan(time)) continue;
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", std::string_view(phase), time);
  }
  return text + " us";
}

void print_overruns(const json::value& result) {
  const json::array& overruns = list_of(result, "overruns");
  std::vector<TableLine> rows;
  for (const json::value& one : overruns) {
    rows.push_back({fmt::format("{:.6f} s", number_of(one, "time_s")), text_of(one, "words")});
    for (const json::value& step : list_of(one, "before")) {
      rows.push_back({"", fmt::format("  step {}: {}", whole_of(step, "step"), phases_of(step))});
    }
  }
  const std::int64_t total = whole_of(result, "total");
  const auto shown = static_cast<std::int64_t>(overruns.size());
  if (total == 0) {
    cli::print("no overruns\n");
  } else {
    cli::print("{} overrun{}{}\n{}", total, total == 1 ? "" : "s",
               shown < total ? fmt::format(", the last {}:", shown) : ":",
               columns(rows, {0}, "  "));
  }
}

/// A bar for each bin between the first and the last that holds anything.
std::string bars(const json::value& histogram, const report::Style& style) {
  const json::array& edges = list_of(histogram, "edges_us");
  const json::array& counts = list_of(histogram, "counts");
  double most = 0;
  for (const json::value& n : counts) most = std::fmax(most, number_of(n));
  std::vector<TableLine> rows;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const double n = number_of(counts[i]);
    if (!(n > 0)) continue;
    const auto edge = [&](std::size_t at) {
      return at < edges.size() && edges[at].is_number()
                 ? fmt::format("{:.4g}", number_of(edges[at]))
                 : std::string();
    };
    rows.push_back({i == 0 ? "" : edge(i - 1), "..", edge(i), "us", fmt::format("{:.0f}", n),
                    report::bar(n / most, std::max(style.width - 40, 10), style)});
  }
  return columns(rows, {0, 2, 4}, "  ");
}

void print_histograms(const json::value& result) {
  if (!result.is_object()) return print_json(result);
  const report::Style style = report::style_for(STDOUT_FILENO);
  for (const auto& [name, histogram] : result.get_object()) {
    const std::string text = bars(histogram, style);
    cli::print("{}{}{}", std::string_view(name), text.empty() ? ": nothing yet\n" : "\n", text);
  }
}

/// The planned time of all parts that a model has in a frame; NaN: none is planned.
double planned_of(const json::value& result, std::string_view model) {
  double sum = std::nan("");
  for (const json::value& span : list_of(result, "planned")) {
    if (text_of(span, "model") != model) continue;
    sum = (std::isnan(sum) ? 0 : sum) + number_of(span, "took_us");
  }
  return sum;
}

/// "CPU 1"; of the frame thread with its name.
std::string cpu_words(const json::value& result, std::int64_t worker) {
  std::string where;
  for (const json::value& one : list_of(result, "cpus")) {
    const json::value* const cpu = one.is_object() ? one.get_object().if_contains("cpu") : nullptr;
    if (whole_of(one, "worker") != worker || cpu == nullptr || !cpu->is_number()) continue;
    where = fmt::format("CPU {}", whole_of(one, "cpu"));
  }
  if (worker >= 0) return where;
  return where.empty() ? "frame thread" : "frame thread, " + where;
}

/// "12.3" of a number in an object that may not be there.
std::string tenths(const json::value& one, const char* of, const char* which) {
  const json::value* const times = one.is_object() ? one.get_object().if_contains(of) : nullptr;
  return times == nullptr || !times->is_object() ? std::string()
                                                 : fmt::format("{:.1f}", number_of(*times, which));
}

void print_background(const json::array& background) {
  std::vector<TableLine> rows{
      {"in the background", "on", "steps", "p50 us", "p99 us", "max us", "planned us", "due us"}};
  for (const json::value& one : background) {
    const double planned = number_of(one, "planned_us");
    rows.push_back({std::string(text_of(one, "model")), fmt::format("CPU {}", whole_of(one, "cpu")),
                    fmt::format("{}", whole_of(one, "runs")), tenths(one, "took_us", "p50"),
                    tenths(one, "took_us", "p99"), tenths(one, "took_us", "max"),
                    planned > 0 ? fmt::format("{:.1f}", planned) : "",
                    fmt::format("{:.1f}", number_of(one, "due_us"))});
  }
  cli::print("{}", columns(rows, {2, 3, 4, 5, 6, 7}, "  "));
}

void print_models(const json::value& result) {
  const json::array& observed = list_of(result, "observed");
  const json::array& background = list_of(result, "background");
  if (!background.empty()) print_background(background);
  if (observed.empty()) {
    if (background.empty()) cli::print("no model is run beside another\n");
    return;
  }
  if (!background.empty()) cli::print("\n");
  std::vector<TableLine> rows{{"model", "on", "from us", "p50 us", "p99 us", "planned us"}};
  for (const json::value& one : observed) {
    const double planned = planned_of(result, text_of(one, "model"));
    rows.push_back({std::string(text_of(one, "model")), cpu_words(result, whole_of(one, "worker")),
                    tenths(one, "start_us", "p50"), tenths(one, "took_us", "p50"),
                    tenths(one, "took_us", "p99"),
                    std::isnan(planned) ? "" : fmt::format("{:.1f}", planned)});
  }
  cli::print("{}", columns(rows, {2, 3, 4, 5}, "  "));
}

Exit models(const Common& a) { return perform(a, "models", {}, print_models); }

Exit overruns(const OverrunArguments& a) {
  json::object params{{"last", a.last}};
  if (a.before > 0) params["before"] = a.before;
  if (a.since >= 0) params["since_step"] = a.since;
  return perform(a, "overruns", params, print_overruns);
}

Exit histograms(const HistogramArguments& a) {
  json::object params;
  if (!a.names.empty()) params["names"] = json::array(a.names.begin(), a.names.end());
  return perform(a, "histograms", params, print_histograms);
}

}  // namespace

void add_overruns(CLI::App& app, Exit& exit) {
  add_command<OverrunArguments>(app, exit,
                                {"overruns", "the last steps that ended late, and why",
                                 "Example: hildctl overruns --last 100 --json"},
                                overruns);
  add_command<HistogramArguments>(
      app, exit,
      {"histograms", "how wake latency, work, margin and phases are distributed",
       "Example: hildctl histograms wake work"},
      histograms);
  add_command<Common>(app, exit,
                      {"models", "which of several models is run when, on which CPU, and its plan",
                       "Example: hildctl models --json"},
                      models);
}

}  // namespace hild::ctl
