// SPDX-License-Identifier: Apache-2.0
/// Overruns injected exactly on the virtual clock. All times in the comments are in frames.
#include <gtest/gtest.h>

#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

using exec::End;
using exec::LimitAction;
using exec::OverrunPolicy;
using io::Cause;

std::vector<MonoTime> write_times(const Rig& rig) {
  std::vector<MonoTime> times;
  for (const auto& w : rig.sampler.writes) times.push_back(w.at);
  return times;
}

TEST(Overrun, WithoutAnyEveryStepIsOneFrameAndWrittenAtItsTick) {
  Rig rig;
  rig.plant.pass_cost = 800_us;
  EXPECT_EQ(rig.run(10).end, End::duration);
  EXPECT_EQ(rig.spans(), std::vector<int>(10, 1));
  ASSERT_EQ(rig.sampler.writes.size(), 10U);
  for (int n = 0; n < 10; ++n) {
    EXPECT_EQ(rig.sampler.writes[static_cast<std::size_t>(n)].at, frame_time(n));
  }
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
}

// Step 5 ends at 6.3; step 6 starts at once and is back in step at 6.5.
TEST(Overrun, ThreeTenthsOfAFrameLateNeedsNoDoubling) {
  Rig rig;
  rig.plant.pass_cost = 200_us;
  rig.plant.extra[5] = 1'100_us;
  rig.run(10);
  EXPECT_EQ(rig.spans(), std::vector<int>(10, 1));
  EXPECT_EQ(rig.statistics().overruns.get(), 1);
  EXPECT_EQ(rig.records[5].lateness, 300_us);
  EXPECT_EQ(rig.records[5].cause, Cause::pass);
  EXPECT_EQ(rig.records[6].start, frame_time(6.3));
  EXPECT_EQ(rig.records[6].lateness, -500_us);
  // y(t_6) is written late, at once; y(t_7) at its own tick.
  EXPECT_EQ(write_times(rig)[6], frame_time(6.3));
  EXPECT_EQ(write_times(rig)[7], frame_time(7));
}

// The thread itself is 1.6 late: step 0 covers two frames and ends at 2.2, though nothing was
// served before it; step 1 starts at once.
TEST(Overrun, AThreadThatBeginsLateBlamesNoExternalEvent) {
  Rig rig;
  rig.plant.pass_cost = 600_us;
  rig.clock.sleep_until(frame_time(1.6));
  rig.run(5);
  EXPECT_EQ(rig.spans(), (std::vector{2, 1, 1, 1}));
  EXPECT_EQ(rig.records[0].lateness, 200_us);
  EXPECT_EQ(rig.records[0].cause, Cause::unknown);
  EXPECT_EQ(rig.statistics().overruns.get(), 1);
}

// Steps 5 and 6 cost 1.3 each: 5 ends at 6.3, 6 at 7.6, 7 starts at 7.6 and ends at 7.8.
TEST(Overrun, TwoInARowAddUp) {
  Rig rig;
  rig.plant.pass_cost = 200_us;
  rig.plant.extra = {{5, 1'100_us}, {6, 1'100_us}};
  rig.run(10);
  EXPECT_EQ(rig.spans(), std::vector<int>(10, 1));
  EXPECT_EQ(rig.statistics().overruns.get(), 2);
  EXPECT_EQ(rig.records[6].lateness, 600_us);
  EXPECT_EQ(rig.records[7].start, frame_time(7.6));
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 0);
  EXPECT_EQ(rig.statistics().slips.get(), 0);
}

