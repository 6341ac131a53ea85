// SPDX-License-Identifier: Apache-2.0
/// \file
/// Parses JSON text within limits. Stricter than Boost.JSON by itself, which reads one number in
/// ten an ulp off, drops doubled keys and reads 1e999 as infinite: here numbers are the nearest to
/// what was written, and doubled keys and numbers beyond the range of a double are refused.
#pragma once

#include <boost/json/value.hpp>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild {
namespace json = boost::json;
}  // namespace hild

namespace hild::rpc {

struct Limits {
  std::size_t message = 65'536;  ///< bytes of one text
  std::size_t depth = 16;        ///< arrays and objects within each other
};

/// The error tells what is wrong and where, without repeating the text.
[[nodiscard]] Result<json::value> parse_json(std::string_view text, const Limits& limits);

}  // namespace hild::rpc
