// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/arguments.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <charconv>
#include <cmath>

#include "control/rpc/parse_json.hpp"
#include "hild/core/units.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using CallKind = CallError::Kind;

constexpr double longest = 1e9;

}  // namespace

Reply<double> seconds_of(std::string_view option, const std::string& text) {
  const auto split = split_quantity(text);
  if (!split) {
    return call_error(
        CallKind::usage,
        fmt::format("{} {}: expected seconds, or a time such as '500 ms'", option, text));
  }
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) {
    return call_error(CallKind::usage,
                      fmt::format("{} {}: {}", option, text, value.error().message));
  }
  if (!(*value >= 0) || *value > longest) {
    return call_error(CallKind::usage,
                      fmt::format("{} {}: expected 0 to {:g} s", option, text, longest));
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

Reply<json::object> values_of(const std::vector<std::string>& settings, std::string_view example) {
  json::object values;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == setting.size()) {
      return call_error(CallKind::usage,
                        fmt::format("found \"{}\", expected {}", setting, example));
    }
    const std::string name = setting.substr(0, equals);
    if (values.contains(name)) {
      return call_error(CallKind::usage, fmt::format("{} is there twice, expected once", name));
    }
    values[name] = value_of(setting.substr(equals + 1));
  }
  return values;
}

Reply<json::object> params_of(const std::vector<std::string>& settings) {
  json::object params;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == 0 || equals == std::string::npos) {
      return call_error(
          CallKind::usage,
          fmt::format("found \"{}\", expected key=value (and + between changes)", setting));
    }
    const std::string key = setting.substr(0, equals);
    const std::string text = setting.substr(equals + 1);
    auto parsed = rpc::parse_json(text, {});
    json::value value = parsed ? std::move(*parsed) : json::value(json::string(text));
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

void add_when_options(CLI::App& command, When& when, bool may_restart) {
  auto* frame = command
                    .add_option("--at-frame", when.frame,
                                "at the first step that starts at this simulated frame or later")
                    ->type_name("N")
                    ->check(CLI::NonNegativeNumber);
  command
      .add_option("--at-time", when.time,
                  "at the first step that starts at this simulated time or later")
      ->type_name("T")
      ->excludes(frame);
  if (!may_restart) return;
  command.add_flag(
      "--restart", when.restart,
      "drop the history of a multistep method: for changes that make derivatives jump");
}

Reply<void> put_when(const When& when, json::object& params) {
  if (when.restart) params["restart"] = true;
  if (when.frame >= 0) params["at"] = {{"frame", when.frame}};
  if (when.time.empty()) return {};
  const auto time = seconds_of("--at-time", when.time);
  if (!time) return tl::make_unexpected(time.error());
  params["at"] = {{"time_s", *time}};
  return {};
}

}  // namespace hild::ctl