// Step 5 costs 3.3 and ends at 8.3, due at 6. Step 6: tick 7 has passed, so it spans 6 ... 8 and
// ends at 9.1. Step 8: tick 9 has passed, so it spans 8 ... 10 and ends at 9.9, in step.
TEST(Overrun, TwoAndThreeTenthsAreCuredByTwoDoubledStepsWithoutLosingTime) {
  Rig rig;
  rig.plant.pass_cost = 800_us;
  rig.plant.extra[5] = 2'500_us;
  rig.run(13);
  EXPECT_EQ(rig.spans(), (std::vector<int>{1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1}));
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 2);
  EXPECT_EQ(rig.statistics().slips.get(), 0);
  EXPECT_EQ(rig.statistics().sim_time_ns.get(), 13'000'000);
  EXPECT_EQ(rig.statistics().overruns.get(), 2);
  EXPECT_EQ(rig.records[5].lateness, 2'300_us);
  EXPECT_EQ(rig.records[6].lateness, 1'100_us);
  EXPECT_EQ(rig.records[6].cause, Cause::carried);
  EXPECT_EQ(rig.records[7].lateness, -100_us);
  // y(t_6) and y(t_8) go out late and at once; y(t_10) waits for the time it belongs to.
  const auto writes = write_times(rig);
  EXPECT_EQ(writes[6], frame_time(8.3));
  EXPECT_EQ(writes[7], frame_time(9.1));
  EXPECT_EQ(writes[8], frame_time(10));
  // Meanwhile the hardware keeps y(t_5): nothing is written between tick 5 and 8.3.
  EXPECT_EQ(writes[5], frame_time(5));
}

// max_debt 2: step 5 costs 6.4 and ends at 11.4. Frame 6 may lag at most 2 frames: its tick must
// be at 9.4 or later, which the grid reaches by moving 4 ticks (tick 6 lies at 10).
TEST(Overrun, LagBeyondMaxDebtBecomesACountedSlip) {
  Rig rig;
  rig.settings.overrun.max_debt = 2;
  rig.plant.pass_cost = 400_us;
  rig.plant.extra[5] = 6'000_us;
  rig.run(16);
  EXPECT_EQ(rig.statistics().slips.get(), 4);
  EXPECT_EQ(rig.records[6].slipped, 4);
  EXPECT_EQ(rig.records[6].due, frame_time(10));
  EXPECT_EQ(rig.records[6].frame, 6);
  EXPECT_EQ(rig.records[6].span, 2);  // tick 7 lies at 11, before 11.4
  EXPECT_EQ(rig.statistics().frames.get(), 16);
  EXPECT_EQ(rig.statistics().sim_time_ns.get(), 12'000'000);  // 16 frames less 4
}

TEST(Overrun, ExactlyMaxDebtDoesNotSlip) {
  Rig rig;
  rig.settings.overrun.max_debt = 3;
  rig.plant.pass_cost = 400_us;
  rig.plant.extra[5] = 3'600_us;  // ends at 9.0; frame 6 lags exactly 3
  rig.run(14);
  EXPECT_EQ(rig.statistics().slips.get(), 0);
  EXPECT_EQ(rig.records[6].span, 2);
}

// max_debt 1: step 5 ends at 8.5. Frame 6 may lag one frame: the grid moves 2 ticks, and the end of
// the step, at 9, lies ahead.
TEST(Overrun, AfterASlipAStepWhoseEndLiesAheadIsNotDoubled) {
  Rig rig;
  rig.settings.overrun.max_debt = 1;
  rig.plant.extra[5] = 3'500_us;
  rig.run(12);
  EXPECT_EQ(rig.statistics().slips.get(), 2);
  EXPECT_EQ(rig.records[6].due, frame_time(8));
  EXPECT_EQ(rig.records[6].start, frame_time(8.5));
  EXPECT_EQ(rig.records[6].span, 1);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 0);
}

// Step 5 ends at 7.0: the end of step 6 does not lie in the future any more.
TEST(Overrun, AStepWhoseEndHasJustComeIsDoubled) {
  Rig rig;
  rig.plant.extra[5] = 2'000_us;
  rig.run(10);
  EXPECT_EQ(rig.records[6].start, frame_time(7));
  EXPECT_EQ(rig.records[6].span, 2);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 1);
}

TEST(Overrun, PolicySlipMovesTheGridByWholeTicks) {
  Rig rig;
  rig.settings.overrun.policy = OverrunPolicy::slip;
  rig.plant.pass_cost = 200_us;
  rig.plant.extra[5] = 1'100_us;  // ends at 6.3
  rig.run(10);
  EXPECT_EQ(rig.spans(), std::vector<int>(9, 1));
  EXPECT_EQ(rig.statistics().slips.get(), 1);
  EXPECT_EQ(rig.records[6].start, frame_time(7));
  EXPECT_EQ(rig.records[6].t, SimTime{6'000'000});
  // y(t_6) belongs to the tick that frame 6 now has.
  EXPECT_EQ(write_times(rig)[6], frame_time(7));
}

