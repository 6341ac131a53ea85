// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/replies.hpp"

#include <boost/json.hpp>
#include <cmath>
#include <limits>

#include "cli/ctl/client.hpp"

namespace hild::ctl {

const json::value* member(const json::value& of, std::string_view key) {
  return of.is_object() ? of.get_object().if_contains(key) : nullptr;
}

double number_of(const json::value& value) {
  return value.is_number() ? value.to_number<double>() : std::numeric_limits<double>::quiet_NaN();
}

double number_of(const json::value& of, std::string_view key) {
  const json::value* value = member(of, key);
  return number_of(value != nullptr ? *value : json::value());
}

std::int64_t whole_of(const json::value& of, std::string_view key) {
  const double value = number_of(of, key);
  return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
}

bool flag_of(const json::value& of, std::string_view key, bool otherwise) {
  const json::value* value = member(of, key);
  return value != nullptr && value->is_bool() ? value->get_bool() : otherwise;
}

std::string text_of(const json::value& of, std::string_view key) {
  const json::value* value = member(of, key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

const json::array& list_of(const json::value& of, std::string_view key) {
  static const json::array none;
  const json::value* value = member(of, key);
  return value != nullptr && value->is_array() ? value->get_array() : none;
}

const json::object& map_of(const json::value& of, std::string_view key) {
  static const json::object none;
  const json::value* value = member(of, key);
  return value != nullptr && value->is_object() ? value->get_object() : none;
}

std::string quantity_text(double value, std::string_view unit) {
  if (std::isnan(value)) return "-";
  const bool bare = unit.empty() || unit == "1";
  return fmt::format("{:.6g}{}{}", value, bare ? "" : " ", bare ? "" : unit);
}

std::vector<Told> told_in(const json::value& reply) {
  std::vector<Told> all;
  for (const json::value& one : list_of(reply, "told")) {
    all.push_back({text_of(one, "of"), text_of(one, "words"), text_of(one, "level") == "quiet"});
  }
  return all;
}

std::string told_of(const json::value& reply, std::string_view of, std::string_view otherwise) {
  for (const Told& t : told_in(reply)) {
    if (t.of == of) return t.words;
  }
  return std::string(otherwise);
}

std::string difference(const json::value& reply, std::string_view name, std::string_view unit) {
  const auto* of = map_of(reply, "differs").if_contains(name);
  if (of == nullptr) return {};
  const double line = number_of(*of, "line");
  const double plant = number_of(*of, "plant");
  return fmt::format("{}plant {}: {}",
                     std::isnan(line) ? "" : "line " + quantity_text(line, unit) + ", ",
                     quantity_text(plant, unit), text_of(*of, "why"));
}

std::string ending_words(const json::value& ending) {
  return fmt::format("{} Exit code {}", text_of(ending, "words"), whole_of(ending, "exit_code"));
}

SampleRows sample_rows(const json::value& params, std::size_t columns) {
  SampleRows rows{.frames = {}, .times_s = {}, .values = {}, .lost = whole_of(params, "lost")};
  for (const json::value& frame : list_of(params, "frame")) {
    rows.frames.push_back(static_cast<std::int64_t>(number_of(frame)));
  }
  for (const json::value& time : list_of(params, "time_s")) {
    rows.times_s.push_back(number_of(time));
  }
  bool whole = true;
  for (const json::value& row : list_of(params, "values")) {
    std::vector<double>& values = rows.values.emplace_back();
    whole = whole && row.is_array() && row.get_array().size() == columns;
    if (!whole) break;
    for (const json::value& value : row.get_array()) values.push_back(number_of(value));
  }
  if (!whole || rows.frames.size() != rows.times_s.size() ||
      rows.times_s.size() != rows.values.size()) {
    fail_call(CallError::Reason::lost,
              "the daemon's samples make no sense: is it another version?");
  }
  return rows;
}

}  // namespace hild::ctl
