// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads members of a reply that may be missing, since a daemon of another version must not make
/// hildctl fail.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace hild::ctl {

/// A member; null when there is none, or when `of` is not an object.
[[nodiscard]] const boost::json::value* member(const boost::json::value& of, std::string_view key);
/// A number; NaN where it is not one, for which JSON has null.
[[nodiscard]] double number_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] std::int64_t whole_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] std::string text_of(const boost::json::value& of, std::string_view key);
/// An array or an object; an empty one when there is none.
[[nodiscard]] const boost::json::array& list_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] const boost::json::object& map_of(const boost::json::value& of, std::string_view key);

/// The value with six digits, and the unit unless it is "1" or empty; "-" for NaN.
[[nodiscard]] std::string quantity_text(double value, std::string_view unit = {});

}  // namespace hild::ctl
