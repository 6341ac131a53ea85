// SPDX-License-Identifier: Apache-2.0
/// \file
/// How the texts of these tests look.
#pragma once

#include "cli/report/text.hpp"

namespace hild::report {

inline constexpr Style ascii{.utf8 = false, .colour = false, .width = 80};

}  // namespace hild::report
