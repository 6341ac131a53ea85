// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes files that exist either completely or not at all.
#pragma once

#include <string>
#include <string_view>

#include "hild/core/result.hpp"

namespace hild::report {

/// Writes beside the file and renames, so that no reader sees half of it. What exists and is not a
/// plain file (/dev/stdout, a pipe, a link) is written in place. Error: names file and reason.
[[nodiscard]] Result<void> write_file(const std::string& file, std::string_view text);

}  // namespace hild::report
