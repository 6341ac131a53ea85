// SPDX-License-Identifier: Apache-2.0
#include "cli/report/sweep.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace hild::report {
namespace {

namespace json = boost::json;
using Row = std::vector<std::string>;

const json::value* part(const json::value& report, std::string_view pointer) {
  boost::system::error_code none;
  return report.find_pointer(pointer, none);
}

std::string count(const json::value& report, std::string_view pointer) {
  const json::value* const v = part(report, pointer);
  return v != nullptr && v->is_int64() ? grouped(v->as_int64()) : "";
}

std::string number(const json::value* v) {
  if (v == nullptr || !v->is_number()) return "";
  return fmt::format("{:.6g}", v->to_number<double>());
}

// The first signal that a report tells of: its name, or one of its numbers.
std::string signal_name(const Sweep& sweep) {
  for (const SweptRun& run : sweep.runs) {
    const json::value* const name = part(run.report, "/signals/0/name");
    if (name != nullptr && name->is_string()) return std::string(name->as_string());
  }
  return {};
}

std::string text_at(const json::value& report, std::string_view pointer) {
  const json::value* const v = part(report, pointer);
  return v != nullptr && v->is_string() ? std::string(v->as_string()) : std::string();
}

bool any_sequence(const Sweep& sweep) {
  return std::ranges::any_of(sweep.runs, [](const SweptRun& run) {
    return !text_at(run.report, "/sequence/result").empty();
  });
}

Row head_of(const Sweep& sweep) {
  Row head{"run"};
  head.insert(head.end(), sweep.keys.begin(), sweep.keys.end());
  const std::string signal = signal_name(sweep);
  if (any_sequence(sweep)) head.emplace_back("sequence");
  for (const char* const more : {"exit", "frames", "overruns", "state events"}) {
    head.emplace_back(more);
  }
  if (!signal.empty()) {
    for (const char* const which : {"min", "max", "last"}) {
      head.push_back(fmt::format("{} {}", signal, which));
    }
  }
  return head;
}

Row row_of(const SweptRun& run, std::size_t number_of_run, std::size_t columns, bool sequence) {
  Row row{fmt::format("{:03}", number_of_run)};
  row.insert(row.end(), run.values.begin(), run.values.end());
  if (sequence) row.push_back(text_at(run.report, "/sequence/result"));
  row.push_back(std::to_string(run.exit_code));
  for (const char* const counted : {"/frames", "/overruns/total", "/state_events"}) {
    row.push_back(count(run.report, counted));
  }
  for (const char* const of : {"/signals/0/min", "/signals/0/max", "/signals/0/last"}) {
    row.push_back(number(part(run.report, of)));
  }
  row.resize(columns);
  return row;
}

std::string in_columns(const std::vector<Row>& rows, const Style& style) {
  std::vector<int> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columns(row[c]));
  }
  std::string text;
  for (const Row& row : rows) {
    text += ' ';
    for (std::size_t c = 0; c < row.size(); ++c) text += right(row[c], widths[c] + 1, style) + ' ';
    while (text.back() == ' ') text.pop_back();
    text += '\n';
  }
  return text;
}

}  // namespace

std::string sweep_table(const Sweep& sweep, const Style& style) {
  std::vector<Row> rows{head_of(sweep)};
  const bool sequence = any_sequence(sweep);
  for (const SweptRun& run : sweep.runs) {
    rows.push_back(row_of(run, rows.size(), rows.front().size(), sequence));
  }
  std::string text = title_line(fmt::format("hild run {}", sweep.config), style) + "\n";
  text += in_columns(rows, style);
  const auto well =
      std::ranges::count_if(sweep.runs, [](const SweptRun& run) { return run.exit_code == 0; });
  text += fmt::format("\n {} of {} runs ended well.\n", well, sweep.runs.size());
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    const SweptRun& run = sweep.runs[i];
    if (run.exit_code != 0) text += fmt::format(" {:03}: {}\n", i + 1, run.message);
  }
  return text;
}

json::value to_json(const Sweep& sweep) {
  json::array runs;
  for (const SweptRun& run : sweep.runs) {
    json::object settings;
    for (std::size_t k = 0; k < sweep.keys.size(); ++k) settings[sweep.keys[k]] = run.values[k];
    runs.push_back({{"settings", settings},
                    {"folder", run.folder},
                    {"exit_code", run.exit_code},
                    {"message", run.message},
                    {"report", run.report}});
  }
  return {{"config", sweep.config}, {"runs", runs}};
}

json::array sequences_of(const Sweep& sweep) {
  json::array all;
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    const SweptRun& run = sweep.runs[i];
    const json::value* const outcome = part(run.report, "/sequence");
    if (outcome != nullptr && outcome->is_object()) {
      all.push_back(*outcome);
      continue;
    }
    json::object let;
    for (std::size_t k = 0; k < sweep.keys.size(); ++k) let[sweep.keys[k]] = run.values[k];
    all.push_back({{"name", fmt::format("run {:03}", i + 1)},
                   {"let", std::move(let)},
                   {"errors", 1},
                   {"steps", json::array{{{"name", "the run"},
                                          {"does", "run"},
                                          {"result", "error"},
                                          {"message", run.message}}}}});
  }
  return all;
}

}  // namespace hild::report
