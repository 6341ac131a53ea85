// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file as a text. Load time only.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hild {

/// All that is in a file; none, with errno, when it cannot be opened or read to its end. What is in
/// /proc may go while it is read, where a stream's iterators throw.
[[nodiscard]] std::optional<std::string> whole_file(const std::filesystem::path& file);

}  // namespace hild
