// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a thread in the background is asked for it runs, in that order, and says when it is done.
#include "hild/rt/background_thread.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild::rt {
namespace {

/// Under the ordinary scheduler, on any CPU: nothing here depends on time.
std::unique_ptr<BackgroundThread> started(Duration period = 1_ms) {
  Warnings warnings;
  auto thread = BackgroundThread::start(
      {.thread = {.priority = 0, .name = Name("test")}, .period = period}, warnings);
  EXPECT_TRUE(thread);
  EXPECT_TRUE(warnings.empty());
  return std::move(*thread);
}

void wait_until(const auto& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Counts up a plain number, which its master reads when all is done.
class Counting final : public Tasks {
 public:
  void run(std::size_t task) noexcept override { numbers.push_back(100 * task + ++count); }
  std::size_t count = 0;
  std::vector<std::size_t> numbers;
};

TEST(ABackgroundThread, RunsWhatItIsAskedForInItsOrder) {
  const auto thread = started();
  EXPECT_TRUE(thread->ended()) << "nothing was asked";
  Counting tasks;
  std::vector<std::size_t> expected;
  for (int lot = 1; lot <= 20; ++lot) {
    thread->add(tasks, 3, lot, monotonic_now() + Duration(200_us));
    for (int k = 0; k < lot; ++k) expected.push_back(300 + expected.size() + 1);
    if (lot % 4 == 0) wait_until([&] { return thread->ended(); });
  }
  wait_until([&] { return thread->ended(); });
  EXPECT_EQ(tasks.numbers, expected);
}

TEST(ABackgroundThread, TellsWhenItBeganAndHowLongItTook) {
  const auto thread = started();
  Counting tasks;
  const MonoTime before = monotonic_now();
  thread->add(tasks, 0, 2, before);
  wait_until([&] { return thread->ended(); });
  const TaskRun run = thread->take_run();
  EXPECT_GE(run.start, before);
  EXPECT_GT(run.took.ns, 0);
  EXPECT_LE(run.start + run.took, monotonic_now());
  EXPECT_EQ(thread->take_run().took.ns, 0) << "nothing since";
}

// It sleeps to the instant it is told, however far that is, and ends all the same.
TEST(ABackgroundThread, SleepsOnceToWhenItIsAskedNext) {
  const auto thread = started();
  Counting tasks;
  thread->add(tasks, 0, 1, monotonic_now() + Duration(3600_s));
  wait_until([&] { return thread->ended(); });
  wait_until([&] { return thread->sleeps() > 0; });
  EXPECT_LT(thread->sleeps(), 1000) << "it looks now and then, to see whether it is to end";
}

/// Does not return until it is let go.
class Holding final : public Tasks {
 public:
  void run(std::size_t /*task*/) noexcept override {
    entered.raise();
    while (!let_go.raised()) std::this_thread::yield();
  }
  Flag entered, let_go;
};

TEST(ABackgroundThread, ThatDoesNotReturnIsLeftBehind) {
  static Holding tasks;  // as the thread may outlive this test
  {
    const auto thread = started();
    thread->add(tasks, 0, 1, {});
    wait_until([&] { return tasks.entered.raised(); });
    EXPECT_FALSE(thread->ended());
    EXPECT_FALSE(thread->settle(1_ms));
    EXPECT_TRUE(thread->stuck());
  }
  tasks.let_go.raise();
}

TEST(ABackgroundThread, SettlesWhenItIsDone) {
  Holding tasks;
  const auto thread = started();
  thread->add(tasks, 0, 1, {});
  wait_until([&] { return tasks.entered.raised(); });
  tasks.let_go.raise();
  EXPECT_TRUE(thread->settle(600_s));
  EXPECT_FALSE(thread->stuck());
  EXPECT_TRUE(thread->ended());
}

}  // namespace
}  // namespace hild::rt
