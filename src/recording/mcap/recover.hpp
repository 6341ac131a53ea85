// SPDX-License-Identifier: Apache-2.0
/// \file
/// Copies everything that is intact in one file into another, with its summary.
#pragma once

#include <functional>

#include "recording/mcap/file.hpp"
#include "recording/mcap/scan.hpp"

namespace hild::mcap {

/// `go_on` is called with how far the reading is, in bytes; when it returns false, what was read so
/// far is written.
[[nodiscard]] Result<Scan> recover(ByteSource& from, Output& to,
                                   const std::function<bool(std::uint64_t)>& go_on = {});

}  // namespace hild::mcap
