// SPDX-License-Identifier: Apache-2.0
#include "guard/watch.hpp"

namespace hild::test {
namespace {

TEST(Watch, ExpectsNothingBeforeTheFirstBeat) {
  guard::Watch watch(800_ms);
  for (int look = 0; look < 1000; ++look) EXPECT_FALSE(watch.hangs(0));
}

TEST(Watch, CallsFourFutileLooksAHang) {
  guard::Watch watch(800_ms);
  EXPECT_EQ(watch.interval(), Duration(100_ms));
  EXPECT_FALSE(watch.hangs(5));
  for (int look = 0; look < 3; ++look) EXPECT_FALSE(watch.hangs(5));
  EXPECT_TRUE(watch.hangs(5));
}

TEST(Watch, StartsAnewWithEveryBeat) {
  guard::Watch watch(800_ms);
  for (std::int64_t beat = 1; beat < 100; ++beat) {
    for (int look = 0; look < 4; ++look) EXPECT_FALSE(watch.hangs(beat)) << beat;
  }
  EXPECT_TRUE(watch.hangs(99));
}

// Frames of 1 ms that began at 0.25 ms past each: the slack is looked for at whole milliseconds.
TEST(Watch, LooksInTheSlackOfFrames) {
  const guard::Watch watch(80_ms);
  const std::int64_t beat = 1'250'000;
  EXPECT_EQ(watch.next_look({1'300'000}, beat, 1_ms), MonoTime{12'000'000});
  EXPECT_EQ(watch.next_look({2'000'000}, beat, 1_ms), MonoTime{12'000'000});
  EXPECT_EQ(watch.next_look({2'000'001}, beat, 1_ms), MonoTime{13'000'000});
}

TEST(Watch, LooksAtEqualIntervalsWhereThereAreNoFramesToHeed) {
  const guard::Watch watch(80_ms);
  const MonoTime now{2'000'000};
  EXPECT_EQ(watch.next_look(now, 0, 1_ms), now + 10_ms) << "none began";
  EXPECT_EQ(watch.next_look(now, 1'000'000, 0_ms), now + 10_ms);
  EXPECT_EQ(watch.next_look(now, 1'000'000, 6_ms), now + 10_ms) << "a hang would be seen too late";
  EXPECT_EQ(watch.next_look(now, 50'000'000, 1_ms), now + 10_ms) << "another clock's";
}

// A beat to the last look that a hang needs, plus one interval for a beat just after a look: what
// is left of the time is for killing.
TEST(Watch, LeavesTimeToKill) {
  EXPECT_LT(guard::Watch::futile_looks + 1, guard::Watch::looks_within);
}

}  // namespace
}  // namespace hild::test
