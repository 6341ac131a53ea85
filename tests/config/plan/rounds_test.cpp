// SPDX-License-Identifier: Apache-2.0
#include "config/plan/rounds.hpp"

#include <gtest/gtest.h>

#include "hild/rt/clock.hpp"

namespace hild::plan {
namespace {

/// Rounds made of a thousand, the even ones of one length, the odd ones of another.
std::size_t made(Duration even, Duration odd, std::size_t things = 1) {
  rt::VirtualClock clock;
  Rounds rounds(clock, 1000, 5, things);
  std::size_t done = 0;
  while (!rounds.enough(done)) clock.advance(done++ % 2 == 0 ? even : odd);
  return done;
}

TEST(Rounds, AreAllMadeWhereTheyAreShort) { EXPECT_EQ(made(200_us, 200_us), 1000U); }

TEST(Rounds, AreFewerBeyond200MsButFive) {
  EXPECT_EQ(made(1_ms, 1_ms), 201U);
  EXPECT_EQ(made(1_ms, 1_ms, 4), 51U);
  EXPECT_EQ(made(300_ms, 300_ms), 5U);
}

TEST(Rounds, EndBeyondTwoSeconds) {
  EXPECT_EQ(made(900_ms, 900_ms), 3U);
  EXPECT_EQ(made(3_s, 3_s), 1U);
  EXPECT_EQ(made(900_ms, 900_ms, 4), 1U);
}

// Every second one waits for a processor.
TEST(Rounds, AreAsManyOnABusyMachine) {
  EXPECT_EQ(made(1_ms, 5_ms), 201U);
  EXPECT_EQ(made(5_ms, 1_ms), 201U);
  EXPECT_EQ(made(100_us, 3_ms), 1000U);
  EXPECT_EQ(made(1_ms, 99_ms), 41U) << "two seconds of it";
}

// It is asked after each of three parts of a round, which take a millisecond each.
TEST(Rounds, CountAsTheyEnd) {
  rt::VirtualClock clock;
  Rounds rounds(clock, 1000);
  int parts = 0;
  while (!rounds.enough(static_cast<std::size_t>(parts / 3))) ++parts, clock.advance(1_ms);
  EXPECT_EQ(parts, 3 * 67);
}

}  // namespace
}  // namespace hild::plan
