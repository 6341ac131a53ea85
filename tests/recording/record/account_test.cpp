// SPDX-License-Identifier: Apache-2.0
/// \file
/// Causes by account: the rule as a table, and what is laid to which step when several share the
/// time between two readings.
#include "recording/record/account.hpp"

#include <gtest/gtest.h>

#include "recording/record/overrun_attribution.hpp"
#include "records.hpp"

namespace hild::record {
namespace {

using io::Cause;

struct Case {
  std::string_view what;
  Cause found;
  Duration held_up;
  Spent spent;
  Cause expected;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.what; }

class CauseByAccount : public ::testing::TestWithParam<Case> {};

TEST_P(CauseByAccount, IsWhatExplainsHalfOfIt) {
  const Case& c = GetParam();
  EXPECT_EQ(cause_by_account(c.found, c.held_up, c.spent), c.expected) << c.what;
}

constexpr Duration tick = 10_ms;

INSTANTIATE_TEST_SUITE_P(
    Nothing, CauseByAccount,
    ::testing::Values(
        Case{"nothing was spent", Cause::unknown, 200_us, {}, Cause::unknown},
        Case{"nothing explains a long pass", Cause::pass, 200_us, {}, Cause::pass},
        Case{"a step in time", Cause::none, 200_us, {.run_delay = 1_ms, .taken = 1}, Cause::none},
        Case{"what the step before left",
             Cause::carried,
             200_us,
             {.run_delay = 1_ms, .taken = 1, .steal_ticks = 5, .steal_tick = tick},
             Cause::carried}));

INSTANTIATE_TEST_SUITE_P(
    Others, CauseByAccount,
    ::testing::Values(
        Case{"half", Cause::pass, 200_us, {.run_delay = 100_us, .taken = 1}, Cause::preemption},
        Case{"less than half", Cause::pass, 200_us, {.run_delay = 99_us, .taken = 1}, Cause::pass},
        Case{"a delay of work that never left its CPU",
             Cause::pass,
             200_us,
             {.run_delay = 300_us},
             Cause::pass},
        Case{"a device call that slept, and was woken late",
             Cause::device,
             200_us,
             {.run_delay = 150_us},
             Cause::preemption},
        Case{"held up between two steps",
             Cause::unknown,
             200_us,
             {.run_delay = 150_us},
             Cause::preemption},
        Case{"a late wake", Cause::late_wake, 900_us, {.run_delay = 500_us}, Cause::preemption},
        Case{"a late wake that others do not explain",
             Cause::late_wake,
             900_us,
             {.run_delay = 400_us},
             Cause::late_wake},
        Case{"a late wake where a host may be behind it, unseen",
             Cause::late_wake,
             900_us,
             {.run_delay = 900_us, .steals = true},
             Cause::late_wake},
        Case{"work that was taken off its CPU where there is a host",
             Cause::pass,
             900_us,
             {.run_delay = 900_us, .taken = 1, .steals = true},
             Cause::preemption}));

INSTANTIATE_TEST_SUITE_P(
    Faults, CauseByAccount,
    ::testing::Values(
        Case{"half", Cause::pass, 200_us, {.faults = 100_us}, Cause::page_fault},
        Case{"less than half", Cause::pass, 200_us, {.faults = 99_us}, Cause::pass},
        Case{"nobody faults asleep", Cause::late_wake, 200_us, {.faults = 1_ms}, Cause::late_wake},
        Case{"more than a delay beside them",
             Cause::pass,
             200_us,
             {.run_delay = 120_us, .taken = 1, .faults = 150_us},
             Cause::page_fault},
        Case{"less than a delay beside them",
             Cause::pass,
             200_us,
             {.run_delay = 150_us, .taken = 1, .faults = 120_us},
             Cause::preemption}));

// Of n ticks of 10 ms between n - 1 and n + 1 of them were taken.
INSTANTIATE_TEST_SUITE_P(
    Host, CauseByAccount,
    ::testing::Values(
        Case{"one tick where there are few",
             Cause::late_wake,
             3_ms,
             {.steal_ticks = 1, .steal_tick = tick, .usual_steal_ticks = 0.01, .steals = true},
             Cause::host},
        Case{"one tick where one may come by chance",
             Cause::late_wake,
             3_ms,
             {.steal_ticks = 1, .steal_tick = tick, .usual_steal_ticks = 0.1, .steals = true},
             Cause::late_wake},
        Case{"too little, at most",
             Cause::unknown,
             50_ms,
             {.steal_ticks = 1, .steal_tick = tick, .usual_steal_ticks = 0.01, .steals = true},
             Cause::unknown},
        Case{"enough for certain, chance or not",
             Cause::pass,
             20_ms,
             {.steal_ticks = 11, .steal_tick = tick, .usual_steal_ticks = 3, .steals = true},
             Cause::host},
        Case{"no more than may come by chance",
             Cause::pass,
             20_ms,
             {.steal_ticks = 10, .steal_tick = tick, .usual_steal_ticks = 3, .steals = true},
             Cause::pass},
        Case{"the delay is the host's when that is certain",
             Cause::pass,
             20_ms,
             {.run_delay = 20_ms,
              .taken = 1,
              .steal_ticks = 3,
              .steal_tick = tick,
              .usual_steal_ticks = 0.1,
              .steals = true},
             Cause::host},
        Case{"two explanations, none certain",
             Cause::pass,
             3_ms,
             {.run_delay = 3_ms,
              .taken = 1,
              .steal_ticks = 1,
              .steal_tick = tick,
              .usual_steal_ticks = 0.01,
              .steals = true},
             Cause::pass},
        Case{"another step may have had it",
             Cause::unknown,
             10_ms,
             {.steal_ticks = 1,
              .steal_tick = tick,
              .usual_steal_ticks = 0.01,
              .late_beside = 18_ms,
              .steals = true},
             Cause::unknown}));

// ---- readings and steps ------------------------------------------------------------------------

class ScriptedAccounts final : public Accounts {
 public:
  Account now;
  StealAccount steal_now;

