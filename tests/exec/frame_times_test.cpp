// SPDX-License-Identifier: Apache-2.0
/// Histograms of times are made from records, of which each tells the end of the frame before it.
#include "exec/frame_times.hpp"

#include <gtest/gtest.h>

namespace hild::testing {
namespace {

class Times : public ::testing::Test {
 protected:
  io::FrameHeader& begin() {
    slot.begin();
    return slot.header();
  }
  void add() { times.add(io::FrameView(layout, bytes)); }
  static Duration& of(io::FrameHeader& h, io::Phase phase) {
    return h.phases[static_cast<std::size_t>(phase)];
  }
  const exec::Histogram& of(io::Phase phase) const {
    return statistics.phases[static_cast<std::size_t>(phase)];
  }

  io::FrameLayout layout{2, 1, 1, 1};
  std::vector<double> memory = std::vector<double>(layout.bytes() / sizeof(double));
  std::byte* bytes = reinterpret_cast<std::byte*>(memory.data());
  io::FrameSlot slot{layout, bytes};
  exec::Statistics statistics;
  exec::FrameTimes times{statistics};
};

TEST_F(Times, OfAFrameAreWholeWithTheNextRecord) {
  io::FrameHeader& first = begin();
  of(first, io::Phase::device) = 30_us;
  of(first, io::Phase::passes) = 70_us;
  of(first, io::Phase::wake) = 5_us;
  of(first, io::Phase::wait) = 400_us;
  first.lateness = -500_us;
  first.passes = 2;
  slot.pass(0, {}, 40_us, std::array{0.0});
  slot.pass(1, {}, 30_us, std::array{0.0});
  add();
  EXPECT_EQ(statistics.work.count(), 0);
  EXPECT_EQ(of(io::Phase::device).max(), 30_us);
  EXPECT_EQ(of(io::Phase::record).count(), 0) << "there is no frame before the first";
  EXPECT_EQ(statistics.margin.min(), 500_us);
  EXPECT_EQ(statistics.lateness.count(), 0);
  EXPECT_EQ(statistics.passes[0].max(), 40_us);
  EXPECT_EQ(statistics.passes[1].max(), 30_us);

  io::FrameHeader& second = begin();
  of(second, io::Phase::record) = 2_us;
  of(second, io::Phase::slack) = 50_us;
  of(second, io::Phase::idle) = 300_us;
  second.lateness = 10_us;
  add();
  EXPECT_EQ(statistics.work.count(), 1);
  EXPECT_EQ(statistics.work.max(), 102_us) << "without wake, wait, slack and idle";
  EXPECT_EQ(of(io::Phase::record).max(), 2_us);
  EXPECT_EQ(of(io::Phase::idle).max(), 300_us);
  EXPECT_EQ(statistics.lateness.max(), 10_us);
  EXPECT_EQ(statistics.margin.min(), 0_us);
  EXPECT_EQ(statistics.passes[0].count(), 1) << "it took no pass";
}

TEST_F(Times, OfAHeldFrameHaveNoMargin) {
  io::FrameHeader& h = begin();
  h.frozen = true;
  h.lateness = -900_us;
  of(h, io::Phase::device) = 30_us;
  add();
  EXPECT_EQ(of(io::Phase::device).count(), 1);
  EXPECT_EQ(statistics.margin.count(), 0);
}

}  // namespace
}  // namespace hild::testing
