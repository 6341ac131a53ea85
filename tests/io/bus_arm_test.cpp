// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bus that is armed, disarmed and made safe: ways that take time are walked on a virtual clock.
#include <array>
#include <cmath>

#include "io/bus.hpp"
#include "io/fake_device.hpp"

namespace hild::test {
namespace {

/// One line, safe at 2 V, and the fake behind it.
struct Line {
  explicit Line(io::SafeAction action = {}) : Line(line_of(action)) {}
  explicit Line(const io::OutputSignal& out, std::vector<double> carries = {}) {
    std::vector<io::Member> members;
    auto device = std::make_unique<FakeDevice>();
    fake = device.get();
    fake->carries = std::move(carries);
    members.push_back({Name("dac"), std::move(device), {}});
    bus = std::make_unique<io::Bus>(std::move(members), std::vector<io::InputSignal>{},
                                    std::vector{out});
    EXPECT_TRUE(bus->open(clock));
  }
  static io::OutputSignal line_of(io::SafeAction action) {
    io::OutputSignal out;
    out.device = 0;
    out.limits = {-10, 10};
    out.safe = 2;
    out.action = action;
    return out;
  }
  /// One that moves by a volt a frame at most.
  static io::OutputSignal slow_line() {
    io::OutputSignal out = line_of({});
    out.slew = 100;
    return out;
  }
  /// A frame of 10 ms in which the model wants `y`; what the line is given.
  double frame(double y) { return exchange({&y, 1}); }
  /// One in which the loop writes nothing by itself.
  double quiet_frame() { return exchange({}); }
  double exchange(std::span<const double> y) {
    clock.advance(10_ms);
    EXPECT_TRUE(bus->exchange(y, {}, clock.now(), {}));
    return fake->written.empty() ? 0 : fake->written.back()[0];
  }

