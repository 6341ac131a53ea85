// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/tai.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <ctime>

#include "hild/rt/clock.hpp"

namespace hild::rt {
namespace {

std::int64_t now_by(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return t.tv_sec * 1'000'000'000 + t.tv_nsec;
}

// By readings around it, whose difference is what an independent look knows.
TEST(Tai, IsAsFarAheadAsTheKernelSays) {
  const std::int64_t tai = now_by(CLOCK_TAI);  // first: the difference is too small, if anything
  const std::int64_t low = tai - now_by(CLOCK_MONOTONIC);
  const TaiReading reading = kernel_tai().read();
  const std::int64_t mono = now_by(CLOCK_MONOTONIC);
  const std::int64_t high = now_by(CLOCK_TAI) - mono;
  EXPECT_GE(reading.uncertain.ns, 0);
  EXPECT_GE(reading.ahead.ns, low - reading.uncertain.ns);
  EXPECT_LE(reading.ahead.ns, high + reading.uncertain.ns);
}

TEST(Tai, UtcIsBehindItByWholeSeconds) {
  const double apart = 1e-9 * static_cast<double>(now_by(CLOCK_TAI) - now_by(CLOCK_REALTIME));
  EXPECT_NEAR(static_cast<double>(utc_behind_tai()), apart, 0.5);
}

}  // namespace
}  // namespace hild::rt
