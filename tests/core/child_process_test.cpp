// SPDX-License-Identifier: Apache-2.0
#include "core/child_process.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hild {
namespace {

constexpr Duration second{1'000'000'000};
constexpr Duration most = second * 10;
constexpr Duration look = second / 2;

/// When patience with a process is over that is looked at every half a second; `used_at` gives the
/// processor time it has used by then.
template <class Used>
Duration over_at(Used used_at) {
  WorkPatience patience(most);
  Duration at{};
  do {
    at += look;
  } while (!patience.over(at, used_at(at)) && at < second * 1000);
  return at;
}

TEST(WorkPatience, IsOverOnceWhatIsBusyHasHadItsProcessorTime) {
  EXPECT_EQ(over_at([](Duration at) { return at; }), most);
  // Of two that share a processor.
  EXPECT_EQ(over_at([](Duration at) { return at / 2; }), most * 2);
}

TEST(WorkPatience, IsOverOnceWhatIsBlockedHasHadNone) {
  EXPECT_EQ(over_at([](Duration) { return Duration{}; }), most);
  EXPECT_EQ(over_at([](Duration at) { return std::min(at / 2, second * 4); }), second * 8 + most);
  // What wakes up by an interrupt now and then: 0.8 ms in all.
  EXPECT_EQ(over_at([](Duration at) { return std::min(at / 1000, Duration{800'000}); }), most);
}

// One in a hundred of its time, of which the work takes half a second.
TEST(WorkPatience, IsNotOverForWhatHardlyGetsToRun) {
  constexpr Duration needs = second / 2;
  EXPECT_GT(over_at([](Duration at) { return at / 100; }), needs * 100);
}

// What sleeps again and again looks the same, and is not waited for for ever.
TEST(WorkPatience, HasABoundOfTimeAsWell) {
  EXPECT_EQ(over_at([](Duration at) { return at / 100; }), most * 6);
}

template <class Work>
std::optional<int> ended(Work work, Duration patience) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);  // where nobody ends it
    work();
    ::_exit(7);
  }
  return wait_for_work(child, patience);
}

TEST(WaitForWork, EndsWhatIsBusyAndWhatIsBlocked) {
  const auto busy = [] {
    for (volatile bool on = true; on;) {
    }
  };
  EXPECT_EQ(ended(busy, second / 10), std::nullopt);
  EXPECT_EQ(ended([] { ::pause(); }, second / 10), std::nullopt);
}

TEST(WaitForWork, ReturnsHowTheOthersEnded) {
  const auto left = ended([] {}, second * 100);
  ASSERT_TRUE(left);
  EXPECT_TRUE(WIFEXITED(*left));
  EXPECT_EQ(WEXITSTATUS(*left), 7);
  const auto aborted = ended([] { ::raise(SIGKILL); }, second * 100);
  ASSERT_TRUE(aborted);
  EXPECT_EQ(WTERMSIG(*aborted), SIGKILL);
}

}  // namespace
}  // namespace hild
