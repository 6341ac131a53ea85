// SPDX-License-Identifier: Apache-2.0
/// \file
/// The form that dashboards of the page have as files, those of the configuration as those that the
/// daemon keeps: their names, their bounds, and what is seen of them here. What a tile may have is
/// known to the page alone.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <string>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild::config {

inline constexpr std::size_t most_dashboards = 100;
inline constexpr std::size_t most_dashboard_bytes = 32 << 10;  ///< of a file
inline constexpr std::size_t longest_dashboard_name = 60;      ///< bytes
inline constexpr int dashboard_version = 1;
/// What a name is, in words.
inline constexpr std::string_view a_dashboard_name =
    "1 to 60 letters of ASCII, digits, spaces, '-', '_' and '.', not beginning with '.'";

/// Whether a dashboard may be called so; such a name is also that of a file in its folder.
[[nodiscard]] bool is_dashboard_name(std::string_view name);

/// What is wrong with a layout {version, tiles}; empty: nothing that would keep it from being
/// shown.
[[nodiscard]] std::string wrong_with_layout(const boost::json::value& layout);

/// The text of a file that has a layout. Error: it cannot be read, is too large or is no layout,
/// with the file, the line where one can be told, what was found and what was expected.
[[nodiscard]] Result<std::string> read_dashboard_file(const std::string& path);

}  // namespace hild::config