  rt::VirtualClock clock{MonoTime{1'000'000'000}};
  FakeDevice* fake = nullptr;
  std::unique_ptr<io::Bus> bus;
};

TEST(Arming, ABusIsMadeArmedAndFollowsAtOnce) {
  Line line;
  EXPECT_TRUE(line.bus->armed());
  EXPECT_DOUBLE_EQ(line.frame(7), 7);
  EXPECT_TRUE(line.bus->settled());
}

TEST(Arming, ADisarmedRunKeepsItsOutputsSafe) {
  Line line;
  line.bus->start_disarmed();
  EXPECT_FALSE(line.bus->armed());
  EXPECT_DOUBLE_EQ(line.frame(7), 2);
  EXPECT_DOUBLE_EQ(line.frame(8), 2);
}

TEST(Arming, TellsWhatTheLineCarriesInUnitsOfTheSignal) {
  io::OutputSignal wired;
  wired.device = 0;
  wired.scale = 20;
  wired.offset = 5;
  wired.limits = {-10, 10};
  wired.safe = 2;
  io::OutputSignal loose;
  std::vector<io::Member> members;
  members.push_back({Name("dac"), std::make_unique<FakeDevice>(), {}});
  io::Bus bus(std::move(members), {}, {loose, wired});
  rt::VirtualClock clock{MonoTime{1'000'000'000}};
  ASSERT_TRUE(bus.open(clock));
  std::array<double, 2> carried{};
  const auto put_out = [&](double y) {
    ASSERT_TRUE(bus.exchange(std::array{7.0, y}, {}, clock.now(), {}));
    bus.lines(carried);
  };
  put_out(65);
  EXPECT_TRUE(std::isnan(carried[0])) << "no line";
  EXPECT_DOUBLE_EQ(carried[1], 65);
  put_out(1e6);
  EXPECT_DOUBLE_EQ(carried[1], 205) << "cut to 10 V";
  bus.disarm();
  put_out(65);
  EXPECT_DOUBLE_EQ(carried[1], 45) << "2 V";
}

TEST(Arming, TellsThatALineIsOnItsWay) {
  Line line({.hold = false, .ramp = 40_ms});
  std::array<double, 1> carried{};
  line.frame(6);
  EXPECT_FALSE(line.bus->lines(carried));
  line.bus->disarm();
  line.frame(6);
  line.frame(6);
  EXPECT_TRUE(line.bus->lines(carried));
  EXPECT_DOUBLE_EQ(carried[0], 5);
}

// Held safe for another reason, nothing is put out: a bus that is disarmed says so all the same,
// and does not come back as if it were armed.
TEST(Arming, IsTakenBackWhileNothingIsPutOut) {
  Line line;
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_TRUE(line.bus->safe());
  line.quiet_frame();
  EXPECT_TRUE(line.bus->armed());
  line.bus->disarm();
  line.quiet_frame();
  EXPECT_FALSE(line.bus->armed());
  EXPECT_DOUBLE_EQ(line.frame(6), 2);
  line.bus->arm(20_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 2) << "here the way begins";
  EXPECT_DOUBLE_EQ(line.frame(6), 4);
}

TEST(Arming, RampsInFromTheSafeValue) {
  Line line;
  line.bus->start_disarmed();
  line.bus->arm(40_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 2);  // here the way begins
  EXPECT_TRUE(line.bus->armed());
  EXPECT_DOUBLE_EQ(line.frame(6), 3);
  EXPECT_DOUBLE_EQ(line.frame(6), 4);
  EXPECT_DOUBLE_EQ(line.frame(10), 8);  // it is the share that grows, whatever the model does
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_DOUBLE_EQ(line.frame(9), 9);
}

TEST(Arming, CanBeTakenBackWhileTheRunGoesOn) {
  Line line({.hold = false, .ramp = 40_ms});
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  line.bus->disarm();
  EXPECT_TRUE(line.bus->armed()) << "it has not happened yet";
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_FALSE(line.bus->armed());
  EXPECT_DOUBLE_EQ(line.frame(6), 5);
  line.bus->arm(20_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 5);
  EXPECT_DOUBLE_EQ(line.frame(6), 5.5);
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
}

TEST(Arming, ArmedTwiceGoesOn) {
  Line line;
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  line.bus->arm(1_s);
  EXPECT_DOUBLE_EQ(line.frame(7), 7);
}

// From the first write on, which no time has passed before, and for as long as the run lasts.
TEST(Arming, SlewLimitsHoldInEveryFrame) {
  Line line(Line::slow_line());
  EXPECT_DOUBLE_EQ(line.frame(4), 2) << "it is where it is";
  EXPECT_DOUBLE_EQ(line.frame(4), 3);
  EXPECT_FALSE(line.bus->settled());
  EXPECT_DOUBLE_EQ(line.frame(4), 4);
  EXPECT_TRUE(line.bus->settled());
  EXPECT_DOUBLE_EQ(line.frame(4), 4);
  EXPECT_DOUBLE_EQ(line.frame(-9), 3) << "arrived once, the limit still holds";
  EXPECT_DOUBLE_EQ(line.frame(-9), 2);
}

// Neither what it did before nor the time for which it was disarmed allows a leap.
TEST(Arming, SlewLimitsHoldAfterArming) {
  Line line(Line::slow_line());
  line.bus->start_disarmed();
  for (int n = 0; n < 10; ++n) EXPECT_DOUBLE_EQ(line.frame(9), 2);
  line.bus->arm({});
  EXPECT_DOUBLE_EQ(line.frame(9), 3);
  EXPECT_DOUBLE_EQ(line.frame(9), 4);
  line.bus->disarm();
  EXPECT_DOUBLE_EQ(line.frame(9), 4) << "here the way back begins";
  EXPECT_DOUBLE_EQ(line.frame(9), 3);
  line.bus->arm(20_ms);
  EXPECT_DOUBLE_EQ(line.frame(9), 3);
  EXPECT_DOUBLE_EQ(line.frame(9), 4) << "the ramp would be at 6";
}

TEST(Arming, ARampInIsThatOfItsArmingAlone) {
  Line line;
  line.bus->start_disarmed();
  line.bus->arm(20_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 2);
  EXPECT_DOUBLE_EQ(line.frame(6), 4);
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_TRUE(line.bus->safe());
  EXPECT_DOUBLE_EQ(line.frame(7), 7) << "resumed, and never disarmed";
}

// A run that was held safe half-way in comes back without the rest of its ramp.
TEST(Arming, ARampInThatWasCutOffIsOver) {
  Line line;
  line.bus->start_disarmed();
  line.bus->arm(40_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 2);
  EXPECT_DOUBLE_EQ(line.frame(6), 3);
  EXPECT_TRUE(line.bus->safe());
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
}

// What a line carries is known where a device can tell; ways begin there, else at the safe value.
TEST(Arming, RampsFromTheLinesOwnValue) {
  Line line(Line::line_of({.hold = false, .ramp = 40_ms}), {-6});
  EXPECT_DOUBLE_EQ(line.quiet_frame(), 0) << "nothing is written";
  line.bus->start_disarmed();
  line.bus->arm(40_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), -6);
  EXPECT_DOUBLE_EQ(line.frame(6), -3);
  EXPECT_DOUBLE_EQ(line.frame(6), 0);
  line.bus->disarm();
  EXPECT_DOUBLE_EQ(line.frame(6), 0);
  EXPECT_DOUBLE_EQ(line.frame(6), 0.5) << "on the way from there to 2";
}

// Made safe and disarmed, then resumed and armed: the way in takes its time, though it was there
// before.
TEST(Arming, ARampInFollowsWhatWasSafe) {
  Line line;
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_DOUBLE_EQ(line.frame(6), 6) << "there, at once";
  line.bus->disarm();
  EXPECT_DOUBLE_EQ(line.frame(6), 2);
  line.bus->arm(20_ms);
  EXPECT_DOUBLE_EQ(line.frame(6), 2);
  EXPECT_DOUBLE_EQ(line.frame(6), 4);
}

TEST(Arming, DrivesOnlyWhereALineIsWired) {
  EXPECT_TRUE(Line().bus->drives());
  std::vector<io::Member> members;
  members.push_back({Name("adc"), std::make_unique<FakeDevice>(), {}});
  io::OutputSignal loose;
  const io::Bus bus(std::move(members), {}, {loose});
  EXPECT_FALSE(bus.drives());
}

TEST(SafeActions, BeginWhereADeviceTellsItsLineIs) {
  Line line(Line::line_of({.hold = false, .ramp = 40_ms}), {-6});
  EXPECT_TRUE(line.bus->safe());
  EXPECT_DOUBLE_EQ(line.quiet_frame(), -4);
  EXPECT_DOUBLE_EQ(line.quiet_frame(), -2);
}

TEST(SafeActions, BeginAnewAfterEachResumption) {
  Line line({.hold = false, .ramp = 40_ms});
  for (int time = 0; time < 2; ++time) {
    EXPECT_DOUBLE_EQ(line.frame(6), 6);
    EXPECT_DOUBLE_EQ(line.frame(6), 6);
    EXPECT_TRUE(line.bus->safe());
    EXPECT_DOUBLE_EQ(line.fake->written.back()[0], 6);
    EXPECT_DOUBLE_EQ(line.quiet_frame(), 5);
    EXPECT_DOUBLE_EQ(line.quiet_frame(), 4);
  }
}

TEST(SafeActions, ThatTakeTimeGoOnWithoutTheModel) {
  Line line({.hold = false, .ramp = 40_ms});
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_TRUE(line.bus->safe());
  EXPECT_FALSE(line.bus->settled());
  EXPECT_DOUBLE_EQ(line.quiet_frame(), 5);
  EXPECT_DOUBLE_EQ(line.quiet_frame(), 4);
  EXPECT_DOUBLE_EQ(line.quiet_frame(), 3);
  EXPECT_DOUBLE_EQ(line.quiet_frame(), 2);
  EXPECT_TRUE(line.bus->settled());
  const std::size_t writes = line.fake->written.size();
  line.quiet_frame();
  EXPECT_EQ(line.fake->written.size(), writes) << "what stands need not be written again";
}

TEST(SafeActions, AskedForAgainDoNotStartAgain) {
  Line line({.hold = false, .ramp = 40_ms});
  EXPECT_DOUBLE_EQ(line.frame(6), 6);
  EXPECT_TRUE(line.bus->safe());
  line.clock.advance(30_ms);
  EXPECT_TRUE(line.bus->safe());
  EXPECT_DOUBLE_EQ(line.fake->written.back()[0], 3);
}

TEST(SafeActions, EndWithTheNextOutputsOfTheModel) {
  Line line;
  EXPECT_TRUE(line.bus->safe());
  EXPECT_DOUBLE_EQ(line.frame(6), 6) << "no ramp: nobody armed it anew";
}

}  // namespace
}  // namespace hild::test
