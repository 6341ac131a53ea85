// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace hild::sequence {
namespace {

using State = Watch::Verdict;

constexpr SimTime ms(std::int64_t n) { return SimTime{n * 1'000'000}; }

Condition band(Duration hold, Duration timeout) {
  return {.signal = "x", .unit = "V", .low = 1, .high = 2, .hold = hold, .timeout = timeout};
}

TEST(Watch, OneSampleInTheBandWillDoWithoutAHold) {
  const Condition c = band({}, 10_ms);
  Watch watch(c, ms(100));
  EXPECT_EQ(watch.feed(ms(101), 0.999), State::open);
  EXPECT_EQ(watch.feed(ms(102), 1), State::met);  // limits are part of the band
  EXPECT_EQ(watch.decided(), ms(102));
}

// Without a timeout it must be so at once: the first sample decides, wherever it lies.
TEST(Watch, WithoutTimeTheFirstSampleDecides) {
  const Condition c = band({}, {});
  EXPECT_EQ(Watch(c, ms(0)).feed(ms(1), 2), State::met);
  EXPECT_EQ(Watch(c, ms(0)).feed(ms(1), 2.001), State::failed);
}

TEST(Watch, TenSamplesAtOneKilohertzAreTenMilliseconds) {
  const Condition c = band(10_ms, 10_ms);
  Watch watch(c, ms(0));
  for (int i = 1; i < 10; ++i) ASSERT_EQ(watch.feed(ms(i), 1.5), State::open) << i;
  EXPECT_EQ(watch.feed(ms(10), 1.5), State::met);
}

TEST(Watch, ASampleOutsideStartsTheHoldAgain) {
  const Condition c = band(3_ms, 10_ms);
  Watch watch(c, ms(0));
  EXPECT_EQ(watch.feed(ms(1), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(2), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(3), 3), State::open);
  EXPECT_EQ(watch.feed(ms(4), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(5), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(6), 1.5), State::met);
}

// Out at 7 ms, it cannot have held for 3 ms by 10 ms if it is out at 8 ms.
TEST(Watch, FailsAsSoonAsTheHoldCannotEndInTime) {
  const Condition c = band(3_ms, 10_ms);
  Watch watch(c, ms(0));
  for (int i = 1; i <= 7; ++i) ASSERT_EQ(watch.feed(ms(i), 0), State::open) << i;
  EXPECT_EQ(watch.feed(ms(8), 0), State::failed);
}

// A doubled step's sample stands for both of its frames.
TEST(Watch, AStepAcrossTheDeadlineIsSeenToItsEnd) {
  const Condition c = band(10_ms, 10_ms);
  Watch watch(c, ms(0));
  for (int i = 1; i <= 9; ++i) ASSERT_EQ(watch.feed(ms(i), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(11), 1.5), State::met);
}

TEST(Watch, NothingIsKnownAcrossAGap) {
  const Condition from_now = band(5_ms, 5_ms);
  Watch watch(from_now, ms(0));
  EXPECT_EQ(watch.feed(ms(1), 1.5), State::open);
  EXPECT_EQ(watch.feed(ms(3), 1.5, true), State::failed);
  EXPECT_THAT(watch.words(ms(0)), testing::HasSubstr("samples were lost"));

  const Condition eventually = band(2_ms, 20_ms);
  Watch patient(eventually, ms(0));
  EXPECT_EQ(patient.feed(ms(1), 1.5), State::open);
  EXPECT_EQ(patient.feed(ms(3), 1.5, true), State::open);
  EXPECT_EQ(patient.feed(ms(4), 1.5), State::open);
  EXPECT_EQ(patient.feed(ms(5), 1.5), State::met);
}

TEST(Watch, WhatIsNotANumberIsInNoBand) {
  const Condition c = band({}, 1_ms);
  Watch watch(c, ms(0));
  EXPECT_EQ(watch.feed(ms(1), std::nan("")), State::failed);
}

TEST(Watch, TellsWhatItSawAndWhatItWanted) {
  const Condition c = band(3_ms, 4_ms);
  Watch watch(c, ms(1000));
  watch.feed(ms(1001), 0.5);
  watch.feed(ms(1002), 4.25);
  EXPECT_EQ(watch.words(ms(500)),
            "x was 4.25 V at 0.502 s (0.5 V ... 4.25 V in 0.002 s), expected 1 V ... 2 V for "
            "0.003 s within 0.004 s");
}

TEST(Watch, SaysLimitsAsTheyAreWritten) {
  Condition c{.signal = "x", .unit = "1", .low = 3};
  EXPECT_EQ(to_string(c), "at least 3");
  c = {.signal = "x", .unit = "A", .high = 3};
  EXPECT_EQ(to_string(c), "at most 3 A");
}

}  // namespace
}  // namespace hild::sequence
