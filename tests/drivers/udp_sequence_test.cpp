// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_sequence.hpp"

#include <gtest/gtest.h>

namespace hild::udp {
namespace {

using Order = Sequence::Order;

TEST(UdpSequence, TheFirstIsTakenWhateverItIs) {
  Sequence sequence(32);
  const auto verdict = sequence.look(4'000'000'000);
  EXPECT_EQ(verdict.order, Order::newer);
  EXPECT_EQ(verdict.missing, 0);
}

TEST(UdpSequence, TellsGapsDoublesAndWhatComesLate) {
  Sequence sequence(32);
  (void)sequence.look(10);
  EXPECT_EQ(sequence.look(11).missing, 0);
  const auto gap = sequence.look(15);
  EXPECT_EQ(gap.order, Order::newer);
  EXPECT_EQ(gap.missing, 3);  // 12, 13, 14
  EXPECT_EQ(sequence.look(15).order, Order::doubled);
  EXPECT_EQ(sequence.look(13).order, Order::reordered);
  EXPECT_FALSE(sequence.look(13).taken());
  EXPECT_EQ(sequence.look(16).missing, 0) << "what came late has not moved the newest";
}

class UdpSequenceOf : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Bits, UdpSequenceOf, testing::Values(8U, 16U, 32U, 64U));

TEST_P(UdpSequenceOf, WrapsAround) {
  const std::uint64_t last = ~std::uint64_t{0} >> (64 - GetParam());
  Sequence sequence(GetParam());
  (void)sequence.look(last - 1);
  EXPECT_EQ(sequence.look(last).missing, 0);
  EXPECT_EQ(sequence.look(0).order, Order::newer);
  EXPECT_EQ(sequence.look(last).order, Order::reordered);
  const auto gap = sequence.look(3);
  EXPECT_EQ(gap.order, Order::newer);
  EXPECT_EQ(gap.missing, 2);
}

TEST_P(UdpSequenceOf, ASenderThatCountsAnewIsTakenFromItsSecondPacketOn) {
  // Half of the numbers behind: neither a gap nor late.
  const std::uint64_t half = std::uint64_t{1} << (GetParam() - 1);
  Sequence sequence(GetParam());
  (void)sequence.look(half - 10);
  EXPECT_EQ(sequence.look(0).order, Order::reordered);
  EXPECT_FALSE(sequence.look(0).taken()) << "the same again follows on nothing";
  const auto second = sequence.look(1);
  EXPECT_EQ(second.order, Order::restarted);
  EXPECT_EQ(second.missing, 0);
  EXPECT_EQ(sequence.look(2).order, Order::newer);
}

TEST(UdpSequence, OneThatIsFarOffIsNoNewBeginning) {
  Sequence sequence(32);
  (void)sequence.look(1'000'000);
  EXPECT_EQ(sequence.look(5).order, Order::reordered);
  EXPECT_EQ(sequence.look(1'000'001).order, Order::newer);
  EXPECT_EQ(sequence.look(6).order, Order::reordered) << "a packet has come between";
  EXPECT_EQ(sequence.look(8).order, Order::reordered) << "7 is missing";
  EXPECT_EQ(sequence.look(9).order, Order::restarted);
}

TEST(UdpSequence, AGapOfAMillionIsOneAndALongerOneIsNot) {
  Sequence near(32);
  (void)near.look(0);
  EXPECT_EQ(near.look(1'000'000).missing, 999'999);
  Sequence far(32);
  (void)far.look(0);
  EXPECT_FALSE(far.look(1'000'001).taken());
}

TEST(UdpSequence, AHundredBehindIsLateAndMoreIsFar) {
  Sequence late(32);
  (void)late.look(1000);
  (void)late.look(900);
  EXPECT_EQ(late.look(901).order, Order::reordered);
  Sequence far(32);
  (void)far.look(1000);
  (void)far.look(898);
  EXPECT_EQ(far.look(899).order, Order::restarted);
}

}  // namespace
}  // namespace hild::udp
