// SPDX-License-Identifier: Apache-2.0
/// \file
/// Stamps of an adapter's own clock on the time line of a run, by scripted clocks: that the jitter
/// of delivery is taken off, and that no clock of an adapter makes more of an age than is possible.
#include "drivers/hardware_time.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace hild {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::int64_t hour = 3'600'000 * ms;
constexpr std::int64_t wall_epoch = 1'700'000'000'000'000'000;

/// A kernel that stamps and is asked at once: what arrived at an instant is read then.
class AdapterRig {
 public:
  /// What a packet is taken for that the kernel had at `with_kernel`.
  std::int64_t take(std::int64_t hardware, std::int64_t with_kernel) {
    kernel_.look(wall_epoch + with_kernel, MonoTime{with_kernel});
    return times_.arrived(hardware, wall_epoch + with_kernel, kernel_).ns;
  }
  [[nodiscard]] std::int64_t restarts() const { return times_.restarts(); }
  ReceiveTimes& kernel() { return kernel_; }
  HardwareTimes& times() { return times_; }

 private:
  ReceiveTimes kernel_;
  HardwareTimes times_;
};

struct Spread {
  double least = INFINITY;
  double most = -INFINITY;
  void add(std::int64_t ns) {
    least = std::min(least, static_cast<double>(ns));
    most = std::max(most, static_cast<double>(ns));
  }
};

struct Errors {
  Spread kernel;
  Spread hardware;
};

/// Of 5000 packets, each 2 ms, which take 0 ... 1 ms from adapter to kernel, each eighth of them
/// none; by a clock of the adapter that is slow by that part, and counts from anywhere.
Errors errors_with(double slow, std::int64_t counts_from) {
  constexpr std::array<std::int64_t, 8> takes_us{730, 410, 990, 120, 560, 1000, 280, 0};
  AdapterRig rig;
  Errors errors;
  for (std::int64_t k = 0; k < 5000; ++k) {
    const std::int64_t at = 100 * ms + 2 * ms * k;
    const auto counted =
        static_cast<std::int64_t>(std::llround(static_cast<double>(at) * (1 - slow)));
    const auto hardware = static_cast<std::int64_t>(static_cast<std::uint64_t>(counts_from) +
                                                    static_cast<std::uint64_t>(counted));
    const std::int64_t with_kernel = at + takes_us[static_cast<std::size_t>(k % 8)] * 1000;
    const std::int64_t taken = rig.take(hardware, with_kernel);
    if (k < 8) continue;  // until one has come that takes no time
    errors.kernel.add(with_kernel - at);
    errors.hardware.add(taken - at);
  }
  EXPECT_EQ(rig.restarts(), 0);
  return errors;
}

