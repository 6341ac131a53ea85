// SPDX-License-Identifier: Apache-2.0
/// \file
/// Formats rows of cells as aligned columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hild::ctl {

using TableLine = std::vector<std::string>;

/// Two spaces between columns, the last one not padded; those of `right` are flush right. Each row
/// starts with `indent` and ends with a newline. Rows may differ in length.
[[nodiscard]] std::string columns(const std::vector<TableLine>& rows,
                                  const std::vector<std::size_t>& right = {},
                                  const std::string& indent = "");

}  // namespace hild::ctl
