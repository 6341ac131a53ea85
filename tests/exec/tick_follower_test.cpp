// SPDX-License-Identifier: Apache-2.0
/// \file
/// A grid kept at the ticks of somebody else: those that drift, jitter, are missing, or jump. What
/// is expected follows from the loop's own equation, e' = e - drift - move.
#include "exec/tick_follower.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace hild::test {
namespace {

constexpr Duration period = 1_ms;
constexpr exec::Follow rule{.group = 0, .phase = 100_us, .tolerance = 0.1, .missing = 3};

/// A loop of nothing but ticks: image n arrives at `arrival(n)`, in ns, and is seen by the first
/// tick behind it.
struct Ticks {
  explicit Ticks(std::function<double(std::int64_t)> at) : arrival(std::move(at)) {}

  exec::TickFollower::Seen next() {
    due += period + follower.take_move();
    while (arrival(image + 1) <= static_cast<double>(due.ns)) ++image;
    seen = follower.see(due, newest());
    return seen;
  }
  void run(int frames) {
    for (int n = 0; n < frames; ++n) next();
  }
  [[nodiscard]] MonoTime newest() const { return {std::llround(arrival(image))}; }
  /// From the newest image to the tick.
  [[nodiscard]] double behind() const { return static_cast<double>(due.ns) - arrival(image); }

