// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parts of JSON that texts for programs are put together from.
#pragma once

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cmath>
#include <functional>
#include <string_view>

namespace hild {

/// The text; null where it is empty.
[[nodiscard]] inline boost::json::value or_null(std::string_view text) {
  return text.empty() ? boost::json::value(nullptr) : boost::json::value(text);
}
/// The number; null where it is not finite.
[[nodiscard]] inline boost::json::value or_null(double number) {
  return std::isfinite(number) ? boost::json::value(number) : boost::json::value(nullptr);
}

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

}  // namespace hild
