// SPDX-License-Identifier: Apache-2.0
// A device that converts at its own rate, played on a virtual clock: 2 kHz, ticks 500 us apart.
#include "tests/drivers/sim_rig.hpp"

namespace hild::sim {
namespace {

using test::SimRig;
using Values = std::vector<double>;

class Autonomous : public ::testing::Test {
 protected:
  Autonomous() {
    rig_.output({{"channel", "0"}, {"resolution", "0"}});
    rig_.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "0"}});
  }
  void start() {
    rig_.open_and_start();
    epoch_ = rig_.clock().now();
  }
  [[nodiscard]] Duration stamp() const { return rig_.sampled() - epoch_; }

  SimRig rig_{SimRig::Texts{{"autonomous.rate", "2 kHz"}}};
  MonoTime epoch_{};
};

TEST_F(Autonomous, HasAnImageFromTheStart) {
  start();
  EXPECT_EQ(rig_.exchange(), Values{0});
  EXPECT_EQ(stamp(), 0_us);
}

TEST_F(Autonomous, ImagesCarryTheInstantTheyWereTaken) {
  start();
  rig_.clock().advance(499_us);
  rig_.exchange();
  EXPECT_EQ(stamp(), 0_us);
  rig_.clock().advance(1_us);
  rig_.exchange();
  EXPECT_EQ(stamp(), 500_us);
  rig_.clock().advance(1800_us);  // now 2300 us
  rig_.exchange();
  EXPECT_EQ(stamp(), 2000_us);
}

// The raw count belongs to the image that was handed over, not to a newer one.
TEST(AutonomousCounts, ComeWithTheirImage) {
  SimRig rig(SimRig::Texts{{"autonomous.rate", "2 kHz"}});
  rig.output({{"channel", "0"}, {"range", "0 V..7 V"}, {"resolution", "3"}});
  const auto input = rig.input(
      {{"channel", "0"}, {"range", "0 V..7 V"}, {"resolution", "3"}, {"source.loopback", "0"}});
  EXPECT_TRUE(input.counted);
  rig.open_and_start();
  EXPECT_EQ(rig.exchange({5}), Values{0});
  EXPECT_EQ(rig.device().counts()[0], 0U);
  rig.clock().advance(500_us);
  EXPECT_EQ(rig.exchange(), Values{5});
  EXPECT_EQ(rig.device().counts()[0], 5U);
}

TEST_F(Autonomous, OutputsReachTheLinesAtItsOwnTicks) {
  start();
  rig_.clock().advance(100_us);
  rig_.exchange({1});
  Values held(1);
  ASSERT_TRUE(rig_.device().read_back(held));
  EXPECT_EQ(held, Values{0});  // in the mailbox
  rig_.clock().advance(300_us);
  rig_.exchange({2});  // overtakes the 1
  rig_.clock().advance(100_us);
  EXPECT_EQ(rig_.exchange({3}), Values{2});  // tick at 500 us took the 2
  ASSERT_TRUE(rig_.device().read_back(held));
  EXPECT_EQ(held, Values{2});
}

TEST_F(Autonomous, WhatWasPostedLastIsWrittenWhenItStops) {
  start();
  rig_.exchange({4});
  rig_.device().stop();
  Values held(1);
  ASSERT_TRUE(rig_.device().read_back(held));
  EXPECT_EQ(held, Values{4});
  EXPECT_EQ(rig_.exchange({5}), Values{5});  // converts at every exchange again
}

TEST_F(Autonomous, ConvertsAtEveryExchangeBeforeItIsStarted) {
  rig_.open();
  EXPECT_EQ(rig_.exchange({6}), Values{6});
}

// The first tick of a run lies ahead of the start: conversions go on until then as they do later.
TEST_F(Autonomous, ConvertsOnItsGridBeforeTimeZeroToo) {
  rig_.open();
  const MonoTime zero = rig_.clock().now() + 1'800_us;
  rig_.device().start(zero);
  rig_.clock().advance(100_us);
  rig_.exchange();
  EXPECT_EQ(rig_.sampled(), zero - 1'800_us) << "there is an image from the start";
  for (const Duration before : {1'500_us, 1'000_us, 500_us, 0_us}) {
    rig_.clock().advance(zero - before - rig_.clock().now());
    rig_.exchange();
    EXPECT_EQ(rig_.sampled(), zero - before);
  }
}

TEST_F(Autonomous, DelayMakesItsImagesOlder) {
  rig_.input({{"channel", "1"}, {"delay", "30 us"}});
  start();
  rig_.clock().advance(600_us);
  rig_.exchange();
  EXPECT_EQ(rig_.instants(), (std::vector{epoch_ + 500_us, epoch_ + 470_us}));
}

/// The value of the 40th conversion's noise shows how many there were.
double noise_after(const std::vector<Duration>& frames) {
  SimRig rig(SimRig::Texts{{"autonomous.rate", "2 kHz"}});
  rig.input({{"channel", "0"}, {"resolution", "0"}, {"noise", "1 V"}});
  rig.open_and_start();
  double last = 0;
  for (const Duration frame : frames) {
    rig.clock().advance(frame);
    last = rig.exchange()[0];
  }
  return last;
}

TEST(AutonomousTicks, HappenOnceEachHoweverTimeAdvances) {
  const double one_by_one = noise_after(std::vector<Duration>(40, 500_us));
  EXPECT_EQ(noise_after({20_ms}), one_by_one);
  EXPECT_EQ(noise_after(std::vector<Duration>(200, 100_us)), one_by_one);
  EXPECT_EQ(noise_after({7_ms, 0_ms, Duration{12'999'999}, 1_ns}), one_by_one);
  EXPECT_NE(noise_after(std::vector<Duration>(41, 500_us)), one_by_one);
  EXPECT_NE(noise_after({Duration{19'999'999}}), one_by_one);
}

// Whether the first conversion was made once: a converter that converts at every exchange draws
// the same noise.
TEST(AutonomousTicks, TheOneAtTheStartHappensOnceToo) {
  SimRig rig;
  rig.input({{"channel", "0"}, {"resolution", "0"}, {"noise", "1 V"}});
  rig.open_and_start();
  EXPECT_EQ(noise_after({0_ms}), rig.exchange()[0]);
}

}  // namespace
}  // namespace hild::sim
