// SPDX-License-Identifier: Apache-2.0
/// \file
/// Loads drivers from shared objects. What is loaded stays until the end of the process: devices
/// point into it. Load time only.
#pragma once

#include <filesystem>

#include "hild/core/result.hpp"
#include "hild/io/device.hpp"

namespace hild::plugin {

/// Loads the driver of a plug-in: its code runs in this process from here on, as that of the
/// built-in drivers. The error says what is wrong with the file (missing, not for this machine, not
/// to be trusted, a missing symbol, another version) and what to do.
[[nodiscard]] Result<const io::Driver*> load_driver(const std::filesystem::path& file);

}  // namespace hild::plugin
