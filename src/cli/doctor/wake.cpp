// SPDX-License-Identifier: Apache-2.0
#include "cli/doctor/wake.hpp"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "hild/rt/clock.hpp"

namespace hild::doctor {
namespace {

/// The verdict on the latest of many wakes.
Verdict verdict_of(Duration latest) noexcept {
  return latest <= 100_us ? Verdict::good : latest <= 1_ms ? Verdict::warning : Verdict::problem;
}

}  // namespace

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

Finding judge(const WakeLatency& latency) {
  const Check c{"wake_latency",
                "no frame begins before its thread has woken; a frame must be many times longer"};
  const Verdict verdict = verdict_of(latency.max);
  return c.is(
      verdict,
      fmt::format("p50 {:.1f}, p99 {:.1f}, max {:.1f} us in {} wakes", microseconds(latency.p50),
                  microseconds(latency.p99), microseconds(latency.max), latency.wakes),
      verdict == Verdict::good
          ? ""
          : "mend what is above; then look for longer, under load: cyclictest -m -p80 "
            "-i1000 -D10m (package rt-tests)");
}

Finding judge_cyclictest(const std::string& printed) {
  const Check c{"cyclictest", "another program's opinion of the wake latency"};
  long long wakes = 0;
  long long least = 0;
  long long average = 0;
  long long most = 0;
  const auto line = printed.find("T: 0");
  const char* const text = line == std::string::npos ? "" : printed.c_str() + line;
  if (std::sscanf(text, "T: 0 (%*d) P:%*d I:%*d C:%lld Min:%lld Act:%*d Avg:%lld Max:%lld", &wakes,
                  &least, &average, &most) != 4) {
    const std::string words = printed.substr(0, printed.find('\n'));
    return c.is(Verdict::unknown, "it did not measure" + (words.empty() ? "" : ": " + words));
  }
  const Verdict verdict = verdict_of(Duration{most * 1000});
  return c.is(verdict,
              fmt::format("min {}, average {}, max {} us in {} wakes", least, average, most, wakes),
              verdict == Verdict::good ? "" : "as for wake_latency");
}

std::optional<Finding> measure_by_cyclictest(const rt::ThreadOptions& options, Duration span) {
  const std::string command =
      fmt::format("cyclictest --quiet --mlockall --priority={} --interval=1000 --loops={} {} 2>&1",
                  options.priority, std::max<std::int64_t>(1, span.ns / 1'000'000),
                  options.cpu >= 0 ? fmt::format("--affinity={}", options.cpu) : "");
  std::FILE* const run = ::popen(command.c_str(), "re");
  if (run == nullptr) return std::nullopt;
  std::string printed;
  std::array<char, 512> part;
  while (std::fgets(part.data(), part.size(), run) != nullptr) {
    if (part.front() != '#') printed += part.data();
  }
  const int status = ::pclose(run);
  constexpr int not_found = 127;  // the shell's word for it
  if (WIFEXITED(status) && WEXITSTATUS(status) == not_found) return std::nullopt;
  return judge_cyclictest(printed);
}

}  // namespace hild::doctor