  std::function<double(std::int64_t)> arrival;
  exec::TickFollower follower{rule, period};
  MonoTime due{1'000'000'000};
  std::int64_t image = 0;
  exec::TickFollower::Seen seen;
};

/// Images `factor` of a frame apart, the first one at 1 s and `phase` ns.
auto steady(double factor, double phase = 0) {
  return [=](std::int64_t n) { return 1e9 + phase + static_cast<double>(n) * 1e6 * factor; };
}

TEST(TickFollower, TakesThePhaseOfTheTicks) {
  for (const double phase : {0.0, 250e3, 450e3, 700e3, 900e3}) {
    Ticks ticks(steady(1, phase));
    ticks.run(400);
    EXPECT_TRUE(ticks.follower.locked());
    EXPECT_NEAR(ticks.behind(), 100e3, 10) << phase;
    EXPECT_FALSE(ticks.seen.missing);
  }
}

// Of second order: a drift leaves no error. 200 ppm are 200 ns a frame.
TEST(TickFollower, FollowsAClockThatIsFasterOrSlower) {
  for (const double ppm : {-200.0, 200.0, 5000.0}) {
    Ticks ticks(steady(1 + ppm * 1e-6));
    ticks.run(1000);
    EXPECT_NEAR(ticks.behind(), 100e3, 10) << ppm;
    EXPECT_NEAR(ticks.follower.drift(), ppm * 1e-6, 1e-8);
    std::int64_t missing = 0;
    for (int n = 0; n < 1000; ++n) missing += ticks.next().missing ? 1 : 0;
    EXPECT_EQ(missing, 0) << ppm;
  }
}

// A filter of poles p (twice: 1 - 0.05) has a noise bandwidth: for this loop the variance of the
// grid is some 0.065 of that of uncorrelated arrivals, so that a quarter of the jitter is left.
TEST(TickFollower, TakesLittleOfTheJitterOver) {
  std::mt19937_64 random(1);  // NOLINT: the same every time
  std::uniform_real_distribution<double> jitter(-50e3, 50e3);
  std::vector<double> off(6000);
  for (double& one : off) one = jitter(random);
  Ticks ticks([&](std::int64_t n) {
    return 1e9 + static_cast<double>(n) * 1e6 + off[static_cast<std::size_t>(n)];
  });
  ticks.run(500);
  double square = 0;
  double worst = 0;
  for (int n = 0; n < 5000; ++n) {
    const auto seen = ticks.next();
    const double nominal = 1e9 + static_cast<double>(ticks.image) * 1e6;
    const double grid = static_cast<double>(ticks.due.ns) - 100e3 - nominal;
    square += grid * grid / 5000;
    if (seen.missing || seen.stray) continue;
    // Nor is it taken for the time of sampling.
    worst = std::max(worst, std::abs(static_cast<double>(seen.made.ns) - nominal - grid));
  }
  const double uniform = 100e3 / std::sqrt(12.0);
  EXPECT_LT(std::sqrt(square), 0.35 * uniform);
  EXPECT_GT(std::sqrt(square), 0.15 * uniform) << "a loop that does not move at all";
  EXPECT_LE(worst, 1);
  EXPECT_NEAR(ticks.follower.jitter(), uniform, 0.35 * uniform);
}

TEST(TickFollower, MovesNoFasterThanTheToleranceAllows) {
  Ticks ticks(steady(1, 500e3));
  MonoTime last = ticks.due;
  for (int n = 0; n < 200; ++n) {
    ticks.next();
    EXPECT_LE(std::abs((ticks.due - last - period).ns), 100'000);
    last = ticks.due;
  }
}

// Three may be missing in a row; the fourth is one too many.
TEST(TickFollower, BridgesWhatIsMissingAndNoMore) {
  std::int64_t gone = 0;  // images from 300 on are so many frames late, all of them
  Ticks ticks([&](std::int64_t n) {
    return 1e9 + static_cast<double>(n + (n >= 300 ? gone : 0)) * 1e6 * 1.0002;
  });
  for (gone = 1; gone <= 3; ++gone) {
    Ticks one = ticks;
    one.arrival = ticks.arrival;
    int missing = 0;
    for (int n = 0; n < 600; ++n) {
      const auto seen = one.next();
      missing += seen.missing ? 1 : 0;
      EXPECT_FALSE(seen.lost);
    }
    EXPECT_EQ(missing, gone);
    EXPECT_NEAR(one.behind(), 100e3, 100) << "its own clock ran on at their rate meanwhile";
  }
  gone = 4;
  bool lost = false;
  for (int n = 0; n < 600 && !lost; ++n) lost = ticks.next().lost;
  EXPECT_TRUE(lost);
}

TEST(TickFollower, WaitsASecondForTheFirstTick) {
  Ticks ticks([](std::int64_t n) { return n == 0 ? 0 : 9e18; });
  int frames = 0;
  while (!ticks.next().lost) ++frames;
  EXPECT_EQ(frames, 1000);
  Ticks later(steady(1, 900e6));
  later.image = -1;
  later.arrival = [](std::int64_t n) { return n < 0 ? 0 : 1.9e9 + static_cast<double>(n) * 1e6; };
  for (int n = 0; n < 1200; ++n) EXPECT_FALSE(later.next().lost);
  EXPECT_TRUE(later.follower.locked());
}

// A late step reads the image of a later tick. Until that tick none is missing, and none is of the
// future or of an older time than it came.
TEST(TickFollower, WhatALateStepReadAheadIsNotMissingLater) {
  exec::Follow strict = rule;
  strict.missing = 0;
  exec::TickFollower follower(strict, period);
  MonoTime due{1'000'000'000};
  const auto image_of = [&](MonoTime tick) { return tick - 100_us; };
  for (int n = 0; n < 100; ++n, due += period) {
    EXPECT_FALSE(follower.see(due, image_of(due)).missing);
    EXPECT_EQ(follower.take_move().ns, 0);
  }
  // 7.95 frames late, of steps of two frames.
  const MonoTime ahead = image_of(due + 8_ms) - 1_ms;
  auto seen = follower.see(due, ahead);
  EXPECT_TRUE(seen.tick);
  EXPECT_EQ(seen.made, ahead) << "and not the tick, which was long before";
  for (int step = 0; step < 3; ++step) {
    due += 2_ms;
    seen = follower.see(due, ahead);
    EXPECT_FALSE(seen.tick);
    EXPECT_FALSE(seen.missing) << step;
    EXPECT_FALSE(seen.lost);
    EXPECT_EQ(seen.made, ahead);
  }
  due += 2_ms;
  EXPECT_TRUE(follower.see(due, ahead).lost) << "now there should be another one";
}

// Between two ticks the same image is of the same time, and a newer one of the time of its tick.
TEST(TickFollower, WithinAStepImagesAreOfTheSameTimes) {
  exec::TickFollower follower(rule, period);
  MonoTime due{1'000'000'000};
  EXPECT_EQ(follower.stamp(due, due - 5_us), due - 5_us) << "nothing is known yet";
  for (int n = 0; n < 50; ++n, due += period) follower.see(due, due - 100_us);
  const MonoTime late = due - 20_us;  // 80 us late
  EXPECT_EQ(follower.see(due, late).made, due - 100_us);
  EXPECT_EQ(follower.stamp(due, late), due - 100_us);
  EXPECT_EQ(follower.stamp(due, due + 930_us), due + 900_us);
  EXPECT_EQ(follower.stamp(due, due + 850_us), due + 850_us) << "not later than it came";
  EXPECT_EQ(follower.stamp(due, due + 500_us), due + 500_us) << "stray";
}

// 0.3 of a frame early and late by turns: 0.4 and 1.6 frames apart.
TEST(TickFollower, TheMeanPeriodCountsTicksAndNotArrivals) {
  exec::TickFollower follower(rule, period);
  MonoTime due{1'000'000'000};
  for (int n = 0; n <= 2000; ++n, due += period) {
    follower.see(due, due - 100_us + (n % 2 == 0 ? Duration{-300'000} : 300_us));
  }
  EXPECT_NEAR(follower.drift(), 0, 1e-12);
}

// One image that comes 0.3 of a frame early, of a thousand.
TEST(TickFollower, AStrayTickIsCountedAndMovesLittle) {
  Ticks ticks(
      [](std::int64_t n) { return 1e9 + static_cast<double>(n) * 1e6 - (n == 500 ? 300e3 : 0); });
  int strays = 0;
  for (int n = 0; n < 700; ++n) {
    const auto seen = ticks.next();
    strays += n > 50 && seen.stray ? 1 : 0;
    if (n > 50 && seen.stray) {
      EXPECT_EQ(seen.made, ticks.newest());
    }
    if (n > 200) {
      EXPECT_NEAR(ticks.behind() - (ticks.image == 500 ? 300e3 : 0), 100e3, 15e3);
    }
  }
  EXPECT_EQ(strays, 1);
}

}  // namespace
}  // namespace hild::test
