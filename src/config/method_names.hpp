// SPDX-License-Identifier: Apache-2.0
/// \file
/// Suggestions for the name of a method that is not in the catalogue.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hild::config {

/// All names and aliases of the catalogue.
[[nodiscard]] std::vector<std::string_view> method_names();

/// A suggestion: `did you mean "rk-4"?`, or all the names.
[[nodiscard]] std::string suggest_method(std::string_view found);

}  // namespace hild::config
