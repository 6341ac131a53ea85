// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes all that is whole in one file as another, with its summary.
#pragma once

#include <functional>

#include "recording/mcap/output.hpp"
#include "recording/mcap/scan.hpp"

namespace hild::mcap {

/// `go_on` is told how far the reading is; when it says no, what was read so far is written.
[[nodiscard]] Result<Scan> recover(ByteSource& from, Output& to,
                                   const std::function<bool(std::uint64_t)>& go_on = {});

}  // namespace hild::mcap
