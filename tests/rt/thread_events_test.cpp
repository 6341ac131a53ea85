// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the running kernel tells of a thread, where it does.
#include "hild/rt/thread_events.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <thread>

namespace hild::rt {
namespace {

using Kind = ThreadEvent::Kind;

MonoTime now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return {t.tv_sec * 1'000'000'000 + t.tv_nsec};
}

class ThreadEventsOfKernel : public ::testing::Test {
 protected:
  void SetUp() override {
    auto watched = watch_thread(0);
    if (!watched) GTEST_SKIP() << watched.error().message;
    events_ = std::move(*watched);
  }
  /// Of one kind, between two instants.
  std::vector<ThreadEvent> collected(Kind kind, MonoTime from, MonoTime to) {
    std::vector<ThreadEvent> all;
    events_(all);
    std::erase_if(
        all, [&](const ThreadEvent& e) { return e.kind != kind || e.from < from || e.to > to; });
    return all;
  }
  ThreadEvents events_;
};

TEST_F(ThreadEventsOfKernel, EveryFreshPageIsAFaultWithinItsTime) {
  constexpr std::size_t pages = 50;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* const memory = mmap(nullptr, pages * page, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  const MonoTime from = now();
  for (std::size_t i = 0; i < pages; ++i) static_cast<char*>(memory)[i * page] = 1;
  const MonoTime to = now();
  const auto faults = collected(Kind::page_fault, from, to);
  EXPECT_GE(faults.size(), pages);
  for (std::size_t i = 0; i < faults.size(); ++i) {
    EXPECT_LT(faults[i].from, faults[i].to);
    if (i == 0) continue;
    EXPECT_GE(faults[i].from, faults[i - 1].to) << "one after the other";
  }
  EXPECT_TRUE(collected(Kind::page_fault, from, to).empty()) << "they were told";
  munmap(memory, pages * page);
}

TEST_F(ThreadEventsOfKernel, ASleepIsTimeOffTheCpu) {
  const MonoTime from = now();
  const timespec time{.tv_sec = 0, .tv_nsec = 2'000'000};
  nanosleep(&time, nullptr);
  const auto slept = collected(Kind::slept, from, now());
  const auto longest =
      std::ranges::max_element(slept, {}, [](const ThreadEvent& e) { return (e.to - e.from).ns; });
  ASSERT_NE(longest, slept.end());
  EXPECT_GE(longest->to - longest->from, 1'900_us) << "an ordinary timer may fire a little early";
}

// Two busy threads share a CPU: the kernel has to take it from each of them in turn.
TEST_F(ThreadEventsOfKernel, TakingTheCpuAwayIsPreemption) {
  cpu_set_t before;
  sched_getaffinity(0, sizeof before, &before);
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(sched_getcpu()), &one);
  sched_setaffinity(0, sizeof one, &one);  // inherited by the thread
  std::jthread rival([](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
    }
  });
  const MonoTime from = now();
  std::vector<ThreadEvent> taken;
  while (taken.empty() && now() - from < 20_s) taken = collected(Kind::preempted, from, now());
  rival.request_stop();
  sched_setaffinity(0, sizeof before, &before);
  ASSERT_FALSE(taken.empty());
  EXPECT_LT(taken[0].from, taken[0].to);
}

TEST(ThreadEvents, AThreadThatIsNotThereIsRefusedInWords) {
  const auto watched = watch_thread(0x3fffffff);
  ASSERT_FALSE(watched);
  EXPECT_NE(watched.error().message.find("perf_event_open: "), std::string::npos)
      << watched.error().message;
}

}  // namespace
}  // namespace hild::rt
