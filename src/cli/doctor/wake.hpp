// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

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

/// The verdict on the latest of many wakes.
[[nodiscard]] Verdict verdict_of(Duration latest) noexcept;
/// The finding from the median and the percentiles of such a measurement.
[[nodiscard]] Finding judge(const WakeLatency& latency);

}  // namespace hild::doctor
