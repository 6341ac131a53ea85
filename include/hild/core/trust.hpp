// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who could have written what this process is about to run. Load time only.
#pragma once

#include <filesystem>

#include "hild/core/result.hpp"

namespace hild {

/// Whether a file that decides what is run (a configuration, a plug-in, an FMU) could only have
/// been written by root or by the user of this process: its owner is one of them, not everybody may
/// write to it, and in no directory above it, up to the root, can everybody put another one in its
/// place; nor in those of the links that lead to it. The error says who could, and what to do; its
/// words follow the name of the file.
[[nodiscard]] Result<void> check_trusted(const std::filesystem::path& file);

}  // namespace hild