// From one that takes no time to the next are 16 ms. A packet between them that the adapter had t
// after the first, and the kernel j later, is taken for later than it was by what the least rose,
// (t + j) / 1024, less by what it truly did, slow * t. Of the seven the largest is that of the
// last, t = 14 ms, j = 280 us, or of the one before, t = 12 ms, j = 1 ms:
//   slow  50e-6: 13'945 ns - 700 ns = 13'245 ns and 12'695 ns - 600 ns = 12'095 ns
//   slow -50e-6: 13'945 ns + 700 ns = 14'645 ns and 12'695 ns + 600 ns = 13'295 ns
//   slow 700e-6: 13'945 ns - 9'800 ns = 4'145 ns and 12'695 ns - 8'400 ns = 4'295 ns
// None is taken for earlier than it was, as 1/1024 is more than slow, but for a nanosecond that
// each division cuts off, and one by which stamps are rounded.
TEST(HardwareTimes, TakeTheJitterOfDeliveryOff) {
  struct Case {
    double slow;
    double most_ns;
  };
  for (const auto [slow, most_ns] : {Case{50e-6, 13'245}, {-50e-6, 14'645}, {700e-6, 4'295}}) {
    const Errors errors = errors_with(slow, 77 * hour);
    EXPECT_EQ(errors.kernel.least, 0) << slow;
    EXPECT_EQ(errors.kernel.most, 1e6) << slow << ": what the kernel's stamps alone show";
    EXPECT_GE(errors.hardware.least, -10) << slow;
    EXPECT_LE(errors.hardware.most, most_ns + 10) << slow;
    EXPECT_GE(errors.hardware.most, most_ns - 20) << slow << ": it is derived right";
  }
}

TEST(HardwareTimes, CountFromAnywhere) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  // Also over the edge of 64 bits in the midst of it, after 5 s.
  for (const std::int64_t from : {std::int64_t{1}, -hour, least, most - 5000 * ms}) {
    const Errors errors = errors_with(50e-6, from);
    EXPECT_GE(errors.hardware.least, -10) << from;
    EXPECT_LE(errors.hardware.most, 13'255) << from;
  }
}

TEST(HardwareTimes, BelieveTheKernelOfTheFirstAndOfWhatTookLess) {
  AdapterRig rig;
  EXPECT_EQ(rig.take(5 * ms, 100 * ms), 100 * ms);
  EXPECT_EQ(rig.take(15 * ms, 109 * ms), 109 * ms) << "a millisecond less";
  // The clocks are 94 ms apart, and after 10.5 ms perhaps 10'500'000 / 1024 = 10'253 ns more.
  EXPECT_EQ(rig.take(20 * ms, 119'500'000), 114'010'253);
  EXPECT_EQ(rig.restarts(), 0);
}

TEST(HardwareTimes, AnAdapterThatWasResetIsLearnedAnew) {
  AdapterRig rig;
  EXPECT_EQ(rig.take(hour, 100 * ms), 100 * ms);
  EXPECT_EQ(rig.take(hour + 10 * ms, 111 * ms), 110'010'742) << "11 ms / 1024";
  EXPECT_EQ(rig.take(0, 121 * ms), 121 * ms);
  EXPECT_EQ(rig.restarts(), 1);
  EXPECT_EQ(rig.take(10 * ms, 132 * ms), 131'010'742);
  EXPECT_EQ(rig.take(hour, 140 * ms), 140 * ms);
  EXPECT_EQ(rig.restarts(), 2);
  EXPECT_EQ(rig.take(hour + 10 * ms, 151 * ms), 150'010'742);
}

TEST(HardwareTimes, ACounterThatWrapsIsLearnedAnew) {
  AdapterRig rig;
  constexpr std::int64_t turn = (std::int64_t{1} << 32) * 1000;  // 32 bits of microseconds
  rig.take(turn - 10 * ms, 100 * ms);
  EXPECT_EQ(rig.take(0, 110 * ms), 110 * ms);
  EXPECT_EQ(rig.take(10 * ms, 121 * ms), 120'010'742);
  EXPECT_EQ(rig.restarts(), 1);
}

// To a nanosecond: 10 ms, and what the least may rise by meanwhile, 10'240'000 / 1024.
TEST(HardwareTimes, NothingIsTakenForMoreThanTenMillisecondsEarlier) {
  constexpr std::int64_t from = 100 * ms;
  constexpr std::int64_t to = from + 10'240'000;
  constexpr std::int64_t most = 10 * ms + 10'000;
  AdapterRig within;
  within.take(0, from);
  EXPECT_EQ(within.take(10'240'000 - most, to), to - 10 * ms);
  EXPECT_EQ(within.restarts(), 0);
  AdapterRig beyond;
  beyond.take(0, from);
  EXPECT_EQ(beyond.take(10'240'000 - most - 1, to), to);
  EXPECT_EQ(beyond.restarts(), 1);
  AdapterRig less;
  less.take(0, from);
  EXPECT_EQ(less.take(10'240'000 + most, to), to);
  EXPECT_EQ(less.restarts(), 0) << "it may have taken less";
  EXPECT_EQ(less.take(10'240'000 + 2 * most + 1, to), to);
  EXPECT_EQ(less.restarts(), 1);
}

// 0.1 per mille in an hour is 360 ms.
TEST(HardwareTimes, AQuietBusIsNoReset) {
  for (const std::int64_t drift : {-360 * ms, 360 * ms}) {
    AdapterRig rig;
    rig.take(7 * ms, 100 * ms);
    EXPECT_EQ(rig.take(7 * ms + hour + drift, 100 * ms + hour), 100 * ms + hour);
    EXPECT_EQ(rig.restarts(), 0) << drift;
    EXPECT_EQ(rig.take(17 * ms + hour + drift, 111 * ms + hour), 110'010'742 + hour) << drift;
  }
}

// Any clock: one that stands, races, runs back, or tells anything.
TEST(HardwareTimes, NoClockMakesMoreOfAnAgeThanIsPossible) {
  AdapterRig rig;
  std::uint64_t any = 1;
  for (std::int64_t k = 0; k < 20'000; ++k) {
    any = any * 6364136223846793005U + 1442695040888963407U;
    const std::int64_t at = 100 * ms + k * ms;
    const std::array<std::int64_t, 4> clocks{42, 2 * at, -at, static_cast<std::int64_t>(any)};
    const std::int64_t taken = rig.take(clocks[static_cast<std::size_t>(k / 5000)], at);
    EXPECT_LE(taken, at);
    EXPECT_GE(taken, at - 10 * ms);
  }
  EXPECT_GT(rig.restarts(), 0);
}

// Read in another order than they came, or with a stamp of the kernel that was put right.
TEST(HardwareTimes, TheLeastDoesNotFallByWhatCameBefore) {
  AdapterRig rig;
  rig.take(0, 100 * ms);
  EXPECT_EQ(rig.take(10 * ms, 110 * ms), 110 * ms) << "the least is that of the first";
  rig.kernel().look(wall_epoch + 120 * ms, MonoTime{120 * ms});
  const auto taken = rig.times().arrived(4 * ms, wall_epoch + 105 * ms, rig.kernel());
  EXPECT_EQ(taken, MonoTime{104 * ms}) << "and did not rise by going back";
  EXPECT_EQ(rig.take(20 * ms, 121 * ms), 120'010'742) << "11 ms / 1024, from 110 ms on";
}

// The wall clock was set on by an hour between stamp and look: the packet is said to have come with
// the end of the read before, which would be 4 ms less than it took.
TEST(HardwareTimes, AStampOfTheKernelThatWasBoundedTeachesNothing) {
  AdapterRig rig;
  rig.take(0, 100 * ms);
  rig.kernel().emptied(MonoTime{105 * ms});
  rig.kernel().look(wall_epoch + 110 * ms + hour, MonoTime{110 * ms});
  EXPECT_EQ(rig.times().arrived(9 * ms, wall_epoch + 109 * ms, rig.kernel()), MonoTime{105 * ms});
  EXPECT_EQ(rig.take(10 * ms, 111 * ms), 110'010'742) << "as if it had not come";
  EXPECT_EQ(rig.restarts(), 0);
}

// At the adapter before, at the kernel after the read that left nothing.
TEST(HardwareTimes, APacketMayHaveBeenUnderWayWhileNothingWasThere) {
  AdapterRig rig;
  rig.take(0, 100 * ms);
  rig.kernel().emptied(MonoTime{110'500'000});
  EXPECT_EQ(rig.take(10 * ms, 111 * ms), 110'010'742);
}

}  // namespace
}  // namespace hild
