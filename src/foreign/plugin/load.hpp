// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads models from shared objects (drivers: load_driver.hpp). What is loaded stays until the end
/// of the process: plants, names and methods point into it. Load time only.
#pragma once

#include <filesystem>

#include "hild/core/result.hpp"
#include "hild/model/registry.hpp"

namespace hild::plugin {

/// Loads the model of a plug-in. The error says what is wrong with the file (missing, not for this
/// machine, not to be trusted, a missing symbol, another version) and what to do.
[[nodiscard]] Result<const model::Registration*> load(const std::filesystem::path& file);

/// Checks what can be checked of the file before its code runs: that nobody else could have written
/// it, and that it is a shared object for this machine. An absolute name.
[[nodiscard]] Result<void> check(const std::filesystem::path& file);
/// The rest of load(), for a file that has passed check(): its code runs from here on.
[[nodiscard]] Result<const model::Registration*> open(const std::filesystem::path& file);

/// Checks that names, units and limits of a description are valid.
[[nodiscard]] Result<void> check_description(const model::Description& description);

}  // namespace hild::plugin
