// SPDX-License-Identifier: Apache-2.0
/// `hildctl list`: parameters, inputs, outputs, states, faults of devices and alarms by name.
#include <array>
#include <boost/json.hpp>
#include <cmath>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

constexpr std::array<const char*, 6> sections{"parameters", "inputs",        "outputs",
                                              "states",     "device_faults", "alarms"};

struct ListArguments : Common {
  std::string section;

  void declare(CLI::App& command) {
    command
        .add_option("KIND", section,
                    "parameters, inputs, outputs, states, device_faults or alarms; default: all")
        ->check(CLI::IsMember(std::vector<std::string>(sections.begin(), sections.end())));
  }
};

/// "0 ... 3", "from 0", "up to 3"; nothing without limits.
std::string limits(const json::value& entry) {
  const double low = number_of(entry, "low");
  const double high = number_of(entry, "high");
  if (std::isfinite(low) && std::isfinite(high)) return fmt::format("{:.6g} ... {:.6g}", low, high);
  if (std::isfinite(low)) return fmt::format("from {:.6g}", low);
  return std::isfinite(high) ? fmt::format("up to {:.6g}", high) : "";
}

std::string remarks(const json::value& entry) {
  std::string text = limits(entry);
  if (const double start = number_of(entry, "start"); std::isfinite(start)) {
    text += fmt::format("{}start {:.6g}", text.empty() ? "" : ", ", start);
  }
  if (const std::string from = text_of(entry, "from"); !from.empty()) text += "from " + from;
  if (const std::string to = text_of(entry, "to"); !to.empty()) text += "to " + to;
  if (const double safe = number_of(entry, "safe"); std::isfinite(safe)) {
    text += fmt::format("{}safe {:.6g}", text.empty() ? "" : ", ", safe);
  }
  if (const std::string help = text_of(entry, "help"); !help.empty()) {
    text = member(entry, "unit")->as_string().empty() ? help : text + ": " + help;
  }
  if (const json::value* differs = member(entry, "differs"); differs != nullptr) {
    const double line = number_of(*differs, "line");
    text += text.empty() ? "" : ", ";
    if (!std::isnan(line)) text += fmt::format("now {:.6g}: ", line);
    text += text_of(*differs, "why");
  }
  return text;
}

/// "output:temperature above 360 K: the winding is hot; latches, then disarm; open, active".
std::string alarm_words(const json::value& alarm) {
  const std::string unit = text_of(alarm, "unit");
  std::string words = text_of(alarm, "watch");
  for (const char* limit : {"below", "above"}) {
    const double value = number_of(alarm, limit);
    if (!std::isfinite(value)) continue;
    words += fmt::format(" {} {:.6g}{}{}", limit, value, unit == "1" ? "" : " ",
                         unit == "1" ? "" : unit);
  }
  if (const std::string text = text_of(alarm, "text"); !text.empty()) words += ": " + text;
  if (flag_of(alarm, "latch", false)) words += "; latches";
  if (const std::string then = text_of(alarm, "then"); then != "note") words += "; then " + then;
  return words;
}

/// "active", "open" of one that is over and was not acknowledged; nothing of one that is neither.
std::string alarm_state(const json::value& alarm) {
  if (flag_of(alarm, "active", false)) return "active";
  return flag_of(alarm, "open", false) ? "open" : "-";
}

void print_alarms(const json::value& list) {
  std::vector<TableLine> rows;
  for (const json::value& one : list_of(list, "alarms")) {
    rows.push_back({text_of(one, "name"), alarm_state(one), alarm_words(one)});
  }
  cli::print("alarms{}", rows.empty() ? " none\n" : "\n");
  cli::print_text(columns(rows, {}, "  "));
}

void print_section(const json::value& list, const char* section) {
  std::vector<TableLine> rows;
  for (const json::value& entry : list_of(list, section)) {
    const std::string unit = text_of(entry, "unit");
    rows.push_back({text_of(entry, "name"), quantity_text(number_of(entry, "value")),
                    unit == "1" ? "" : unit, remarks(entry)});
  }
  cli::print("{}{}", section, rows.empty() ? " none\n" : "\n");
  cli::print_text(columns(rows, {1}, "  "));
}

Exit list(const ListArguments& a) {
  return perform(a, "list", {}, [&](const json::value& list) {
    for (const char* one : sections) {
      if (!a.section.empty() && a.section != one) continue;
      one == std::string_view("alarms") ? print_alarms(list) : print_section(list, one);
    }
  });
}

}  // namespace

void add_list(CLI::App& app, Exit& exit) {
  add_command<ListArguments>(
      app, exit,
      {"list",
       "parameters, inputs, outputs, states, faults of devices, alarms: names, values, units",
       "Example: hildctl list parameters"},
      list);
}

}  // namespace hild::ctl
