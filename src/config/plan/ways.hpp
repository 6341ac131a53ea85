// SPDX-License-Identifier: Apache-2.0
/// \file
/// The way a model is advanced, in the form in which its own process is told of it.
#pragma once

#include "config/plan/assembly.hpp"
#include "foreign/contain/task.hpp"

namespace hild::plan {

/// For one of several models.
[[nodiscard]] contain::Way way_of(const config::Part& part);
/// For a single model.
[[nodiscard]] contain::Way way_of(const Assembly& assembly);

}  // namespace hild::plan
