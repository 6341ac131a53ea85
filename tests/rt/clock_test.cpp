// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/clock.hpp"

#include <gtest/gtest.h>

#include "hild/rt/thread.hpp"

namespace hild::rt {
namespace {

class RealClock : public ::testing::TestWithParam<ClockKind> {};

// No durations are asserted here: only that a clock never returns before the time it waits for.
TEST_P(RealClock, NeverReturnsBeforeItsTime) {
  const auto clock = make_clock(GetParam(), 50_us);
  ASSERT_TRUE(clock.has_value());
  MonoTime due = (*clock)->now();
  for (int i = 0; i < 20; ++i) {
    due += 200_us;
    (*clock)->sleep_until(due);
    EXPECT_GE((*clock)->now(), due);
  }
  (*clock)->sleep_until(due - Duration(1_s));  // has passed: returns at once, in any case returns
  EXPECT_FALSE((*clock)->virtual_time());
}

INSTANTIATE_TEST_SUITE_P(All, RealClock,
                         ::testing::Values(ClockKind::sleep, ClockKind::sleep_spin, ClockKind::spin,
                                           ClockKind::timerfd));

TEST(VirtualClock, MovesOnlyWhenTold) {
  VirtualClock clock({1'000});
  EXPECT_EQ(clock.now(), MonoTime{1'000});
  clock.sleep_until({5'000});
  EXPECT_EQ(clock.now(), MonoTime{5'000});
  clock.advance(70_ns);
  clock.sleep_until({2'000});
  EXPECT_EQ(clock.now(), MonoTime{5'070});
  EXPECT_EQ(clock.sleeps(), 1);
  clock.delay_next_wake(30_ns);
  clock.sleep_until({6'000});
  EXPECT_EQ(clock.now(), MonoTime{6'030});
  clock.sleep_until({7'000});
  EXPECT_EQ(clock.now(), MonoTime{7'000});
}

TEST(Thread, RunsItsBodyAndSaysWhatItCouldNotGet) {
  Warnings warnings;
  bool ran = false;
  auto thread = Thread::start({.priority = 10, .cpu = 4095, .name = Name("test")}, warnings,
                              [&] { ran = true; });
  ASSERT_TRUE(thread.has_value());
  thread->join();
  EXPECT_TRUE(ran);
  // There is no CPU 4095 here; whether FIFO is allowed depends on who runs this.
  ASSERT_FALSE(warnings.empty());
  EXPECT_NE(warnings[0].message.find("CPU 4095"), std::string::npos);
}

}  // namespace
}  // namespace hild::rt
