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
std::unique_ptr<BackgroundThread> thread_with(Duration period = 1_ms) {
  Warnings warnings;
  auto thread = BackgroundThread::start(
      {.thread = {.priority = 0, .name = Name("test")}, .period = period}, warnings);
  EXPECT_TRUE(thread);
  EXPECT_TRUE(warnings.empty());
  return std::move(*thread);
}

void await(const auto& condition) {
  while (!condition()) std::this_thread::sleep_for(std::chrono::microseconds(100));
}

/// Counts up a plain number, which its master reads when all is done.
class Numbering final : public Tasks {
 public:
  void run(std::size_t task) noexcept override { numbers.push_back(100 * task + ++count); }
  std::size_t count = 0;
  std::vector<std::size_t> numbers;
};

TEST(ABackgroundThread, RunsWhatItIsAskedForInItsOrder) {
  const auto thread = thread_with();
  EXPECT_TRUE(thread->ended()) << "nothing was asked";
  Numbering tasks;
  std::vector<std::size_t> expected;
  for (int lot = 1; lot <= 20; ++lot) {
    thread->add(tasks, 3, lot, monotonic_now() + Duration(200_us));
    for (int k = 0; k < lot; ++k) expected.push_back(300 + expected.size() + 1);
    if (lot % 4 == 0) await([&] { return thread->ended(); });
  }
  await([&] { return thread->ended(); });
  EXPECT_EQ(tasks.numbers, expected);
}

TEST(ABackgroundThread, TellsWhenItBeganAndHowLongItTook) {
  const auto thread = thread_with();
  Numbering tasks;
  const MonoTime before = monotonic_now();
  thread->add(tasks, 0, 2, before);
  await([&] { return thread->ended(); });
  const TaskRun run = thread->take_run();
  EXPECT_GE(run.start, before);
  EXPECT_GT(run.took.ns, 0);
  EXPECT_LE(run.start + run.took, monotonic_now());
  EXPECT_EQ(thread->take_run().took.ns, 0) << "nothing since";
}

// However far the instant is that it is told, it ends when its owner does.
TEST(ABackgroundThread, SleepsLongToWhenItIsAskedNext) {
  const auto thread = thread_with();
  Numbering tasks;
  thread->add(tasks, 0, 1, monotonic_now() + Duration(3600_s));
  await([&] { return thread->ended(); });
  const MonoTime from = monotonic_now();
  const auto sleeps = thread->sleeps();
  await([&] { return thread->sleeps() >= sleeps + 3; });
  EXPECT_GE(monotonic_now() - from, Duration(500_ms)) << "a look now and then, not at each tick";
}

/// Does not return until it is let go.
class LongTask final : public Tasks {
 public:
  void run(std::size_t /*task*/) noexcept override {
    entered.raise();
    while (!let_go.raised()) std::this_thread::yield();
  }
  Flag entered, let_go;
};

TEST(ABackgroundThread, ThatDoesNotReturnIsLeftBehind) {
  static LongTask tasks;  // as the thread may outlive this test
  {
    const auto thread = thread_with();
    thread->add(tasks, 0, 1, {});
    await([&] { return tasks.entered.raised(); });
    EXPECT_FALSE(thread->ended());
    EXPECT_FALSE(thread->settle(1_ms));
    EXPECT_TRUE(thread->stuck());
  }
  tasks.let_go.raise();
}

TEST(ABackgroundThread, SettlesWhenItIsDone) {
  LongTask tasks;
  const auto thread = thread_with();
  thread->add(tasks, 0, 1, {});
  await([&] { return tasks.entered.raised(); });
  tasks.let_go.raise();
  EXPECT_TRUE(thread->settle(600_s));
  EXPECT_FALSE(thread->stuck());
  EXPECT_TRUE(thread->ended());
}

}  // namespace
}  // namespace hild::rt
