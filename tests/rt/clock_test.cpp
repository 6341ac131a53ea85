// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/clock.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <vector>

#include "hild/rt/thread.hpp"

namespace hild::rt {
namespace {

class RealClock : public ::testing::TestWithParam<ClockKind> {};

/// Does it on a thread of its own; false when it does not return, and the thread is left behind.
bool returns(std::function<void()> what) {
  std::promise<void> done;
  auto end = done.get_future();
  std::thread([what = std::move(what), done = std::move(done)]() mutable {
    what();
    done.set_value();
  }).detach();
  return end.wait_for(std::chrono::seconds(15)) == std::future_status::ready;
}

// No durations are asserted here: only that a clock never returns before the time it waits for. The
// margin is longer than any wait, so that the time to spin is not slept away.
TEST_P(RealClock, NeverReturnsBeforeItsTime) {
  const std::shared_ptr<Clock> clock = make_clock(GetParam(), 1_s).value();
  const auto early = std::make_shared<int>(0);
  ASSERT_TRUE(returns([=] {
    MonoTime due = clock->now();
    for (int i = 0; i < 20; ++i) {
      due += 200_us;
      clock->sleep_until(due);
      *early += clock->now() < due ? 1 : 0;
    }
    // What has passed returns at once, in any case returns.
    for (const MonoTime past : {due - Duration(1_s), MonoTime{1}, MonoTime{0}, MonoTime{-5}}) {
      clock->sleep_until(past);
    }
  }));
  EXPECT_EQ(*early, 0);
  EXPECT_FALSE(clock->virtual_time());
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

// A loop that is late asks for what has passed; one that is on time may ask for this very instant.
TEST(VirtualClock, HasNothingToWaitForAtTheTimeItself) {
  VirtualClock clock({1'000});
  clock.delay_next_wake(30_ns);
  clock.sleep_until({1'000});
  EXPECT_EQ(clock.now(), MonoTime{1'000});
  EXPECT_EQ(clock.sleeps(), 0);
  clock.sleep_until({2'000});
  EXPECT_EQ(clock.now(), MonoTime{2'030}) << "the late wake is that of the next sleep";
}

TEST(SpinMargin, CoversNinetyNineOfAHundredWakes) {
  std::vector<Duration> wakes;
  wakes.reserve(200);
  for (int i = 0; i < 200; ++i) wakes.push_back(1_us * (100 + i * 77 % 200));  // 100 ... 299 us
  const auto covered = [&](Duration margin) {
    return std::ranges::count_if(wakes, [&](Duration wake) { return wake <= margin; });
  };
  const Duration margin = spin_margin(wakes);
  EXPECT_GE(covered(margin), 198);
  EXPECT_LE(covered(margin), 199) << "the longest is not waited for";
}

TEST(SpinMargin, IsAtLeastTwentyMicroseconds) {
  std::vector<Duration> wakes(200, 3_us);
  EXPECT_EQ(spin_margin(wakes), Duration(20_us));
}

// What it says is what a thread then gets, and the caller is left as it was.
TEST(Thread, TellsWhetherItMayBeUrgent) {
  const bool allowed = urgent_allowed(10);
  EXPECT_EQ(::sched_getscheduler(0), SCHED_OTHER);
  Warnings warnings;
  auto thread = Thread::start({.priority = 10}, warnings, [] {});
  ASSERT_TRUE(thread.has_value());
  thread->join();
  EXPECT_EQ(allowed, warnings.empty());
  EXPECT_FALSE(urgent_allowed(100)) << "there is no such priority";
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

TEST(Thread, ThatWasLeftLetsGoOfItsBodyWhenItEnds) {
  Warnings warnings;
  auto held = std::make_shared<std::atomic<bool>>(false);
  const std::weak_ptr<std::atomic<bool>> seen = held;
  {
    auto thread = Thread::start({.priority = 0}, warnings, [held] {
      while (!*held) std::this_thread::yield();
    });
    ASSERT_TRUE(thread.has_value());
    thread->leave();
    thread->join();  // there is nothing left to join
  }
  *held = true;
  held.reset();
  while (!seen.expired()) std::this_thread::yield();
}

}  // namespace
}  // namespace hild::rt
