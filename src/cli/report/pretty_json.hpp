// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes JSON that is readable for people too: indented, and with numbers as one writes them
/// (12.5, not 1.25E1).
#pragma once

#include <boost/json/value.hpp>
#include <string>

namespace hild::report {

/// The text ends in a newline. Numbers that are not finite become null.
[[nodiscard]] std::string pretty(const boost::json::value& value);
/// Likewise, on one line.
[[nodiscard]] std::string one_line(const boost::json::value& value);

}  // namespace hild::report
