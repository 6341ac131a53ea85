// SPDX-License-Identifier: Apache-2.0
// The device as the frame loop sees it, converting at every exchange.
#include <cmath>

#include "drivers/sim_image.hpp"
#include "tests/drivers/sim_rig.hpp"

namespace hild::sim {
namespace {

using test::SimRig;
using Values = std::vector<double>;

std::string message(const Result<void>& result) { return result ? "none" : result.error().message; }

TEST(SimDevice, AChannelServesOneSignal) {
  SimRig rig;
  rig.input({{"channel", "3"}});
  rig.output({{"channel", "3"}});  // its own numbers
  const auto again = rig.try_add(io::Direction::input, {{"channel", "3"}});
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().message, "A/D channel 3 is already used by another signal");
  EXPECT_FALSE(rig.try_add(io::Direction::output, {{"channel", "3"}}));
}

TEST(SimDevice, LoopbackReturnsWhatTheOutputConverterMadeOfIt) {
  SimRig rig;
  rig.output({{"channel", "5"}, {"range", "0 V..7 V"}, {"resolution", "3"}});
  rig.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "5"}});
  rig.open();
  EXPECT_EQ(rig.exchange({2.4}), Values{2});
  EXPECT_EQ(rig.exchange(), Values{2});  // held
  EXPECT_EQ(rig.exchange({9.0}), Values{7});
}

TEST(SimDevice, AnOutputWithoutInputsIsStillWritten) {
  SimRig rig;
  rig.output({{"channel", "1"}, {"resolution", "0"}});
  rig.open();
  ASSERT_TRUE(rig.device().exchange(Values{1.25}, {}, {}));
  Values held(1);
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held, Values{1.25});
}

TEST(SimDevice, DelayShowsTheWorldAsItWasAndSaysSo) {
  SimRig rig;
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  rig.input({{"channel", "0"}, {"resolution", "0"}, {"delay", "20 us"}, {"source.loopback", "0"}});
  rig.open();
  EXPECT_EQ(rig.exchange({1}), Values{0});  // 20 us ago it was not yet written
  EXPECT_EQ(rig.sampled(), rig.clock().now() - 20_us);
  rig.clock().advance(Duration{19'999});
  EXPECT_EQ(rig.exchange({2}), Values{0});
  rig.clock().advance(Duration{1});
  EXPECT_EQ(rig.exchange({3}), Values{1});  // exactly 20 us after it was written
  rig.clock().advance(1_ms);
  EXPECT_EQ(rig.exchange(), Values{3});
}

// Channels that are taken at the same instant are one group.
TEST(SimDevice, ChannelsOfOneDelayAreAnImageGroup) {
  SimRig rig;
  const auto late = [&](std::string_view channel, std::string_view key, std::string_view by) {
    return rig.input({{"channel", std::string(channel)}, {std::string(key), std::string(by)}})
        .group;
  };
  EXPECT_EQ(late("0", "delay", "5 us"), 0U);
  EXPECT_EQ(late("1", "delay", "30 us"), 1U);
  EXPECT_EQ(late("2", "conversion", "8 us"), 2U);
  EXPECT_EQ(late("3", "delay", "5 us"), 0U);
  rig.open();
  EXPECT_EQ(rig.device().groups(), 3U);
  Values values(4);
  std::array<MonoTime, 3> instants{};
  ASSERT_TRUE(rig.device().exchange({}, values, instants));
  const MonoTime now = rig.clock().now();
  EXPECT_EQ(instants, (std::array{now - 5_us, now - 30_us, now + 8_us}));
}

TEST(SimDevice, AConversionTakesTheWorldThatMuchLater) {
  SimRig rig;
  rig.input({{"channel", "0"},
             {"resolution", "0"},
             {"conversion", "40 us"},
             {"source.step.before", "1 V"},
             {"source.step.after", "2 V"},
             {"source.step.at", "100 us"}});
  rig.open_and_start();
  rig.clock().advance(59_us);
  EXPECT_EQ(rig.exchange(), Values{1});
  EXPECT_EQ(rig.sampled(), rig.clock().now() + 40_us);
  rig.clock().advance(1_us);
  EXPECT_EQ(rig.exchange(), Values{2});
}

TEST(SimDevice, SourcesCountTimeFromTheStart) {
  SimRig rig;
  rig.input({{"channel", "0"},
             {"resolution", "0"},
             {"source.step.before", "1 V"},
             {"source.step.after", "2 V"},
             {"source.step.at", "10 ms"}});
  rig.open_and_start();
  rig.clock().advance(Duration{9'999'999});
  EXPECT_EQ(rig.exchange(), Values{1});
  rig.clock().advance(Duration{1});
  EXPECT_EQ(rig.exchange(), Values{2});
}

TEST(SimDevice, DigitalLinesCarryBits) {
  SimRig rig;
  rig.output({{"channel", "0"}, {"digital", "true"}});
  const auto channel = rig.input({{"channel", "0"}, {"digital", "true"}, {"source.loopback", "0"}});
  EXPECT_TRUE(channel.digital);
  rig.open();
  EXPECT_EQ(rig.exchange({1}), Values{1});
  EXPECT_EQ(rig.exchange({0}), Values{0});
}

Values noisy(const char* seed, const char* channel) {
  SimRig rig(SimRig::Texts{{"seed", seed}});
  rig.input({{"channel", channel}, {"resolution", "0"}, {"noise", "1 mV"}});
  rig.open();
  Values values;
  for (int i = 0; i < 1000; ++i) values.push_back(rig.exchange()[0]);
  return values;
}

TEST(SimDevice, NoiseHasItsRmsAndRepeatsBySeedAndChannel) {
  const Values values = noisy("7", "0");
  double squares = 0;
  for (double v : values) squares += v * v;
  EXPECT_NEAR(std::sqrt(squares / 1000), 1e-3, 3e-4);
  EXPECT_EQ(noisy("7", "0"), values);
  EXPECT_NE(noisy("7", "1"), values);
  EXPECT_NE(noisy("8", "0"), values);
}

TEST(SimDevice, VanishesAfterSoManyExchangesForGood) {
  SimRig rig(SimRig::Texts{{"fail_after", "2"}});
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  rig.open();
  EXPECT_TRUE(rig.device().exchange(Values{1}, {}, {}));
  EXPECT_TRUE(rig.device().exchange(Values{2}, {}, {}));
  EXPECT_FALSE(rig.device().exchange(Values{3}, {}, {}));
  EXPECT_FALSE(rig.device().exchange(Values{4}, {}, {}));
  EXPECT_EQ(rig.device().failure(), "vanished after 2 exchanges, as told to by fail_after");
  Values held(1);
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held, Values{2});  // later calls touch nothing
}

TEST(SimDevice, MayVanishBeforeItsFirstExchange) {
  SimRig rig(SimRig::Texts{{"fail_after", "0"}});
  rig.output({{"channel", "0"}, {"resolution", "0"}});
  rig.open();
  EXPECT_FALSE(rig.device().exchange(Values{1}, {}, {}));
  EXPECT_EQ(rig.device().failure(), "vanished after 0 exchanges, as told to by fail_after");
  Values held(1);
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held, Values{0});
}

