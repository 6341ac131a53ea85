// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whatever becomes of a run, its guard takes the line to safety, and not before the run is dead.
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <new>

#include "guard/guarded_run.hpp"

namespace hild::test {
namespace {

struct Fault {
  const char* name;
  GuardedRun::Fate fate;
  int signal = 0;  ///< that comes from outside
};

void wait_for_ever(guard::Guard& /*guard*/) {
  while (true) ::pause();
}

void beat_for_ever(guard::Guard& guard) {
  for (std::int64_t beat = 2;; ++beat) {
    guard.heartbeat().set(beat);
    ::usleep(1000);
  }
}

[[gnu::noinline]] int deeper(int depth) {
  std::array<volatile char, 4096> frame{};
  frame[static_cast<std::size_t>(depth) % frame.size()] = 1;
  if (depth < 0) return 0;
  return deeper(depth + 1) + frame[0];
}

// As in a model: what is noexcept cannot let it out.
void take_all_memory() noexcept {
  const rlimit little{1U << 28U, 1U << 28U};
  ::setrlimit(RLIMIT_AS, &little);
  static volatile char* kept = nullptr;  // else the compiler finds that nobody wants any
  while (true) {
    kept = new char[1U << 20U];
    *kept = 1;
  }
}

// Of a guard that is not to take a machine that stalls for a run that hangs.
constexpr Duration patient = 60_s;

std::vector<Fault> faults() {
  const auto deadly = [](int signal) {
    return [signal](guard::Guard&) {
      std::signal(signal, SIG_DFL);
      ::raise(signal);
    };
  };
  return {
      {"SegmentationFault", deadly(SIGSEGV)},
      {"Abort", deadly(SIGABRT)},
      {"FloatingPointException", deadly(SIGFPE)},
      {"BusError", deadly(SIGBUS)},
      {"Exit", [](guard::Guard&) { ::_exit(0); }},
      {"StackOverflow",
       [](guard::Guard&) {
         std::signal(SIGSEGV, SIG_DFL);
         ::_exit(deeper(0));
       }},
      {"OutOfMemory",
       [](guard::Guard&) {
         std::signal(SIGABRT, SIG_DFL);
         take_all_memory();
       }},
      {"EndlessLoop",
       [](guard::Guard&) {
         for (std::int64_t n = 0; ::getppid() != 0; ++n) {
         }
       }},
      {"EndlessSleep", wait_for_ever},
      {"KilledOutright", beat_for_ever, SIGKILL},
      {"Terminated", beat_for_ever, SIGTERM},
      {"Stopped", beat_for_ever, SIGSTOP},
  };
}

class AFault : public testing::TestWithParam<Fault> {};

TEST_P(AFault, EndsWithASafeOutput) {
  GuardedRun run(GetParam().fate);
  if (GetParam().signal != 0) run.kill(GetParam().signal);
  EXPECT_TRUE(run.reaches(safe)) << run.line();
  EXPECT_TRUE(run.dead()) << "two processes must not write one line";
  EXPECT_EQ(run.guard_exit(), 0);
}

INSTANTIATE_TEST_SUITE_P(OfARun, AFault, testing::ValuesIn(faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

TEST(Guard, RampsFromWhereTheRunLeftTheLine) {
  // Long enough to be seen half-way on a machine that is busy.
  GuardedRun run(wait_for_ever, {.action = {.hold = false, .ramp = 2_s}, .within = patient});
  run.kill(SIGKILL);
  double last = driven;
  int between = 0;
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (last > safe + 0.001) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "the guard does not bring it to safety";
    const double now = run.line();
    between += now < driven - 0.1 && now > safe + 0.1 ? 1 : 0;
    EXPECT_LE(now, last + 0.001) << "it only goes down";
    last = now;
  }
  EXPECT_GT(between, 0);
  EXPECT_EQ(run.guard_exit(), 0);
}

TEST(Guard, HoldsWhatIsToBeHeld) {
  GuardedRun run(wait_for_ever, {.action = {.hold = true, .ramp = {}}, .within = patient});
  run.kill(SIGKILL);
  EXPECT_EQ(run.guard_exit(), 0);
  EXPECT_TRUE(run.reaches(driven));
}

TEST(Guard, DismissedTouchesNothing) {
  GuardedRun run([](guard::Guard& guard) { guard.dismiss(); }, {.within = patient});
  EXPECT_EQ(run.exit(), 0);
  EXPECT_EQ(run.guard_exit(), -1) << "it was gone before";
  EXPECT_TRUE(run.reaches(driven));
}

TEST(Guard, TellsOfItsDeath) {
  const auto kill_it = [](guard::Guard& guard) {
    pid_t pid = 0;  // the only child
    std::ifstream("/proc/self/task/" + std::to_string(::getpid()) + "/children") >> pid;
    pollfd death{.fd = guard.death(), .events = POLLIN, .revents = 0};
    if (pid <= 0 || ::poll(&death, 1, 0) != 0) ::_exit(1);
    ::kill(pid, SIGKILL);
    ::_exit(::poll(&death, 1, -1) == 1 ? 0 : 2);
  };
  GuardedRun run(kill_it, {.within = patient});
  EXPECT_EQ(run.exit(), 0);
}

}  // namespace
}  // namespace hild::test