TEST(Overrun, PolicyStopEndsAtTheFirstLateStepAfterTheGrace) {
  Rig rig;
  rig.settings.overrun.policy = OverrunPolicy::stop;
  rig.settings.overrun.startup_grace = 3;
  rig.plant.extra = {{1, 1'100_us}, {5, 1'100_us}};
  const auto outcome = rig.run(10);
  EXPECT_EQ(outcome.end, End::overrun_limit);
  EXPECT_EQ(outcome.frame, 5);
  EXPECT_EQ(rig.records.size(), 6U);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

TEST(Overrun, ALateWakeIsCountedByItselfAndIsTheCauseOnlyWhenTheWorkWouldHaveFitted) {
  Rig rig;
  rig.settings.late_wake = 100_us;
  rig.plant.pass_cost = 700_us;
  rig.plant.extra_of = [&](std::int64_t step) {
    // Arms the next wake: frames 4 (harmless) and 6 (the work no longer fits).
    if (step == 3) rig.clock.delay_next_wake(200_us);
    if (step == 5) rig.clock.delay_next_wake(400_us);
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(rig.statistics().late_wakes.get(), 2);
  EXPECT_EQ(rig.statistics().overruns.get(), 1);
  EXPECT_TRUE(rig.records[4].late_wake);
  EXPECT_EQ(rig.records[4].lateness, -100_us);
  EXPECT_EQ(rig.records[6].lateness, 100_us);
  EXPECT_EQ(rig.records[6].cause, Cause::late_wake);
}

TEST(Overrun, AWakeMoreThanAFrameLateDoublesTheStep) {
  Rig rig;
  rig.plant.pass_cost = 200_us;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 3) rig.clock.delay_next_wake(1'500_us);
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(rig.records[4].span, 2);
  EXPECT_EQ(rig.records[4].lateness, -300_us);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
  EXPECT_EQ(rig.statistics().late_wakes.get(), 1);
}

// By the fewest ticks that bring frame 4 to the wake-up or beyond; within the frame it moves none.
TEST(Overrun, PolicySlipMovesTheGridPastALateWake) {
  for (const auto& [late, ticks] : {std::pair{999_us, 0}, {1'000_us, 1}, {1'001_us, 2}}) {
    Rig rig;
    rig.settings.overrun.policy = OverrunPolicy::slip;
    rig.plant.extra_of = [&rig, late = late](std::int64_t step) {
      if (step == 3) rig.clock.delay_next_wake(late);
      return Duration{};
    };
    rig.run(10);
    EXPECT_EQ(rig.records[4].slipped, ticks) << late.ns;
    EXPECT_EQ(rig.records[4].due, frame_time(4 + ticks)) << late.ns;
    EXPECT_EQ(rig.statistics().slips.get(), ticks) << late.ns;
    EXPECT_EQ(rig.statistics().frames.get(), 10) << late.ns;
    EXPECT_EQ(rig.statistics().sim_time_ns.get(), (10 - ticks) * 1'000'000) << late.ns;
  }
}

// The device fails in the call that begins it: there is no such step.
TEST(Overrun, ADoubledStepThatIsNotTakenDoesNotCount) {
  Rig rig;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 3) rig.clock.delay_next_wake(1'500_us);
    return Duration{};
  };
  rig.sampler.fail_at_call = 5;
  EXPECT_EQ(rig.run(10).end, End::device_failed);
  EXPECT_EQ(rig.statistics().steps.get(), 4);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 0);
}

