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
// again.
void Stopwatch::settle(std::int64_t before) noexcept {
  for (int tries = 1; tries < 3 && at_.cycles - before >= much_for_a_reading; ++tries) {
    before = counter();
    at_ = {clock_->now(), counter()};
  }
  const Duration since = at_.time - base_.time;
  if (at_.time < renewal_ || since.ns <= 0) return;
  const double ns_per_cycle =
      static_cast<double>(since.ns) / static_cast<double>(at_.cycles - base_.cycles);
  ns_per_2_32_cycles_ = static_cast<std::int64_t>(std::ldexp(ns_per_cycle, 32));
  renewal_ = at_.time + std::min(since, longest);  // since the base it is twice as long then
  if (since >= longest) base_ = at_;
}

}  // namespace hild::rt
