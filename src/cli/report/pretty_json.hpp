// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes JSON that is readable for people too: indented, and with numbers as one writes them
/// (12.5, not 1.25E1).
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace hild::report {

/// The text ends in a newline. Numbers that are not finite become null.
[[nodiscard]] std::string pretty(const boost::json::value& value);

/// The text; null where it is empty.
[[nodiscard]] boost::json::value or_null(std::string_view text);
/// The number; null where it is not finite.
[[nodiscard]] boost::json::value finite(double number);

/// What `make` makes of each.
template <class Range, class Make>
[[nodiscard]] boost::json::array array_of(const Range& range, Make make) {
  boost::json::array all;
  for (const auto& one : range) all.push_back(make(one));
  return all;
}

/// What `member` makes of each value, by the names of the enumeration that counts them.
template <class Enum, class Values, class Member = std::identity>
[[nodiscard]] boost::json::object by_name(const Values& values, Member member = {}) {
  boost::json::object all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all[to_string(static_cast<Enum>(i))] = member(values[i]);
  }
  return all;
}

}  // namespace hild::report