TEST(Overrun, ADeviceThatTakesTooLongIsNamed) {
  Rig rig;
  rig.sampler.cost = 100_us;
  rig.plant.pass_cost = 200_us;
  rig.plant.extra_of = [&](std::int64_t step) {
    rig.sampler.cost = step == 5 ? 1'200_us : 100_us;  // the call of frame 6
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(rig.records[6].cause, Cause::device);
  EXPECT_EQ(rig.records[6].lateness, 400_us);
}

struct LimitCase {
  std::optional<double> percent;
  std::optional<int> consecutive;
  std::int64_t grace;
  std::int64_t expected_end_frame;  // -1: runs on
};

class OverrunLimit : public ::testing::TestWithParam<LimitCase> {};

// Steps 10, 20, 21, 22, 30, 31, 32, 33 are late by a tenth of a frame.
TEST_P(OverrunLimit, EndsTheRunWhereTheCountSays) {
  const LimitCase c = GetParam();
  Rig rig;
  rig.settings.overrun.limit_percent = c.percent;
  rig.settings.overrun.window = 100;
  rig.settings.overrun.consecutive = c.consecutive;
  rig.settings.overrun.startup_grace = c.grace;
  for (const std::int64_t step : {10, 20, 21, 22, 30, 31, 32, 33}) rig.plant.extra[step] = 1'100_us;
  const auto outcome = rig.run(60);
  if (c.expected_end_frame < 0) {
    EXPECT_EQ(outcome.end, End::duration);
  } else {
    EXPECT_EQ(outcome.end, End::overrun_limit);
    EXPECT_EQ(outcome.frame, c.expected_end_frame);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OverrunLimit,
    ::testing::Values(LimitCase{{}, {}, 0, -1},   //
                      LimitCase{{}, 3, 0, 22},    // three in a row
                      LimitCase{{}, 4, 0, 33},    //
                      LimitCase{{}, 5, 0, -1},    //
                      LimitCase{1.0, {}, 0, 20},  // more than 1 of 100
                      LimitCase{4.0, {}, 0, 30},  // the fifth late step
                      LimitCase{
                          1.0, {}, 21, 22},  // grace covers 10 and 20; 21 and 22 are two of 100
                      LimitCase{8.0, {}, 0, -1}));

// Late steps that lie further apart than the window never add up, however many there are.
// As for a run that goes on all the same.
TEST(OverrunLimits, UnderPolicyStopAreReachedByEachMissAndByNothingElse) {
  exec::OverrunSettings settings;
  settings.startup_grace = 0;
  settings.policy = exec::OverrunPolicy::stop;
  exec::OverrunLimits limits(settings);
  EXPECT_FALSE(limits.reached(false));
  EXPECT_TRUE(limits.reached(true));
  EXPECT_FALSE(limits.reached(false)) << "the miss before is in the window, and is over";
  EXPECT_TRUE(limits.reached(true));
}

TEST(OverrunLimits, ForgetWhatHasLeftTheWindow) {
  exec::OverrunSettings settings;
  settings.startup_grace = 0;
  settings.limit_percent = 10;
  settings.window = 10;
  exec::OverrunLimits apart(settings);
  for (int step = 0; step < 1000; ++step) EXPECT_FALSE(apart.reached(step % 10 == 3)) << step;
  exec::OverrunLimits nearer(settings);
  for (int step = 0; step < 9; ++step) EXPECT_FALSE(nearer.reached(step == 0)) << step;
  EXPECT_TRUE(nearer.reached(true)) << "the first of the ten is still one of them";
  // All late, then none: what is in the window goes down again.
  settings.limit_percent = 50;
  exec::OverrunLimits recovering(settings);
  for (int step = 0; step < 10; ++step) EXPECT_EQ(recovering.reached(true), step >= 5) << step;
  for (int step = 0; step < 20; ++step) EXPECT_EQ(recovering.reached(false), step < 4) << step;
}

// None of them is one, neither of the share nor of those in a row.
TEST(OverrunLimits, LeaveTheGraceOut) {
  exec::OverrunSettings settings;
  settings.startup_grace = 5;
  settings.limit_percent = 10;
  settings.window = 10;
  settings.consecutive = 2;
  exec::OverrunLimits limits(settings);
  for (int step = 0; step < 5; ++step) EXPECT_FALSE(limits.reached(true)) << step;
  EXPECT_FALSE(limits.reached(true)) << "the first that counts";
  EXPECT_TRUE(limits.reached(true));
}

TEST(OverrunLimitAction, FreezeHoldsPlantAndOutputsAndGoesOn) {
  Rig rig;
  rig.settings.overrun.consecutive = 1;
  rig.settings.overrun.then = LimitAction::freeze;
  rig.plant.pass_cost = 100_us;
  rig.plant.extra[5] = 1'100_us;
  const auto outcome = rig.run(20);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(rig.statistics().sim_time_ns.get(), 6'000'000);
  EXPECT_EQ(rig.statistics().frames.get(), 20);
  EXPECT_EQ(rig.statistics().frozen_frames.get(), 14);
  const auto& held = rig.sampler.writes.back();
  EXPECT_GE(held.at, frame_time(19));
  EXPECT_EQ(held.y, rig.sampler.writes[6].y);
}

TEST(OverrunLimitAction, ContinueOnlyCounts) {
  Rig rig;
  rig.settings.overrun.consecutive = 1;
  rig.settings.overrun.then = LimitAction::carry_on;
  rig.plant.extra[5] = 1'100_us;
  const auto outcome = rig.run(20);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_FALSE(outcome.limit_reached);
  EXPECT_EQ(rig.statistics().steps.get(), 20);
}

}  // namespace
}  // namespace hild::testing
