// SPDX-License-Identifier: Apache-2.0
/// \file
/// Models from shared objects. What is loaded stays to the end of the process: plants, names and
/// methods point into it. Load time only.
#pragma once

#include <filesystem>

#include "hild/core/result.hpp"
#include "hild/model/registry.hpp"

namespace hild::plugin {

/// The model of a plug-in. The error tells what is wrong with the file (missing, not for this
/// machine, not to be trusted, a missing symbol, another version) and what to do.
[[nodiscard]] Result<const model::Registration*> load(const std::filesystem::path& file);

/// What can be told of the file before its code runs. An absolute name.
[[nodiscard]] Result<void> check(const std::filesystem::path& file);
/// The rest of load(), of a file that has passed check(): its code runs from here on.
[[nodiscard]] Result<const model::Registration*> open(const std::filesystem::path& file);

/// Whether it is a shared object of this machine.
[[nodiscard]] Result<void> check_shared_object(const std::filesystem::path& file);

/// Whether names, units and limits of a description are sound.
[[nodiscard]] Result<void> check_description(const model::Description& description);

}  // namespace hild::plugin
