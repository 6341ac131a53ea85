// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/members.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>
#include <limits>

namespace hild::ctl {

namespace json = boost::json;

const json::value* member(const json::value& of, std::string_view key) {
  return of.is_object() ? of.get_object().if_contains(key) : nullptr;
}

double number_of(const json::value& of, std::string_view key) {
  const json::value* value = member(of, key);
  return value != nullptr && value->is_number() ? value->to_number<double>()
                                                : std::numeric_limits<double>::quiet_NaN();
}

std::int64_t whole_of(const json::value& of, std::string_view key) {
  const double value = number_of(of, key);
  return std::abs(value) < 9e18 ? static_cast<std::int64_t>(value) : 0;
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

}  // namespace hild::ctl
