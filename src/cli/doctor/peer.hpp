// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/doctor/finding.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/thread.hpp"

namespace hild::doctor {

/// Measures the same machine with cyclictest (rt-tests), a thousand wakes a second, as a second
/// opinion by another program. None where it is not installed.
[[nodiscard]] std::optional<Finding> measure_by_cyclictest(const rt::ThreadOptions& options,
                                                           Duration span);

/// Makes a finding of what `cyclictest --quiet` printed.
[[nodiscard]] Finding judge_cyclictest(const std::string& printed);

}  // namespace hild::doctor
