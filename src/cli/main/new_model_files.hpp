// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files that `hild new-model` writes: a project with a first-order lag, as a starting point
/// for other models.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hild::commands {

/// The Debian packages that such a project needs to be built, besides hild itself.
inline constexpr std::string_view packages_of_a_model =
    "g++ cmake make libfmt-dev libexpected-dev libgtest-dev";

/// The names and contents of the files, for a model called `name` (as in a configuration).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> new_model_files(
    const std::string& name);

}  // namespace hild::commands
