// SPDX-License-Identifier: Apache-2.0
// Counts by hand, of counters of 4 bits, of 32, and of one that goes to 9.
#include "drivers/comedi_counter.hpp"

#include <gtest/gtest.h>

namespace hild::comedi {
namespace {

TEST(ComediCounter, BeginsWhereTheCounterIs) {
  Unfolded count(15, false);
  EXPECT_EQ(count.follow(12), 12);
  EXPECT_EQ(count.follow(14), 14);
  EXPECT_EQ(count.follow(9), 9);
}

TEST(ComediCounter, GoesOnBeyondBothEnds) {
  Unfolded count(15, false);
  EXPECT_EQ(count.follow(14), 14);
  EXPECT_EQ(count.follow(1), 17);
  EXPECT_EQ(count.follow(8), 24);
  EXPECT_EQ(count.follow(15), 31);
  EXPECT_EQ(count.follow(2), 34);
  EXPECT_EQ(count.follow(13), 29);
  EXPECT_EQ(count.follow(6), 22);
  EXPECT_EQ(count.follow(0), 16);
  EXPECT_EQ(count.follow(10), 10);
  EXPECT_EQ(count.follow(3), 3);
  EXPECT_EQ(count.follow(15), -1);
  EXPECT_EQ(count.follow(9), -7);
}

TEST(ComediCounter, ThatWasResetIsBelowZeroWhereItWentBack) {
  Unfolded count(15, true);
  EXPECT_EQ(count.follow(14), -2);
  EXPECT_EQ(count.follow(3), 3);
}

TEST(ComediCounter, HalfATurnIsTakenForOneBack) {
  Unfolded count(15, true);
  EXPECT_EQ(count.follow(7), 7);
  EXPECT_EQ(count.follow(15), -1);
  EXPECT_EQ(count.follow(7), -9);
}

TEST(ComediCounter, OfThirtyTwoBits) {
  Unfolded count(0xFFFF'FFFFU, true);
  EXPECT_EQ(count.follow(0x7FFF'FFFFU), 2147483647.0);
  EXPECT_EQ(count.follow(0xFFFF'FFFEU), 4294967294.0);
  EXPECT_EQ(count.follow(1), 4294967297.0);
}

TEST(ComediCounter, ThatDoesNotEndAtAPowerOfTwo) {
  Unfolded count(9, true);
  EXPECT_EQ(count.follow(4), 4);
  EXPECT_EQ(count.follow(8), 8);
  EXPECT_EQ(count.follow(1), 11);
  EXPECT_EQ(count.follow(7), 7);
}

}  // namespace
}  // namespace hild::comedi
