// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/stopwatch.hpp"

#include <gtest/gtest.h>

namespace hild::rt {
namespace {

/// Simulated time that stands. Who waits for it to move gets it moving at last, and does not hang.
class StandingClock final : public Clock {
 public:
  MonoTime now() noexcept override { return ++reads_ < 1000 ? time : time + 1_ms * reads_; }
  void sleep_until(MonoTime due) noexcept override { time = due; }
  [[nodiscard]] bool virtual_time() const noexcept override { return true; }
  MonoTime time{5'000};

 private:
  int reads_ = 0;
};

TEST(Stopwatch, IsTheClockItselfWhereTimeIsVirtual) {
  StandingClock clock;
  Stopwatch watch(clock);
  ASSERT_FALSE(watch.counts_cycles());
  EXPECT_EQ(watch.sync(), MonoTime{5'000});
  clock.time += 37_ns;
  EXPECT_EQ(watch.now(), MonoTime{5'037});
}

// Readings lie between two of the clock, whenever the thread was interrupted.
TEST(Stopwatch, AgreesWithTheClockItReads) {
  const auto clock = make_clock(ClockKind::sleep, 50_us);
  ASSERT_TRUE(clock.has_value());
  Stopwatch watch(**clock);
  MonoTime synced{};
  for (int i = 0; i < 10; ++i) {
    if (i % 5 == 0) synced = watch.sync();
    const MonoTime before = (*clock)->now();
    const MonoTime now = watch.now();
    const MonoTime after = (*clock)->now();
    // The kernel may be bringing its clock to the time of day, by 500 ppm. A ratio wrong by 1e-3
    // shows within the 80 ms here.
    const Duration tolerance = 20_us + part(now - synced, 5.5e-4);
    EXPECT_GE(now, before - tolerance);
    EXPECT_LE(now, after + tolerance);
    (*clock)->sleep_until(after + Duration(20_ms));
  }
}

TEST(Stopwatch, MeasuresFromAMark) {
  const auto clock = make_clock(ClockKind::sleep, 50_us);
  ASSERT_TRUE(clock.has_value());
  Stopwatch watch(**clock);
  (*clock)->sleep_until((*clock)->now() + 5_ms);  // not from its last reading of the clock
  const MonoTime before = (*clock)->now();
  const Stopwatch::Mark mark = watch.mark();
  const MonoTime marked = (*clock)->now();
  (*clock)->sleep_until(marked + 50_ms);
  const MonoTime read = (*clock)->now();
  const Duration since = watch.since(mark);
  // A ratio wrong by 1e-3 shows in 50 ms; the kernel may slew by 500 ppm.
  const Duration tolerance = 20_us + part(since, 5.5e-4);
  EXPECT_GE(since, read - marked - tolerance);
  EXPECT_LE(since, (*clock)->now() - before + tolerance);
}

/// The real clock, which counts how often it is read.
class CountedClock final : public Clock {
 public:
  explicit CountedClock(Clock& clock) : clock_(&clock) {}
  MonoTime now() noexcept override {
    ++readings;
    return clock_->now();
  }
  void sleep_until(MonoTime due) noexcept override { clock_->sleep_until(due); }
  int readings = 0;

 private:
  Clock* clock_;
};

// A reading that is fresh is not made again, and one that is not is, however often it is asked for.
TEST(Stopwatch, ReadsTheClockWhereItsReadingIsNoLongerFresh) {
  constexpr Duration longest_fresh = 1_s / 256;
  const auto real = make_clock(ClockKind::sleep, 50_us);
  ASSERT_TRUE(real.has_value());
  CountedClock clock(**real);
  Stopwatch watch(clock);
  if (!watch.counts_cycles()) GTEST_SKIP() << "the kernel does not tell the time by cycles";
  const MonoTime begun = (*real)->now();
  while ((*real)->now() < begun + 1200_ms) {  // the ratio is measured over a second
    (*real)->sleep_until((*real)->now() + longest_fresh + 1_ms);
    const int before = clock.readings;
    watch.sync();
    EXPECT_GT(clock.readings, before);
  }
  const MonoTime from = (*real)->now();
  const int before = clock.readings;
  for (int i = 0; i < 100'000; ++i) watch.sync();
  // Where it was interrupted it may have tried three times, and once more at the next sync().
  const auto most = 2 + 4 * (((*real)->now() - from).ns / (longest_fresh / 4).ns);
  EXPECT_LE(clock.readings - before, most);
}

/// The real clock, whose reader loses its CPU for a while after some readings.
class InterruptedClock final : public Clock {
 public:
  explicit InterruptedClock(Clock& clock) : clock_(&clock) {}
  MonoTime now() noexcept override {
    const MonoTime time = clock_->now();
    if (interruptions > 0) {
      --interruptions;
      while (clock_->now() < time + 20_ms) {
      }
    }
    return time;
  }
  void sleep_until(MonoTime due) noexcept override { clock_->sleep_until(due); }
  int interruptions = 0;

 private:
  Clock* clock_;
};

TEST(Stopwatch, IsNotBehindAfterAnInterruption) {
  const auto real = make_clock(ClockKind::sleep, 50_us);
  ASSERT_TRUE(real.has_value());
  InterruptedClock clock(**real);
  Stopwatch watch(clock);
  clock.interruptions = 2;
  while (clock.interruptions > 0) watch.sync();
  const MonoTime before = (*real)->now();
  EXPECT_GE(watch.now(), before - 1_ms);
}

TEST(Stopwatch, NeverRunsBackBetweenTwoSyncs) {
  const auto clock = make_clock(ClockKind::sleep, 50_us);
  ASSERT_TRUE(clock.has_value());
  Stopwatch watch(**clock);
  MonoTime last = watch.sync();
  for (int i = 0; i < 10'000; ++i) {
    const MonoTime now = watch.now();
    ASSERT_GE(now, last);
    last = now;
  }
}

}  // namespace
}  // namespace hild::rt
