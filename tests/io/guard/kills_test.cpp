// SPDX-License-Identifier: Apache-2.0
/// \file
/// Runs killed outright at random moments, one after the other: HILD_KILLS of them, else a few.
/// Prints how long the line took to safety; nothing is asserted of that.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <random>

#include "io/guard/guarded_run.hpp"

namespace hild::test {
namespace {

int trials() {
  const char* const wanted = std::getenv("HILD_KILLS");
  return wanted != nullptr ? std::atoi(wanted) : 20;
}

TEST(Kills, AtAnyMomentEndWithASafeOutput) {
  using Clock = std::chrono::steady_clock;
  std::mt19937 random(1);
  std::uniform_int_distribution<unsigned> moment_us(0, 5000);
  std::vector<double> took_us;
  for (int trial = 0; trial < trials(); ++trial) {
    GuardedRun run([](guard::Guard& guard) {
      for (std::int64_t beat = 2;; ++beat) guard.heartbeat().beat.set(beat);
    });
    ::usleep(moment_us(random));
    const auto killed = Clock::now();
    run.kill(SIGKILL);
    ASSERT_TRUE(run.reaches(safe)) << "kill " << trial;
    took_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - killed).count());
    ASSERT_FALSE(run.acts());
    ASSERT_EQ(run.guard_exit(), 0);
  }
  std::ranges::sort(took_us);
  const auto at = [&](double q) {
    return took_us[static_cast<std::size_t>(q * static_cast<double>(took_us.size() - 1))];
  };
  fmt::print("{} kills; to safety in us: p50 {:.0f}, p99 {:.0f}, max {:.0f}\n", took_us.size(),
             at(0.5), at(0.99), took_us.back());
}

}  // namespace
}  // namespace hild::test
