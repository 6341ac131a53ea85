// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "cli/doctor/finding.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/thread.hpp"

namespace hild::doctor {

/// The wake latency of a thread like that of the frames, woken a thousand times a second.
struct WakeLatency {
  std::size_t wakes = 0;
  Duration p50{};
  Duration p99{};
  Duration max{};
};

/// Sleeps and measures for about `span`, holding idle CPUs light as a run does. Error: no thread.
[[nodiscard]] Result<WakeLatency> measure_wake_latency(const rt::ThreadOptions& options,
                                                       Duration span);

/// The finding from the median and the percentiles of such a measurement.
[[nodiscard]] Finding judge(const WakeLatency& latency);

/// Measures the same machine with cyclictest (rt-tests), a thousand wakes a second, as a second
/// opinion by another program. None where it is not installed.
[[nodiscard]] std::optional<Finding> measure_by_cyclictest(const rt::ThreadOptions& options,
                                                           Duration span);
/// Makes a finding of what `cyclictest --quiet` printed.
[[nodiscard]] Finding judge_cyclictest(const std::string& printed);

}  // namespace hild::doctor
