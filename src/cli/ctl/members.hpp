// SPDX-License-Identifier: Apache-2.0
/// \file
/// Members of a reply that may be missing: a daemon of another version must not end hildctl.
#pragma once

#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <string_view>

namespace hild::ctl {

/// Null when there is none, or when `of` is no object.
[[nodiscard]] const boost::json::value* member(const boost::json::value& of, std::string_view key);
/// NaN for what is no number; JSON has null for it.
[[nodiscard]] double number_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] std::int64_t whole_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] std::string text_of(const boost::json::value& of, std::string_view key);
/// An empty one when there is none.
[[nodiscard]] const boost::json::array& list_of(const boost::json::value& of, std::string_view key);
[[nodiscard]] const boost::json::object& map_of(const boost::json::value& of, std::string_view key);

/// Six digits, and the unit unless it is 1 or nothing; "-" for NaN.
[[nodiscard]] std::string quantity_text(double value, std::string_view unit = {});

}  // namespace hild::ctl
