// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whatever becomes of a run, its guard takes the line to safety, and not before the run is dead.
#include <poll.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <new>
#include <thread>

#include "io/guard/guarded_run.hpp"

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
    guard.heartbeat().beat.set(beat);
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
    kept = new char[1U << 20U];  // NOLINT: that this throws is what is wanted
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
  ASSERT_TRUE(run.reaches(safe)) << run.line();
  EXPECT_FALSE(run.acts()) << "two processes must not write one line";
  EXPECT_EQ(run.guard_exit(), 0);
}

INSTANTIATE_TEST_SUITE_P(OfARun, AFault, testing::ValuesIn(faults()),
                         [](const auto& fault) { return std::string(fault.param.name); });

// Then there is no thread yet whose end would tell, and no look of an hour's patience.
TEST(Guard, SeesTheDeathOfARunThatHasNotBegunItsFrames) {
  GuardedRun run(wait_for_ever, {.within = 3600_s, .begun = false});
  run.kill(SIGKILL);
  EXPECT_EQ(run.guard_exit(), 0);
  EXPECT_TRUE(run.reaches(safe)) << run.line();
}

// By a model that closes what it did not open.
TEST(Guard, TakesNoClosedConnectionForADeath) {
  const auto close_it = [](guard::Guard& guard) {
    const std::int64_t looks = guard.looks();
    for (int fd = 0; fd < 100; ++fd) {
      struct stat of {};
      if (::fstat(fd, &of) == 0 && S_ISSOCK(of.st_mode)) ::close(fd);
    }
    while (guard.looks() == looks) ::usleep(1000);
    pollfd death{.fd = guard.death(), .events = POLLIN, .revents = 0};
    ::_exit(::poll(&death, 1, 500) == 0 ? 0 : 2);
  };
  GuardedRun run(close_it, {.within = 3600_s, .begun = false});  // no frames, whose end it awaits
  EXPECT_EQ(run.exit(), 0) << "the guard ended before its run";
  EXPECT_TRUE(run.reaches(safe)) << run.line();
  EXPECT_EQ(run.guard_exit(), 0);
}

TEST(Guard, RampsFromWhereTheRunLeftTheLine) {
  // Long enough to be seen half-way on a machine that is busy.
  GuardedRun run(wait_for_ever, {.action = {.hold = false, .ramp = 2_s}, .within = patient});
  run.kill(SIGKILL);
  double last = driven;
  int between = 0;
  const auto end = std::chrono::steady_clock::now() + GuardedRun::bound;
  while (last > safe + 0.001) {
    ASSERT_LT(std::chrono::steady_clock::now(), end) << "the guard does not bring it to safety";
    const double now = run.line();
    if (std::isnan(now)) continue;  // the guard lost its CPU while it wrote the line
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

// A service manager that stops a run signals all its processes; a terminal, all of its group.
TEST(Guard, OutlivesTheSignalsThatEndARun) {
  const auto end_both = [](guard::Guard&) {
    const int pid = guard_of_this_run();
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2}) {
      ::kill(pid, signal);
    }
    ::raise(SIGKILL);
  };
  GuardedRun run(end_both, {.within = patient});
  ASSERT_EQ(run.guard_exit(), 0);
  EXPECT_TRUE(run.reaches(safe));
}

TEST(Guard, ReleasedTouchesNothingWhenTheRunDies) {
  const auto die = [](guard::Guard& guard) {
    guard.release();
    ::raise(SIGKILL);
  };
  GuardedRun run(die, {.within = patient});
  ASSERT_EQ(run.guard_exit(), 0) << "there was nothing for it to do";
  EXPECT_NEAR(run.line(), driven, 0.001);
}

/// A run of two threads, of which the second, `kept`, is not gone before it is let go: who traces a
/// thread keeps it. To the kernel the run is not dead for as long. That stands for memory that is
/// long in being given back, and for threads that get no CPU to end on.
struct Lingering {
  explicit Lingering(Duration within) : run(two_threads, {.within = within}) {
    const auto end = std::chrono::steady_clock::now() + GuardedRun::bound;
    while (run.threads().size() < 2 && std::chrono::steady_clock::now() < end) ::usleep(1000);
    kept = run.threads().back();
    traced = ::ptrace(PTRACE_SEIZE, kept, nullptr, nullptr) == 0;
  }
  ~Lingering() {
    if (traced) ::waitpid(kept, nullptr, __WALL);
  }
  static void two_threads(guard::Guard& guard) {
    std::thread([] {
      while (true) ::pause();
    }).detach();
    wait_for_ever(guard);
  }
  GuardedRun run;
  int kept = 0;
  bool traced = false;
};

