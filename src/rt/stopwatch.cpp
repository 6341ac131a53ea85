// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/stopwatch.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string_view>

namespace hild::rt {
namespace {

/// Only the kernel knows whether the counters of all CPUs run alike and never stop; it shows by
/// telling the time with them.
bool kernel_trusts_cycles() noexcept {
#ifdef __x86_64__
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::array<char, 16> source{};
  file.getline(source.data(), source.size());
  return std::string_view(source.data()) == "tsc";
#else
  return false;
#endif
}

}  // namespace

Stopwatch::Stopwatch(Clock& clock) noexcept : clock_(&clock) {
  if (clock.virtual_time() || !kernel_trusts_cycles()) return;
  base_.cycles = counter();  // or sync() would not read it
  renewal_.ns = INT64_MAX;
  sync();
  base_ = at_;
  renewal_ = base_.time + 1_ms;
  while (ns_per_2_32_cycles_ == 0) sync();
}

// Time and count are to be of one instant: where the thread lost its CPU between them it tries
// again, and what it takes at last it takes for this once.
MonoTime Stopwatch::read_clock(std::int64_t before) noexcept {
  for (int tries = 0; tries < 3; ++tries) {
    if (tries > 0) before = counter();
    at_.time = clock_->now();
    at_.cycles = counter();
    const bool good = at_.cycles - before < much_for_a_reading;
    at_.fresh = good ? fresh_ : 0;
    if (good) break;
  }
  if (at_.time >= renewal_) renew();
  return at_.time;
}

void Stopwatch::renew() noexcept {
  const Duration since = at_.time - base_.time;
  const std::int64_t cycles = at_.cycles - base_.cycles;
  if (since.ns <= 0 || cycles <= 0) {  // the machine was asleep
    base_ = at_;
    return;
  }
  const double ns_per_cycle = static_cast<double>(since.ns) / static_cast<double>(cycles);
  const Duration measured = std::min(since, longest);
  ns_per_2_32_cycles_ = static_cast<std::int64_t>(std::ldexp(ns_per_cycle, 32));
  fresh_ =
      static_cast<std::uint64_t>(static_cast<double>(measured.ns) / (fresh_part * ns_per_cycle));
  renewal_ = at_.time + measured;  // since the base it is twice as long then
  if (since >= longest) base_ = at_;
}

}  // namespace hild::rt
