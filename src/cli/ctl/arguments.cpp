// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/arguments.hpp"

#include <boost/json.hpp>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "cli/ctl/client.hpp"
#include "control/rpc/parse_json.hpp"
#include "hild/core/csv.hpp"
#include "hild/core/units.hpp"
#include "hild/core/whole_file.hpp"

namespace hild::ctl {
namespace {

using CallKind = CallError::Reason;

constexpr double longest = 1e9;

std::pair<std::string, std::string> sides_of(const std::string& setting, bool may_be_empty,
                                             std::string_view expected) {
  const auto equals = setting.find('=');
  if (equals == 0 || equals == std::string::npos ||
      (!may_be_empty && equals + 1 == setting.size())) {
    fail_call(CallKind::usage, "found \"{}\", expected {}", setting, expected);
  }
  return {setting.substr(0, equals), setting.substr(equals + 1)};
}

std::optional<double> bare_number(std::string_view text) {
  const auto split = split_quantity(text);
  return split && split->unit.empty() ? std::optional(split->number) : std::nullopt;
}

// "30s" as it is typed; elsewhere a unit stands apart from its number.
std::string apart(const std::string& text) {
  double number = 0;
  const char* const last = text.data() + text.size();
  const char* const end = std::from_chars(text.data(), last, number).ptr;
  if (end == text.data() || end == last || std::isalpha(static_cast<unsigned char>(*end)) == 0)
    return text;
  return std::string(text.data(), end) + " " + std::string(end, last);
}

}  // namespace

double seconds_of(std::string_view option, const std::string& typed) {
  const std::string text = apart(typed);
  const auto split = split_quantity(text);
  if (!split) {
    fail_call(CallKind::usage, "{} {}: expected seconds, or a time such as '500 ms'", option, text);
  }
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) fail_call(CallKind::usage, "{} {}: {}", option, text, value.error().message);
  if (!(*value >= 0) || *value > longest) {
    fail_call(CallKind::usage, "{} {}: expected 0 to {:g} s", option, text, longest);
  }
  return *value;
}

json::value value_of(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && read == end && std::isfinite(number)) return number;
  return json::string(text);
}

json::object values_of(const std::vector<std::string>& settings, std::string_view example) {
  json::object values;
  for (const std::string& setting : settings) {
    const auto [name, text] = sides_of(setting, false, example);
    if (values.contains(name)) {
      fail_call(CallKind::usage, "{} is there twice, expected once", name);
    }
    values[name] = value_of(text);
  }
  return values;
}

json::object params_of(const std::vector<std::string>& settings) {
  json::object params;
  for (const std::string& setting : settings) {
    const auto [key, text] = sides_of(setting, true, "key=value (and + between changes)");
    json::value value = rpc::parse_json(text, {}).value_or(json::value(json::string(text)));
    const auto dot = key.find('.');
    if (dot == std::string::npos) {
      params[key] = std::move(value);
      continue;
    }
    json::value& map = params[key.substr(0, dot)];
    if (!map.is_object()) map = json::object();
    map.get_object()[key.substr(dot + 1)] = std::move(value);
  }
  return params;
}

json::object read_table(const std::string& file) {
  const auto text = whole_file(file);
  if (!text) fail_call(CallKind::usage, "cannot read {}: {}", file, std::strerror(errno));
  json::array times;
  json::array values;
  for (CsvLines lines(*text); lines.next();) {
    const CsvFields& fields = lines.fields();
    const auto time = bare_number(fields.front());
    const auto value = fields.size() == 2 ? bare_number(fields.back()) : std::nullopt;
    const bool heading = lines.number() == 1 && !time && !value;
    if (heading) continue;
    if (!time || !value) {
      fail_call(CallKind::usage,
                "{}:{}: found \"{:.60}\", expected a time in s, a comma and a value, such as "
                "\"0.5, 1.2\"",
                file, lines.number(), lines.line());
    }
    times.push_back(*time);
    values.push_back(*value);
  }
  if (times.empty()) fail_call(CallKind::usage, "{}: found no line of a time and a value", file);
  return {{"times_s", std::move(times)}, {"values", std::move(values)}};
}

void When::declare(CLI::App& command, bool may_restart) {
  auto* at_frame = command
                       .add_option("--at-frame", frame,
                                   "at the first step that starts at this simulated frame or later")
                       ->type_name("N")
                       ->check(CLI::NonNegativeNumber);
  command
      .add_option("--at-time", time,
                  "at the first step that starts at this simulated time or later")
      ->type_name("T")
      ->excludes(at_frame);
  if (!may_restart) return;
  command.add_flag(
      "--restart", restart,
      "drop the history of a multistep method: for changes that make derivatives jump");
}

void When::put(json::object& params) const {
  if (restart) params["restart"] = true;
  if (frame >= 0) params["at"] = {{"frame", frame}};
  if (!time.empty()) params["at"] = {{"time_s", seconds_of("--at-time", time)}};
}

}  // namespace hild::ctl