TEST(Guard, WaitsForNothingThatCannotActAnyMore) {
  Lingering lingering(3600_s);  // it is not a look that finds out
  ASSERT_TRUE(lingering.traced);
  lingering.run.kill(SIGKILL);
  EXPECT_TRUE(lingering.run.reaches(safe)) << lingering.run.line();
  EXPECT_FALSE(lingering.run.acts());
  EXPECT_FALSE(lingering.run.dead()) << "else this tries nothing";
}

TEST(Guard, KillsWhatHangsAndWaitsForNothingThatCannotActAnyMore) {
  Lingering lingering(400_ms);
  ASSERT_TRUE(lingering.traced);
  EXPECT_TRUE(lingering.run.reaches(safe)) << lingering.run.line();
  EXPECT_FALSE(lingering.run.acts());
  EXPECT_FALSE(lingering.run.dead());
}

// By a model that writes where it must not, before it takes the run down.
TEST(Guard, IsEndedByNothingThatIsWrittenToItsMemory) {
  const auto scribble_and_die = [](guard::Guard& guard) {
    auto* const words = reinterpret_cast<std::int64_t*>(&guard.heartbeat());  // the first of a page
    std::fill_n(words, 4096 / sizeof(std::int64_t), 1);
    ::raise(SIGKILL);
  };
  GuardedRun run(scribble_and_die, {.within = 4_s});  // it is seen at the next look
  ASSERT_EQ(run.guard_exit(), 0);
  EXPECT_TRUE(run.reaches(safe));
}

// The device takes the first value of the ramp, and then no more.
TEST(Guard, EndsWithAnErrorWhereALineIsNotSafe) {
  GuardedRun run(wait_for_ever,
                 {.action = {.hold = false, .ramp = 100_ms}, .within = patient, .exchanges = 1});
  run.kill(SIGKILL);
  EXPECT_EQ(run.guard_exit(), static_cast<int>(ExitCode::device_failed));
  EXPECT_GT(run.line(), safe + 0.1);
}

/// Of a run: brings its guard to a halt; whether it stands.
bool stop_guard() {
  const int pid = guard_of_this_run();
  int status = 0;
  return pid > 0 && ::kill(pid, SIGSTOP) == 0 && ::waitpid(pid, &status, WUNTRACED) == pid &&
         WIFSTOPPED(status);
}

TEST(Guard, ThatDoesNotLookAnyMoreCanBeEnded) {
  const auto end_it = [](guard::Guard& guard) {
    if (!stop_guard()) ::_exit(1);
    pollfd death{.fd = guard.death(), .events = POLLIN, .revents = 0};
    if (::poll(&death, 1, 0) != 0) ::_exit(2);
    guard.kill();
    ::_exit(::poll(&death, 1, -1) == 1 ? 0 : 3);
  };
  GuardedRun run(end_it, {.within = patient});
  EXPECT_EQ(run.exit(), 0);
}

TEST(Guard, ThatDoesNotLookAnyMoreKeepsNoRunFromItsEnd) {
  const auto dismiss_it = [](guard::Guard& guard) {
    if (!stop_guard()) ::_exit(1);
    guard.dismiss();
    ::_exit(guard_of_this_run() == 0 ? 0 : 2);
  };
  GuardedRun run(dismiss_it, {.within = patient});
  EXPECT_EQ(run.exit(), 0);
  EXPECT_NEAR(run.line(), driven, 0.001);
}

TEST(Guard, TellsOfItsDeath) {
  const auto kill_it = [](guard::Guard& guard) {
    const int pid = guard_of_this_run();
    pollfd death{.fd = guard.death(), .events = POLLIN, .revents = 0};
    const auto& watcher = guard.heartbeat().watcher;
    if (pid <= 0 || ::poll(&death, 1, 0) != 0 || watcher.cut()) ::_exit(1);
    ::kill(pid, SIGKILL);
    ::_exit(::poll(&death, 1, -1) == 1 && watcher.cut() ? 0 : 2);
  };
  GuardedRun run(kill_it, {.within = patient});
  EXPECT_EQ(run.exit(), 0);
}

}  // namespace
}  // namespace hild::test
