// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/stopwatch.hpp"

#include <algorithm>
#include <array>
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

// Some ten times what it takes, in cycles, and less than an interruption does.
constexpr std::int64_t much_for_a_reading = 20'000;

}  // namespace

Stopwatch::Stopwatch(Clock& clock) noexcept : clock_(&clock) {
  if (clock.virtual_time() || !kernel_trusts_cycles()) return;
  base_ = read();
  while (ns_per_cycle_ == 0) measure();
}

// Both are of one instant, unless the thread lost its CPU between them: then it tries again.
Stopwatch::Reading Stopwatch::read() noexcept {
  Reading both;
  for (int tries = 0; tries < 3; ++tries) {
    const std::int64_t before = counter();
    both = {clock_->now(), counter()};
    if (both.cycles - before < much_for_a_reading) break;
  }
  return both;
}

MonoTime Stopwatch::measure() noexcept {
  at_ = read();
  const Duration since = at_.time - base_.time;
  if (since < renewal_) return at_.time;
  ns_per_cycle_ = static_cast<double>(since.ns) / static_cast<double>(at_.cycles - base_.cycles);
  renewal_ = std::min(since * 2, longest);
  if (since >= longest) base_ = at_;
  return at_.time;
}

}  // namespace hild::rt
