// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stamps of the wall clock on the time line of a run, by scripted clocks; and that no step of the
/// wall clock makes more of an age than is possible.
#include "drivers/receive_time.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace hild {
namespace {

constexpr std::int64_t epoch = 1'700'000'000'000'000'000;  // the wall clock where the other is 0

MonoTime at(std::int64_t us) { return MonoTime{us * 1000}; }
std::int64_t wall(std::int64_t us) { return epoch + us * 1000; }

TEST(ReceiveTimes, PutsStampsOnTheTimeLineOfTheRun) {
  ReceiveTimes times(at(0));
  times.look(wall(1000), at(1000));
  EXPECT_EQ(times.arrived(wall(400)), at(400));
  EXPECT_EQ(times.arrived(wall(1000)), at(1000));
  EXPECT_EQ(times.now(), at(1000));
}

TEST(ReceiveTimes, NothingArrivesAfterItWasRead) {
  ReceiveTimes times(at(0));
  times.look(wall(1000), at(1000));
  EXPECT_EQ(times.arrived(wall(1001)), at(1000));
}

TEST(ReceiveTimes, NothingArrivesBeforeAReadThatLeftNothing) {
  ReceiveTimes times(at(100));
  times.look(wall(1000), at(1000));
  EXPECT_EQ(times.arrived(wall(50)), at(100)) << "the socket was not there";
  times.emptied(at(990));
  times.look(wall(2000), at(2000));
  EXPECT_EQ(times.arrived(wall(980)), at(990));
  EXPECT_EQ(times.arrived(wall(995)), at(995));
  // One that left something behind tells nothing of what is read next.
  times.look(wall(3000), at(3000));
  EXPECT_EQ(times.arrived(wall(995)), at(995));
}

// The packet was stamped before the clock was set, the clocks are read after it.
TEST(ReceiveTimes, AStepOfTheWallClockBackMakesAPacketAsYoungAsCanBe) {
  ReceiveTimes times(at(0));
  times.emptied(at(1000));
  const std::int64_t hour = 3'600'000'000;
  times.look(wall(2000 - hour), at(2000));
  EXPECT_EQ(times.arrived(wall(1500)), at(2000));
  // From the next look on all is well again.
  times.emptied(at(1990));
  times.look(wall(3000 - hour), at(3000));
  EXPECT_EQ(times.arrived(wall(2500 - hour)), at(2500));
}

TEST(ReceiveTimes, AStepOfTheWallClockForwardMakesAPacketAsOldAsCanBe) {
  ReceiveTimes times(at(0));
  times.emptied(at(1000));
  const std::int64_t hour = 3'600'000'000;
  times.look(wall(2000 + hour), at(2000));
  EXPECT_EQ(times.arrived(wall(1500)), at(1000));
}

TEST(ReceiveTimes, StampsOfNoTimeAreNow) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  ReceiveTimes times(at(0));
  EXPECT_EQ(times.arrived(wall(1)), at(0)) << "before any look";
  times.look(-1, at(1000));  // the wall clock is behind, so that the difference does not fit
  EXPECT_EQ(times.arrived(most), at(1000));
  times.look(least, at(2000));
  EXPECT_EQ(times.arrived(5), at(2000));
  times.look(wall(3000), at(3000));
  EXPECT_EQ(times.arrived(least), at(3000));
}

TEST(ReceiveTimes, AnInstantOfTheSenderMayBeOldButNotYetToCome) {
  ReceiveTimes times(at(0));
  times.emptied(at(900));
  times.look(wall(1000), at(1000));
  EXPECT_EQ(times.before_now(wall(-5000)), at(-5000));
  EXPECT_EQ(times.before_now(wall(950)), at(950));
  EXPECT_EQ(times.before_now(wall(1001)), at(1000));
}

}  // namespace
}  // namespace hild
