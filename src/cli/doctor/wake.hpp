// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/doctor/finding.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/rt/thread.hpp"

namespace hild::doctor {

/// How late a thread like that of the frames woke, a thousand times a second.
struct WakeLatency {
  std::size_t wakes = 0;
  Duration p50{};
  Duration p99{};
  Duration max{};
};

/// Sleeps and measures for about `span`, holding idle CPUs light as a run does. Error: no thread.
[[nodiscard]] Result<WakeLatency> measure_wake_latency(const rt::ThreadOptions& options,
                                                       Duration span);

/// What the latest of many wakes says.
[[nodiscard]] Verdict verdict_of(Duration latest) noexcept;
/// What the median and the percentiles of such a run say.
[[nodiscard]] Finding judge(const WakeLatency& latency);

}  // namespace hild::doctor
