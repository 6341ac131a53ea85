// SPDX-License-Identifier: Apache-2.0
/// Not one heap call of workers, of threads in the background and of their master, from the first
/// task to the last.
#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>

#include "hild/rt/background_thread.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/workers.hpp"
#include "support/heap_trap.hpp"

namespace hild::rt {
namespace {

static_assert(test::HeapTrap::counting, "these tests are left out where nothing is counted");

/// Counts what its thread has called since its first task: also between tasks.
class Counted final : public Tasks {
 public:
  void run(std::size_t task) noexcept override {
    // Never destroyed: to have that done at the end of the thread would be a heap call.
    thread_local test::HeapTrap* trap = nullptr;
    alignas(test::HeapTrap) thread_local std::array<std::byte, sizeof(test::HeapTrap)> place;
    if (trap == nullptr) trap = new (place.data()) test::HeapTrap;
    calls_[task] = std::max(calls_[task], trap->calls());
  }
  [[nodiscard]] long calls() const { return std::ranges::max(calls_); }

 private:
  std::array<long, 64> calls_{};
};

TEST(WorkersHeap, IsCalledByNobody) {
  Warnings warnings;
  const auto workers =
      Workers::start({.cpus = {-1, -1}, .priority = 0, .period = 100_us, .tasks = 64}, warnings);
  ASSERT_TRUE(workers);
  const auto real = make_clock(ClockKind::sleep, {});
  FollowedClock clock(**real, **workers);
  Counted tasks;
  const test::HeapTrap trap;
  for (int frame = 0; frame < 300; ++frame) {
    clock.sleep_until(clock.now() + 100_us);
    for (std::size_t task = 0; task < 40; ++task) (*workers)->add(task % 2, task);
    (*workers)->share_out(tasks);
    (*workers)->run_here(tasks, 63);
    if (frame % 2 == 0) (*workers)->take_back(tasks);
    ASSERT_TRUE((*workers)->wait(60_s));
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_EQ(tasks.calls(), 0);
  EXPECT_GT((*workers)->run_by_workers(), 0);
}

TEST(BackgroundHeap, IsCalledByNobody) {
  Warnings warnings;
  const auto thread = BackgroundThread::start(
      {.thread = {.priority = 0, .name = Name("test")}, .period = 100_us}, warnings);
  ASSERT_TRUE(thread);
  Counted tasks;
  const test::HeapTrap trap;
  for (int step = 0; step < 300; ++step) {
    (*thread)->add(tasks, 1, 3, monotonic_now() + Duration(50_us));
    while (!(*thread)->ended()) sched_yield();
    static_cast<void>((*thread)->take_run());
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_EQ(tasks.calls(), 0);
}

}  // namespace
}  // namespace hild::rt
