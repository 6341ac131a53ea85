// SPDX-License-Identifier: Apache-2.0
/// \file
/// Words for what was wrong with an archive. Not for use while running.
#pragma once

#include <string>

#include "hild/core/archive.hpp"

namespace hild {

/// What was found where, and what was expected: "section plant, byte 24: steps kept are 9, expected
/// 0 to 3". Empty where nothing was wrong.
[[nodiscard]] std::string words_for(const Archive::Problem& problem);

}  // namespace hild
