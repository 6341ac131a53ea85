// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/doctor/finding.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/thread.hpp"

namespace hild::doctor {

/// What cyclictest (rt-tests) measures of the same machine, a thousand wakes a second: a second
/// opinion by another program. None where it is not installed.
[[nodiscard]] std::optional<Finding> measure_by_cyclictest(const rt::ThreadOptions& options,
                                                           Duration span);

/// What `cyclictest --quiet` printed, as a finding.
[[nodiscard]] Finding judge_cyclictest(const std::string& printed);

}  // namespace hild::doctor
