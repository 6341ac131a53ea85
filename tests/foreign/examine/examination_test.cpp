// SPDX-License-Identifier: Apache-2.0
#include "foreign/examine/examination.hpp"

#include <gmock/gmock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cfenv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <stdexcept>
#include <thread>

#include "foreign/examine/models.hpp"

namespace hild::examine {
namespace {

using testing::decay;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::nothing;
using ::testing::StartsWith;

constexpr int steps = 20;

// Of a sanitizer, whose own memory comes page by page, in whichever call.
void forget_own_faults([[maybe_unused]] Examination& e) {
#ifdef __SANITIZE_ADDRESS__
  for (Seen& seen : e.seen) seen.faults = 0;
#endif
}

Examination look(const std::unique_ptr<model::Stepper>& plant, Duration patience = 10_s) {
  auto e = examine(*plant, {.frame = 1_ms, .steps = steps, .patience = patience});
  EXPECT_TRUE(e);
  forget_own_faults(*e);
  return *e;
}

TEST(Examine, FindsNothingInACleanModel) {
  const auto plant = decay<nothing>();
  const Examination e = look(plant);
  EXPECT_THAT(findings(e), IsEmpty());
  EXPECT_EQ(refusal(e), "");
  EXPECT_EQ(e.of(Function::derivatives).calls, 4 * steps);  // rk-4
  EXPECT_EQ(e.of(Function::outputs).calls, steps);
  EXPECT_EQ(e.of(Function::on_event).calls, 2);
  EXPECT_EQ(e.of(Function::on_time_event).calls, 0);
  EXPECT_GE(e.of(Function::derivatives).worst, e.of(Function::derivatives).median);
  // It ran elsewhere: the plant itself did not move.
  EXPECT_THAT(plant->states(), ElementsAre(1.0));
}

constexpr Duration long_call = 50_ms;

void take(Duration processor_time) {
  const auto spent = [] {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return Duration{t.tv_sec * 1'000'000'000 + t.tv_nsec};
  };
  const Duration end = spent() + processor_time;
  while (spent() < end) {
  }
}
void take_long() { take(long_call); }
// As an interrupt may make any call.
void take_long_once() {
  static int calls = 0;
  if (++calls == 30) take_long();
}
void take_long_half_way() {
  static int calls = 0;
  if (calls++ % steps == steps / 2) take_long();
}

TEST(Examine, TakesTheTimeThatACallTakesByItself) {
  const Examination disturbed = look(decay<take_long_once>());
  EXPECT_LT(disturbed.of(Function::derivatives).worst, long_call);
  EXPECT_LT(disturbed.worst_passes, long_call);
  const Examination slow = look(decay<nothing, take_long_half_way>());
  EXPECT_GE(slow.of(Function::outputs).worst, long_call);
  EXPECT_EQ(slow.of(Function::outputs).calls, steps) << "the calls that were made again for this";
}

void take_some() { take(5_ms); }

// A step has four such calls: 200 ms are over within the eleventh.
TEST(Examine, MakesFewerStepsWhereTheyTakeLong) {
  const auto e = examine(*decay<take_some>(), {.frame = 1_ms});
  ASSERT_TRUE(e);
  EXPECT_EQ(refusal(*e), "");
  EXPECT_GE(e->of(Function::derivatives).calls, 4);
  EXPECT_LE(e->of(Function::derivatives).calls, 4 * 11);
  EXPECT_EQ(e->of(Function::on_event).calls, 2) << "the rare calls";
  const auto quick = examine(*decay<nothing>(), {.frame = 1_ms});
  ASSERT_TRUE(quick);
  EXPECT_EQ(quick->of(Function::outputs).calls, 1000);
}

#define SKIP_WITHOUT_DISPATCH(e) \
  if (!(e).system_observed) GTEST_SKIP() << "no system call user dispatch here"

void ask_the_kernel() { ::syscall(SYS_getppid); }

TEST(Examine, NamesTheFunctionThatCallsTheKernel) {
  const Examination e = look(decay<nothing, ask_the_kernel>());
  SKIP_WITHOUT_DISPATCH(e);
  EXPECT_EQ(e.of(Function::outputs).system, steps);
  EXPECT_EQ(e.of(Function::outputs).system_call, SYS_getppid);
  EXPECT_EQ(e.of(Function::derivatives).system, 0);
  EXPECT_EQ(e.of(Function::event_functions).system, 0);
  EXPECT_THAT(findings(e), ElementsAre(StartsWith("outputs_of calls the kernel (")));
  EXPECT_EQ(refusal(e), "");
}

void nap() {
  const timespec moment{0, 1};
  ::nanosleep(&moment, nullptr);
}

TEST(Examine, NamesTheActionThatSleeps) {
  const Examination e = look(decay<nothing, nothing, nap>());
  SKIP_WITHOUT_DISPATCH(e);
  EXPECT_THAT(findings(e), ElementsAre(HasSubstr("on_event calls the kernel (clock_nanosleep)")));
}

void say() { std::printf("."); }
void say_aloud() { [[maybe_unused]] const auto n = ::write(STDERR_FILENO, ".", 1); }

TEST(Examine, SeesPrintsBufferedOrNot) {
  const Examination buffered = look(decay<say>());
  EXPECT_GT(buffered.of(Function::derivatives).printed, 0);
  EXPECT_EQ(buffered.of(Function::outputs).printed, 0);
  const Examination direct = look(decay<nothing, say_aloud>());
  SKIP_WITHOUT_DISPATCH(direct);
  EXPECT_THAT(findings(direct), ElementsAre(StartsWith("outputs_of prints")));
}

void round_up() { std::fesetround(FE_UPWARD); }

TEST(Examine, SeesChangedRounding) {
  const Examination e = look(decay<round_up>());
  EXPECT_EQ(e.of(Function::derivatives).control, 4 * steps);
  EXPECT_EQ(e.of(Function::outputs).control, 0);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

void start_a_thread() {
  static std::thread started([] { ::pause(); });
}

TEST(Examine, CountsThreads) {
  const Examination e = look(decay<start_a_thread>());
  EXPECT_EQ(e.threads_started, 1);
  EXPECT_THAT(findings(e), ::testing::Contains(HasSubstr("start threads (1)")));
}

struct Infinite {
  static constexpr std::string_view name = "infinite", summary = "1/x at 0";
  static constexpr std::array states{model::State{"good"}, model::State{"bad"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Infinite>;
  static void derivatives(double /*t*/, D::X x, D::U /*u*/, D::P /*p*/, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = 1 / x[1];
  }
  static void outputs_of(double /*t*/, D::X /*x*/, D::U /*u*/, D::P /*p*/, D::Y y) noexcept {
    y[0] = 0;
  }
};

TEST(Examine, RefusesWhatIsNoNumberAndNamesIt) {
  const Examination e = look(model::make_stepper<Infinite>(numerics::forward_euler));
  EXPECT_GT(e.of(Function::derivatives).not_finite, 0);
  EXPECT_THAT(refusal(e), StartsWith("derivatives gives a value that is no number, bad first"));
}

long said = 0;
void log_something() { ++said; }

TEST(Examine, NamesTheFunctionThatLogs) {
  const auto plant = decay<nothing, log_something>();
  auto e = examine(*plant, {.frame = 1_ms, .steps = steps, .messages = [] { return said; }});
  ASSERT_TRUE(e);
  forget_own_faults(*e);
  EXPECT_EQ(e->of(Function::outputs).logged, steps);
  EXPECT_EQ(e->of(Function::derivatives).logged, 0);
  EXPECT_THAT(findings(*e), ElementsAre(StartsWith("outputs_of logs")));
  EXPECT_EQ(refusal(*e), "");
}

/// x' = 1 V/s until x = 5 mV, and from there on away from where the last event left it.
template <void (*InDerivatives)()>
struct Chatter {
  static constexpr std::string_view name = "chatter", summary = "a relay without hysteresis";
  static constexpr std::array states{model::State{"x", "V"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y", "V"}};
  static constexpr std::array parameters{model::Parameter{"slope", "V/s", 1}};
  static constexpr std::array events{model::Event{"far"}, model::Event{"relay"}};
  using D = model::Data<Chatter>;
  static void derivatives(double, typename D::X, typename D::U, typename D::P p,
                          typename D::DX dx) noexcept {
    InDerivatives();
    dx[0] = p[0];
  }
  static void outputs_of(double, typename D::X x, typename D::U, typename D::P,
                         typename D::Y y) noexcept {
    y[0] = x[0];
  }
  static void event_functions(double, typename D::X x, typename D::U, typename D::P,
                              std::span<double, 2> g) noexcept {
    g[0] = x[0] - 1;
    g[1] = x[0] - 0.0055;
  }
  static void on_event(std::size_t index, double, typename D::NewX x, typename D::U,
                       typename D::NewP p) noexcept {
    if (index == 1) p[0] = x[0] > 0.0055 ? -1 : 1;
  }
};

// Of 100 steps the first five end below.
TEST(Examine, SeesAnEventThatIsDueInEveryStep) {
  const auto plant = model::make_stepper<Chatter<nothing>>(numerics::rk4);
  auto e = examine(*plant, {.frame = 1_ms, .steps = 100});
  ASSERT_TRUE(e);
  forget_own_faults(*e);
  EXPECT_EQ(e->chattering.view(), "relay");
  EXPECT_EQ(e->events_in_a_row, 95);
  EXPECT_THAT(findings(*e), ElementsAre(StartsWith("on_event is due in every step for 95 steps, "
                                                   "for relay")));
}

// 200 ms are over in the fortieth step, where it has been due for 35.
TEST(Examine, FollowsAnEventThatIsDueInEveryStepUntilThatCanBeSaid) {
  const auto plant = model::make_stepper<Chatter<take_some>>(numerics::forward_euler);
  const auto e = examine(*plant, {.frame = 1_ms});
  ASSERT_TRUE(e);
  EXPECT_EQ(e->events_in_a_row, chatter);
}

void crash() { ::raise(SIGSEGV); }
void leave() { ::_exit(7); }
void fail_badly() { throw std::runtime_error("no"); }
void block() {
  for (;;) ::pause();
}
void loop() {
  for (volatile bool on = true; on;) {
  }
}

TEST(Examine, SurvivesWhatEndsTheProcess) {
  EXPECT_THAT(refusal(look(decay<nothing, crash>())), StartsWith("outputs_of crashes ("));
  EXPECT_EQ(refusal(look(decay<leave>())), "derivatives ends the process (exit code 7)");
  EXPECT_THAT(refusal(look(decay<nothing, nothing, fail_badly>())),
              StartsWith("on_event aborts the process: an exception leaves it"));
}

// By its processor time, or by having none; tests/core tells what the machine does not let run.
TEST(Examine, SeesACallThatDoesNotReturn) {
  EXPECT_EQ(refusal(look(decay<nothing, block>(), 500_ms)), "outputs_of does not return");
  EXPECT_EQ(refusal(look(decay<nothing, loop>(), 500_ms)), "outputs_of does not return");
}

TEST(Examine, SaysWhatItCannotSee) {
  Examination e = look(decay<nothing>());
  EXPECT_THAT(not_observed(e), ::testing::Contains(StartsWith("heap calls")));
  e.heap_observed = true;
  e.system_observed = false;
  EXPECT_THAT(not_observed(e), ElementsAre(StartsWith("system calls")));
}

}  // namespace
}  // namespace hild::examine
