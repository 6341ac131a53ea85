// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether threads of another process can act any more, and what priority they die under.
#include "io/guard/threads.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <thread>

#include "hild/rt/thread.hpp"

namespace hild::test {
namespace {

/// A process whose second thread has the number `second`. When told to, both end by themselves, one
/// after the other.
class TwoThreads {
 public:
  TwoThreads() {
    int up[2];
    int go[2];
    EXPECT_EQ(::pipe(up), 0);
    EXPECT_EQ(::pipe(go), 0);
    pid = ::fork();
    if (pid == 0) live(up[1], go[0]);
    EXPECT_EQ(::read(up[0], &second, sizeof second), ssize_t{sizeof second});
    for (const int end : {up[0], up[1], go[0]}) ::close(end);
    go_ = go[1];
  }
  TwoThreads(const TwoThreads&) = delete;
  TwoThreads& operator=(const TwoThreads&) = delete;
  ~TwoThreads() {
    ::kill(pid, SIGKILL);
    if (traced_) ::waitpid(second, nullptr, __WALL);
    ::waitpid(pid, nullptr, 0);
    ::close(go_);
  }
  /// The second is not gone before this process has looked.
  [[nodiscard]] bool trace(int options = 0) {
    return traced_ = ::ptrace(PTRACE_SEIZE, second, nullptr, options) == 0;
  }
  void end() const { EXPECT_EQ(::write(go_, "gg", 2), 2); }

  pid_t pid = 0;
  pid_t second = 0;

 private:
  [[noreturn]] static void live(int up, int go) {
    const auto end_when_told = [go] {
      char any{};
      if (::read(go, &any, 1) == 1) ::syscall(SYS_exit, 0);  // of this thread alone
      ::_exit(1);
    };
    std::thread second([&] {
      const auto self = static_cast<pid_t>(::syscall(SYS_gettid));
      if (::write(up, &self, sizeof self) != sizeof self) ::_exit(1);
      end_when_told();
    });
    end_when_told();
    ::_exit(1);
  }
  int go_ = -1;
  bool traced_ = false;
};

/// Waits for it, with a generous bound.
bool comes(const std::function<bool()>& so) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    ::usleep(1000);
  }
  return true;
}

TEST(Threads, OfAProcessThatLivesDoNotExit) {
  const TwoThreads process;
  guard::Threads threads(process.pid);
  EXPECT_FALSE(threads.all_exit(0));
  ::kill(process.pid, SIGSTOP);
  EXPECT_FALSE(threads.all_exit(0));
}

// It is not dead to the kernel for as long as one of them is kept.
TEST(Threads, AllExitBeforeTheirProcessIsDead) {
  TwoThreads process;
  ASSERT_TRUE(process.trace());
  guard::Threads threads(process.pid);
  ::kill(process.pid, SIGKILL);
  EXPECT_TRUE(comes([&] { return threads.all_exit(0); }));
  siginfo_t info{};
  ::waitid(P_PID, static_cast<id_t>(process.pid), &info, WEXITED | WNOHANG | WNOWAIT);
  EXPECT_EQ(info.si_pid, 0) << "else this tries nothing";
}

// The first is done; the second is held where its way out begins, and is then let go.
TEST(Threads, DoNotAllExitWhileOneIsHeldBefore) {
  TwoThreads process;
  ASSERT_TRUE(process.trace(PTRACE_O_TRACEEXIT));
  guard::Threads threads(process.pid);
  process.end();
  int status = 0;
  ASSERT_EQ(::waitpid(process.second, &status, __WALL), process.second);
  ASSERT_EQ(status >> 8, SIGTRAP | (PTRACE_EVENT_EXIT << 8));
  for (int looks = 0; looks < 100; ++looks, ::usleep(1000)) ASSERT_FALSE(threads.all_exit(0));
  ::ptrace(PTRACE_CONT, process.second, nullptr, nullptr);
  // What a sanitizer runs beside the two ends with nothing less.
  if (HILD_HEAP_TRAP == 0) ::kill(process.pid, SIGKILL);
  EXPECT_TRUE(comes([&] { return threads.all_exit(0); }));
}

TEST(Threads, AreGivenAPriorityToDieUnder) {
  if (!rt::urgent_allowed(1)) GTEST_SKIP() << "this user may not use SCHED_FIFO";
  const TwoThreads process;
  guard::Threads threads(process.pid);
  EXPECT_FALSE(threads.all_exit(0));
  EXPECT_EQ(::sched_getscheduler(process.second), SCHED_OTHER) << "none was asked for";
  EXPECT_FALSE(threads.all_exit(1));
  for (const pid_t thread : {process.pid, process.second}) {
    EXPECT_EQ(::sched_getscheduler(thread), SCHED_FIFO);
  }
}

}  // namespace
}  // namespace hild::test
