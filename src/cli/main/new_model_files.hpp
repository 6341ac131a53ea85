// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `hild new-model` writes: a project of a first-order lag, to be made another model.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hild::commands {

/// Debian's names of what such a project is built with, hild itself apart.
inline constexpr std::string_view packages_of_a_model =
    "g++ cmake make libfmt-dev libexpected-dev libgtest-dev";

/// Names of files and their contents, for a model called `name` (as in a configuration).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> new_model_files(
    const std::string& name);

}  // namespace hild::commands
