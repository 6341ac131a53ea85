// SPDX-License-Identifier: Apache-2.0
/// \file
/// Suggestions for a name that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hild::config {

/// The number of letters to insert, remove, replace or swap with their neighbour to get from `a` to
/// `b`; case does not count.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Whether `a` may be a misspelling of `b`.
[[nodiscard]] bool near(std::string_view a, std::string_view b);

/// A suggestion: `did you mean "rate"?` where some known name is near, else `expected one of: "a",
/// "b"`.
[[nodiscard]] std::string suggest(std::string_view found,
                                  const std::vector<std::string_view>& known);

/// All names and aliases of the catalogue of methods.
[[nodiscard]] std::vector<std::string_view> method_names();

}  // namespace hild::config
