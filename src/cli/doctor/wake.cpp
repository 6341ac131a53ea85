// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/wake.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hild/rt/clock.hpp"

namespace hild::doctor {

Result<WakeLatency> measure_wake_latency(const rt::ThreadOptions& options, Duration span) {
  auto clock = rt::make_clock(rt::ClockKind::sleep, {});
  if (!clock) return tl::make_unexpected(clock.error());
  rt::Warnings missing;  // the checks tell of rights that are missing
  const Descriptor hold = rt::hold_cpu_latency(missing);
  std::vector<Duration> late(
      static_cast<std::size_t>(std::max<std::int64_t>(1, span.ns / 1'000'000)));
  auto thread = rt::Thread::start(options, missing, [&] {
    MonoTime due = (*clock)->now();
    for (Duration& l : late) {
      due = std::max(due, (*clock)->now()) + 1_ms;
      (*clock)->sleep_until(due);
      l = (*clock)->now() - due;
    }
  });
  if (!thread) return tl::make_unexpected(thread.error());
  thread->join();
  std::ranges::sort(late);
  const auto at = [&](double q) {
    return late[static_cast<std::size_t>(q * static_cast<double>(late.size() - 1))];
  };
  return WakeLatency{late.size(), at(0.5), at(0.99), late.back()};
}

Verdict verdict_of(Duration latest) noexcept {
  return latest <= 100_us ? Verdict::good : latest <= 1_ms ? Verdict::warning : Verdict::problem;
}

Finding judge(const WakeLatency& latency) {
  Finding f{
      .check = "wake_latency",
      .why = "no frame begins before its thread has woken; a frame must be many times longer"};
  f.found =
      fmt::format("p50 {:.1f}, p99 {:.1f}, max {:.1f} us in {} wakes", microseconds(latency.p50),
                  microseconds(latency.p99), microseconds(latency.max), latency.wakes);
  f.verdict = verdict_of(latency.max);
  if (f.verdict != Verdict::good) {
    f.remedy =
        "mend what is above; then look for longer, under load: cyclictest -m -p80 -i1000 "
        "-D10m (package rt-tests)";
  }
  return f;
}

}  // namespace hild::doctor
