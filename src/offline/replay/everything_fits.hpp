// SPDX-License-Identifier: Apache-2.0
/// \file
/// Admission settings for a run without a clock: a transaction that took effect takes effect again,
/// whatever it costs.
#pragma once

#include <limits>

#include "exec/admission.hpp"

namespace hild::replay {

constexpr exec::AdmissionSettings everything_fits{
    .guard = Duration{std::numeric_limits<std::int64_t>::min() / 4},
    .max_deferrals = std::numeric_limits<int>::max()};

}  // namespace hild::replay
