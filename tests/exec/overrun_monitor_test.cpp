// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict on steps alone: no plant is advanced, only the time.
#include "exec/overrun_monitor.hpp"

#include "exec/owners.hpp"

namespace hild::testing {
namespace {

struct Judged : WithoutLoop {
  explicit Judged(const exec::Settings& settings)
      : WithoutLoop(settings), external(run, outputs, nullptr), monitor(run, external) {}
  /// A step that takes this long, and what of it is recorded.
  io::FrameHeader step(Duration work) {
    EXPECT_TRUE(run.clock->next());
    run.record.claim(run.meter);
    run.clock->begin();
    const bool goes_on = !run.step.behind || monitor.behind(run.step.due);
    EXPECT_EQ(goes_on, !run.end.reached());
    clock.advance(work);
    run.meter.close(io::Phase::passes);
    monitor.judge(run.clock->ended());
    run.clock->advance();
    return run.record.header();
  }

  exec::ExternalControl external;
  exec::OverrunMonitor monitor;
};

exec::Settings after_three(exec::LimitAction then) {
  exec::Settings s;
  s.overrun.startup_grace = 0;
  s.overrun.consecutive = 3;
  s.overrun.then = then;
  return s;
}

TEST(OverrunMonitor, TellsHowLateAStepWasAndOfWhat) {
  Judged run(after_three(exec::LimitAction::carry_on));
  const auto good = run.step(300_us);
  EXPECT_EQ(good.lateness, -(700_us));
  EXPECT_EQ(good.cause, io::Cause::none);
  const auto late = run.step(1'400_us);
  EXPECT_EQ(late.lateness, 400_us);
  EXPECT_EQ(late.cause, io::Cause::pass);
  EXPECT_EQ(run.step(650_us).cause, io::Cause::carried) << "it began 400 us late";
  EXPECT_EQ(run.run.statistics->overruns.get(), 2);
}

TEST(OverrunMonitor, HoldsThePlantOrEndsTheRunAtALimit) {
  for (const auto then : {exec::LimitAction::freeze, exec::LimitAction::safe_stop}) {
    Judged run(after_three(then));
    for (int n = 0; n < 2; ++n) run.step(1'900_us);
    EXPECT_FALSE(run.external.holds() || run.run.end.reached());
    run.step(1'900_us);
    EXPECT_EQ(run.external.limited(), then == exec::LimitAction::freeze);
    EXPECT_EQ(run.run.end.reached(), then == exec::LimitAction::safe_stop);
    EXPECT_TRUE(run.run.end.outcome().limit_reached);
    EXPECT_EQ(run.sampler.disarms, 0);
  }
}

TEST(OverrunMonitor, MakesOutputsSafeWhereTheModelOfAnotherProcessIsGone) {
  Judged run(after_three(exec::LimitAction::carry_on));
  run.step(100_us);
  run.monitor.look({.owes = true, .gone = true});
  run.monitor.look({.owes = true, .gone = true});
  EXPECT_EQ(run.run.statistics->standstills.get(), 1) << "once for all steps it is away";
  EXPECT_EQ(run.run.end.outcome().limit, exec::Limit::gone);
  EXPECT_FALSE(run.run.end.reached());
  run.monitor.look({});
  run.monitor.look({.owes = true, .gone = true});
  EXPECT_EQ(run.run.statistics->standstills.get(), 2);
}

}  // namespace
}  // namespace hild::testing
