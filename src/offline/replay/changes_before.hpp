// SPDX-License-Identifier: Apache-2.0
/// \file
/// The transactions that took effect before a recorded state: what goes on from it has them too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hild/core/result.hpp"
#include "recording/framelog/changes.hpp"

namespace hild::replay {

/// Those of the recording with the numbers 1 to `last`, in their order. Error: the file cannot be
/// read, or some are not in it.
[[nodiscard]] Result<std::vector<framelog::Effect>> changes_before(const std::string& file,
                                                                   std::int64_t last);

}  // namespace hild::replay
