// SPDX-License-Identifier: Apache-2.0
#include "io/guard/watch.hpp"

namespace hild::test {
namespace {

TEST(HangWatch, ExpectsNothingBeforeTheFirstBeat) {
  guard::HangWatch watch(800_ms);
  for (int look = 0; look < 1000; ++look) EXPECT_FALSE(watch.hangs(0));
}

TEST(HangWatch, CallsFourFutileLooksAHang) {
  guard::HangWatch watch(800_ms);
  EXPECT_EQ(watch.interval(), Duration(100_ms));
  EXPECT_FALSE(watch.hangs(5));
  for (int look = 0; look < 3; ++look) EXPECT_FALSE(watch.hangs(5));
  EXPECT_TRUE(watch.hangs(5));
}

TEST(HangWatch, StartsAnewWithEveryBeat) {
  guard::HangWatch watch(800_ms);
  for (std::int64_t beat = 1; beat < 100; ++beat) {
    for (int look = 0; look < 4; ++look) EXPECT_FALSE(watch.hangs(beat)) << beat;
  }
  EXPECT_TRUE(watch.hangs(99));
}

// Frames of 1 ms that began at 0.25 ms past each: the slack is looked for at whole milliseconds.
TEST(HangWatch, LooksInTheSlackOfFrames) {
  const guard::HangWatch watch(80_ms);
  const std::int64_t beat = 1'250'000;
  EXPECT_EQ(watch.next_look({1'300'000}, beat, 1_ms), MonoTime{11'000'000});
  EXPECT_EQ(watch.next_look({1'999'999}, beat, 1_ms), MonoTime{11'000'000});
  EXPECT_EQ(watch.next_look({2'000'000}, beat, 1_ms), MonoTime{12'000'000});
}

TEST(HangWatch, LooksAtEqualIntervalsWhereThereAreNoFramesToHeed) {
  const guard::HangWatch watch(80_ms);
  const MonoTime now{2'000'000};
  EXPECT_EQ(watch.next_look(now, 0, 1_ms), now + 10_ms) << "none began";
  EXPECT_EQ(watch.next_look(now, 1'000'000, 0_ms), now + 10_ms);
  EXPECT_EQ(watch.next_look(now, 1'000'000, 3_ms), now + 10_ms) << "a hang would be called early";
  EXPECT_EQ(watch.next_look(now, 50'000'000, 1_ms), now + 10_ms) << "another clock's";
}

// The run beats just after a look, and never again: when it is called a hang, at the earliest and
// at the latest, whatever the frames.
TEST(HangWatch, CallsAHangInAGoodHalfOfItsTime) {
  for (const Duration frame : {0_ms, 100_us, 300_us, 700_us, 1_ms, 2_ms, 2'400_us, 3_ms, 20_ms}) {
    for (const Duration at : {1_us, 40_us, 333_us, 5_ms}) {
      guard::HangWatch watch(80_ms);
      const MonoTime last = MonoTime{1'000'000'000} + at;
      const MonoTime before = last - 1_us;
      MonoTime now = watch.next_look(before, (before - frame * 3).ns, frame);
      for (int looks = 0; looks < 100 && !watch.hangs(last.ns); ++looks) {
        now = watch.next_look(now, last.ns, frame);
      }
      EXPECT_LE(now - last, Duration(50_ms)) << frame.ns << " " << at.ns;
      EXPECT_GE(now - last, Duration(30_ms)) << frame.ns << " " << at.ns;
    }
  }
}

// A beat to the last look that a hang needs, plus one interval for a beat just after a look: what
// is left of the time is for killing.
TEST(HangWatch, LeavesTimeToKill) {
  EXPECT_LT(guard::HangWatch::futile_looks + 1, guard::HangWatch::looks_within);
}

}  // namespace
}  // namespace hild::test