// To rehearse overruns: what was sampled is as old as the call was long, and the clock has moved by
// so much.
TEST(SimDevice, TakesLongEverySoManyExchanges) {
  SimRig rig(SimRig::Texts{{"stall.for", "3 ms"}, {"stall.every", "3"}});
  rig.input({{"channel", "0"}, {"source.constant", "1 V"}});
  rig.open();
  const MonoTime before = rig.clock().now();
  for (int i = 0; i < 6; ++i) rig.exchange();  // not yet in a run
  EXPECT_EQ(rig.clock().now(), before);
  rig.device().start(before);
  std::vector<std::int64_t> took;
  took.reserve(7);
  for (int i = 0; i < 7; ++i) {
    const MonoTime called = rig.clock().now();
    rig.exchange();
    EXPECT_EQ(rig.sampled(), called);
    took.push_back((rig.clock().now() - called).ns);
  }
  EXPECT_EQ(took, (std::vector<std::int64_t>{0, 0, 3'000'000, 0, 0, 3'000'000, 0}));
}

TEST(SimDevice, TakesASecondAtMostAndSaysHowOften) {
  EXPECT_THROW(SimRig(SimRig::Texts{{"stall.for", "1001 ms"}, {"stall.every", "3"}}),
               test::Rejected);
  EXPECT_THROW(SimRig(SimRig::Texts{{"stall.for", "1 ms"}, {"stall.every", "0"}}), test::Rejected);
  EXPECT_THROW(SimRig(SimRig::Texts{{"stall.for", "1 ms"}}), test::Rejected);
}

TEST(SimDevice, TheImageOutlivesTheDeviceAndOpeningChangesNothing) {
  SimRig rig;
  rig.output({{"channel", "2"}, {"resolution", "0"}});
  rig.open();
  rig.exchange({-3.5});
  rig.unplug();
  EXPECT_EQ(read_sim_image(rig.image()).value()[2], -3.5);

  SimRig second(SimRig::Texts{{"image", rig.image()}});
  second.output({{"channel", "2"}, {"resolution", "0"}});
  second.output({{"channel", "3"}, {"resolution", "0"}});
  second.open();
  Values held(2);
  ASSERT_TRUE(second.device().read_back(held));
  EXPECT_EQ(held, (Values{-3.5, 0}));
}

TEST(SimDevice, AVirtualWorldStartsAfreshWhateverTheImageHolds) {
  SimRig rig;
  rig.output({{"channel", "0"}});
  rig.open();
  rig.exchange({5});
  rig.unplug();
  SimRig second(SimRig::Texts{{"image", rig.image()}});
  second.output({{"channel", "0"}});
  second.input({{"channel", "0"}, {"resolution", "0"}, {"source.loopback", "0"}});
  second.open();
  EXPECT_EQ(second.exchange(), Values{0});
}

TEST(SimDevice, RefusesWiresThatLeadNowhere) {
  SimRig rig;
  rig.input({{"channel", "0"}, {"source.loopback", "4"}});
  EXPECT_EQ(message(rig.device().open(rig.clock())),
            "A/D channel 0: loopback of D/A channel 4, which no output uses");
  SimRig second;
  second.input({{"channel", "1"}, {"source.controller", "command"}});
  EXPECT_EQ(message(second.device().open(second.clock())),
            "A/D channel 1: source is a controller, but no controller commands it");
}

TEST(SimDevice, RefusesAnImageNameItCannotKeep) {
  EXPECT_THROW(SimRig(SimRig::Texts{{"image", std::string(64, 'x')}}), test::Rejected);
}

TEST(SimDevice, CannotTellItsOutputsBeforeItIsOpen) {
  SimRig rig;
  rig.output({{"channel", "0"}});
  Values held(1);
  EXPECT_FALSE(rig.device().read_back(held));
}

}  // namespace
}  // namespace hild::sim
