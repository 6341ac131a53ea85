// SPDX-License-Identifier: Apache-2.0
/// \file
/// What `hild new-model` writes: a project of a first-order lag, to be made another model.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace hild::commands {

/// Names of files and their contents, for a model called `name` (as in a configuration).
[[nodiscard]] std::vector<std::pair<std::string, std::string>> new_model_files(
    const std::string& name);

}  // namespace hild::commands