  Account thread() override { return now; }
  StealAccount steal() override { return steal_now; }
  [[nodiscard]] Worth worth() const override {
    return {.minor_fault = 1_us, .major_fault = 100_us, .steal_tick = tick};
  }
};

constexpr MonoTime at_tick(double frame) { return MonoTime{} + 5_s + part(1_ms, frame); }

/// Steps of 1 ms that work 597 us; a reading after every tenth, and one when it is asked for.
class Accounted : public ::testing::Test {
 protected:
  Accounted() {
    read(-0.5);
    attribution_.begin(std::unique_ptr<Accounts>(script_));
    for (int n = 0; n < 40; ++n) good();
  }
  /// Now it is that late, and so much has been spent since the last time.
  void read(double frame, const Account& more = {}, std::int64_t steal_ticks = 0) {
    script_->now.at = script_->steal_now.at = at_tick(frame);
    script_->now.run_delay += more.run_delay;
    script_->now.taken += more.taken;
    script_->now.minor_faults += more.minor_faults;
    script_->now.major_faults += more.major_faults;
    script_->steal_now.ticks += steal_ticks;
    script_->steal_now.cpu = cpu_;
  }
  static io::FrameHeader step(std::int64_t n) {
    io::FrameHeader h = header(n);
    h.slept = true;
    set_phase(h, io::Phase::wake, 3_us);
    set_phase(h, io::Phase::passes, 597_us);
    return h;
  }
  /// Its work takes that much longer.
  static io::FrameHeader longer(std::int64_t n, Duration by) {
    io::FrameHeader h = step(n);
    h.end += by;
    h.lateness += by;
    set_phase(h, io::Phase::passes, 597_us + by);
    if (h.lateness.ns > 0) h.cause = Cause::pass;
    return h;
  }
  static io::FrameHeader woken(std::int64_t n, Duration by) {
    io::FrameHeader h = step(n);
    h.start += by;
    h.end += by;
    h.lateness += by;
    h.late_wake = true;
    set_phase(h, io::Phase::wake, 3_us + by);
    if (h.lateness.ns > 0) h.cause = Cause::late_wake;
    return h;
  }
  void give(const io::FrameHeader& h) {
    attribution_.note(h);
    next_ = h.step + 1;
  }
  void good() {
    give(step(next_));
    if (next_ % 10 != 0) return;
    // Every wake-up costs 2 us of delay.
    read(static_cast<double>(next_) - 0.3, {.run_delay = 20_us});
    attribution_.collect();
  }
  /// All that came is noted before the first is judged.
  Cause judged(const io::FrameHeader& h, const Account& more, std::int64_t steal_ticks = 0) {
    read(static_cast<double>(next_) + 4, more, steal_ticks);
    attribution_.collect();
    return attribution_.cause_of(h);
  }

  int cpu_ = 1;
  std::int64_t next_ = 0;
  ScriptedAccounts* script_ = new ScriptedAccounts;  // the attribution's
  OverrunAttribution attribution_;
};

TEST_F(Accounted, APassThatAnotherProgramHeldUp) {
  const auto h = longer(next_, 600_us);  // 200 us late
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 150_us, .taken = 1}), Cause::preemption);
  const CauseCorrections& moved = attribution_.corrections();
  EXPECT_EQ(moved.of(static_cast<std::size_t>(Cause::pass)), -1);
  EXPECT_EQ(moved.of(static_cast<std::size_t>(Cause::preemption)), 1);
}

TEST_F(Accounted, APassThatWasLongByItself) {
  const auto h = longer(next_, 600_us);
  give(h);
  EXPECT_EQ(judged(h, {}), Cause::pass);
}

