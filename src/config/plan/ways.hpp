// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model is advanced by, as the process that it may have is told.
#pragma once

#include "config/plan/assembly.hpp"
#include "foreign/contain/task.hpp"

namespace hild::plan {

/// Of several models, one.
[[nodiscard]] contain::Way way_of(const config::Part& part);
/// Of one model.
[[nodiscard]] contain::Way way_of(const Assembly& assembly);

}  // namespace hild::plan
