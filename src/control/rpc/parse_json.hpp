// SPDX-License-Identifier: Apache-2.0
/// \file
/// JSON text into values, within limits. Stricter than Boost.JSON by itself, whose numbers are an
/// ulp off one time in ten, whose doubled keys vanish and whose 1e999 is infinite: numbers are the
/// nearest to what was written, doubled keys and numbers beyond the range of a double are refused.
#pragma once

#include <boost/json/value.hpp>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild::rpc {

struct Limits {
  std::size_t message = 65'536;  ///< bytes of one text
  std::size_t depth = 16;        ///< arrays and objects within each other
};

/// The error tells what is wrong and where, without repeating the text.
[[nodiscard]] Result<boost::json::value> parse_json(std::string_view text, const Limits& limits);

}  // namespace hild::rpc