// 100 us are half of it; 2 us of what was spent is what every wake-up costs.
TEST_F(Accounted, WhatEveryWakeUpCostsIsNoExplanation) {
  const auto h = longer(next_, 600_us);
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 101_us, .taken = 1}), Cause::pass);
}

TEST_F(Accounted, ALateWakeIsToBeExplainedAsAWhole) {
  const auto h = woken(next_, 500_us);  // 100 us late
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 200_us}), Cause::late_wake);
}
TEST_F(Accounted, ALateWakeWhileAnotherProgramRan) {
  const auto h = woken(next_, 500_us);
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 450_us}), Cause::preemption);
}

// 150 pages at 1 us, or one from the disk.
TEST_F(Accounted, PageFaults) {
  const auto h = longer(next_, 600_us);
  give(h);
  EXPECT_EQ(judged(h, {.minor_faults = 150}), Cause::page_fault);
}
TEST_F(Accounted, APageFaultOfADisk) {
  const auto h = longer(next_, 590_us);
  give(h);
  EXPECT_EQ(judged(h, {.major_faults = 1}), Cause::page_fault);
}
TEST_F(Accounted, AFewPageFaultsExplainNothing) {
  const auto h = longer(next_, 600_us);
  give(h);
  EXPECT_EQ(judged(h, {.minor_faults = 50}), Cause::pass);
}

// The delay may be that of the step after it, which was woken late and was in time all the same.
TEST_F(Accounted, WhatAnotherStepMayHaveHadIsTakenOff) {
  const auto h = longer(next_, 600_us);
  give(h);
  give(woken(next_, 300_us));
  EXPECT_EQ(judged(h, {.run_delay = 300_us, .taken = 1}), Cause::pass);
}
TEST_F(Accounted, WhatIsLeftBesideAnotherStepExplainsIt) {
  const auto h = longer(next_, 600_us);
  give(h);
  give(woken(next_, 300_us));
  EXPECT_EQ(judged(h, {.run_delay = 500_us, .taken = 1}), Cause::preemption);
}

// It began 700 us late without having slept, and is 300 us late: something held it up since the
// step before had ended, partly before an account was read between the two.
TEST_F(Accounted, BetweenTwoSteps) {
  for (int n = 0; n < 8; ++n) good();
  read(static_cast<double>(next_) - 0.2, {.run_delay = 100_us});
  attribution_.collect();
  auto h = step(next_);
  h.slept = false;
  set_phase(h, io::Phase::wake, Duration{});
  h.start += 700_us;
  h.end += 700_us;
  h.lateness += 700_us;
  h.cause = Cause::unknown;
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 100_us, .taken = 1}), Cause::preemption);
}

TEST_F(Accounted, OutsideTwoReadingsNothingIsKnown) {
  const auto h = longer(next_, 600_us);
  give(h);
  // The newest reading is one that began before the step had ended.
  read(static_cast<double>(h.step) + 0.5, {.run_delay = 900_us, .taken = 1});
  attribution_.collect();
  EXPECT_EQ(attribution_.cause_of(h), Cause::pass);
}

TEST_F(Accounted, AHostThatTookTheCpu) {
  for (int n = 0; n < 3000; ++n) good();  // long enough to know that this is rare
  const auto h = woken(next_, 3_ms);
  give(h);
  EXPECT_EQ(judged(h, {}, 1), Cause::host);
}
TEST_F(Accounted, AHostThatOftenTakesTheCpuMayBeAnInnocentBystander) {
  for (int n = 0; n < 3000; ++n) {
    if (n % 100 == 50) ++script_->steal_now.ticks;
    good();
  }
  const auto h = woken(next_, 3_ms);
  give(h);
  EXPECT_EQ(judged(h, {}, 1), Cause::late_wake);
}
TEST_F(Accounted, AnotherCpuTellsNothing) {
  for (int n = 0; n < 3000; ++n) good();
  const auto h = woken(next_, 3_ms);
  give(h);
  cpu_ = 0;
  EXPECT_EQ(judged(h, {}, 1), Cause::late_wake);
}

// What perf saw is exact; what it cannot see is left to the account.
TEST_F(Accounted, BesideEvidenceOnlyWhatThatCannotSee) {
  attribution_.begin([](std::vector<rt::ThreadEvent>&) {});
  const auto h = longer(next_, 600_us);
  give(h);
  EXPECT_EQ(judged(h, {.run_delay = 150_us, .taken = 1}), Cause::pass);
  for (int n = 0; n < 40; ++n) good();
  const auto late = woken(next_, 500_us);
  give(late);
  EXPECT_EQ(judged(late, {.run_delay = 450_us}), Cause::preemption);
}

}  // namespace
}  // namespace hild::record
