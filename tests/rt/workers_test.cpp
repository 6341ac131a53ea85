// SPDX-License-Identifier: Apache-2.0
/// \file
/// Tasks that are shared out among threads are each run once, whatever their workers do.
#include "hild/rt/workers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "hild/rt/atomic.hpp"

namespace hild::rt {
namespace {

/// Under the ordinary scheduler, on any CPU: nothing here depends on time.
std::unique_ptr<Workers> started(std::size_t count, Duration period = 1_ms) {
  Warnings warnings;
  auto workers = Workers::start(
      {.cpus = std::vector<int>(count, -1), .priority = 0, .period = period, .tasks = 64},
      warnings);
  EXPECT_TRUE(workers);
  EXPECT_TRUE(warnings.empty());
  return std::move(*workers);
}

void wait_until(const auto& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Counts how often each was run. Plain numbers: whoever runs a task has it to itself, and its
/// master sees what came of it.
class Counting final : public Tasks {
 public:
  void run(std::size_t task) noexcept override { ++times_[task]; }
  [[nodiscard]] int times(std::size_t task) const { return times_[task]; }

 private:
  std::array<int, 64> times_{};
};

TEST(Workers, RunEachTaskOnceInEveryLot) {
  for (const std::size_t count : {1U, 2U, 3U}) {
    const auto workers = started(count, 100_us);
    Counting tasks;
    int listed = 0;
    for (int lot = 1; lot <= 400; ++lot) {
      const std::size_t wanted = 1 + static_cast<std::size_t>(lot * 7) % 40;
      for (std::size_t task = 0; task < wanted; ++task) workers->add(task % count, task);
      workers->share_out(tasks);
      workers->run_here(tasks, 63);
      if (lot % 2 == 0) workers->take_back(tasks);
      ASSERT_TRUE(workers->wait(60_s));
      listed += static_cast<int>(wanted);
      ASSERT_EQ(tasks.times(63), lot);
      int run = 0;
      for (std::size_t task = 0; task < 63; ++task) run += tasks.times(task);
      ASSERT_EQ(run, listed);
    }
    EXPECT_EQ(workers->taken_back() + workers->run_by_workers(), listed);
    // What is not taken back, a worker has run, however late it woke.
    EXPECT_GT(workers->run_by_workers(), 0);
  }
}

/// Task 0 does not return until it is let go.
class Holding final : public Tasks {
 public:
  void run(std::size_t task) noexcept override {
    if (task != 0) return;
    entered.raise();
    while (!let_go.raised()) std::this_thread::yield();
  }
  Flag entered, let_go;
};

TEST(Workers, WhatABusyOneHasNotTakenIsRunByItsMaster) {
  const auto workers = started(1);
  Holding tasks;
  for (const std::size_t task : {0U, 1U, 2U}) workers->add(0, task);
  workers->share_out(tasks);
  wait_until([&] { return tasks.entered.raised(); });
  workers->take_back(tasks);
  EXPECT_EQ(workers->taken_back(), 2);
  EXPECT_EQ(workers->last_run(1).worker, -1);
  EXPECT_EQ(workers->last_run(2).worker, -1);
  tasks.let_go.raise();
  ASSERT_TRUE(workers->wait(60_s));
  EXPECT_EQ(workers->last_run(0).worker, 0);
  EXPECT_GT(workers->last_run(0).took.ns, 0);
  EXPECT_FALSE(workers->stuck());
  ASSERT_TRUE(workers->wait(60_s));
  EXPECT_EQ(workers->waited_for(), Workers::nobody) << "all had ended";
}

TEST(Workers, OneThatDoesNotReturnIsToldOfAndLeftBehind) {
  static Holding tasks;  // as the thread may outlive this test
  {
    const auto workers = started(2);
    workers->add(0, 3);
    workers->share_out(tasks);
    ASSERT_TRUE(workers->wait(60_s));
    workers->add(1, 0);
    workers->share_out(tasks);
    wait_until([&] { return tasks.entered.raised(); });
    EXPECT_FALSE(workers->wait(1_ms));
    EXPECT_TRUE(workers->stuck());
    EXPECT_EQ(workers->waited_for(), 0U) << "the task that is stuck";
  }
  tasks.let_go.raise();
}

TEST(Workers, GoOnAfterTheirMasterWasAway) {
  const auto workers = started(1, 100_us);
  Counting tasks;
  for (int lot = 1; lot <= 3; ++lot) {
    // Longer than they spin: they are asleep by then, and look from time to time.
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    workers->add(0, 5);
    workers->share_out(tasks);
    ASSERT_TRUE(workers->wait(60_s));
    EXPECT_EQ(tasks.times(5), lot);
  }
  EXPECT_EQ(workers->run_by_workers(), 3);
}

TEST(Workers, FollowWhatTheirMasterSleepsTo) {
  const auto workers = started(2, 1_ms);
  const auto real = make_clock(ClockKind::sleep, {});
  ASSERT_TRUE(real);
  FollowedClock clock(**real, *workers);
  Counting tasks;
  MonoTime tick = clock.now();
  for (int frame = 1; frame <= 50; ++frame) {
    tick += 1_ms;
    clock.sleep_until(tick);
    EXPECT_GE(clock.now(), tick);
    workers->add(0, 1);
    workers->add(1, 2);
    workers->share_out(tasks);
    workers->take_back(tasks);
    ASSERT_TRUE(workers->wait(60_s));
    ASSERT_EQ(tasks.times(1) + tasks.times(2), 2 * frame);
  }
}

}  // namespace
}  // namespace hild::rt
