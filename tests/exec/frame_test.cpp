// SPDX-License-Identifier: Apache-2.0
/// One frame in order: releases, samples, device calls, phases, records, events from outside.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;
using io::Phase;

TEST(Frame, GridOfThreeKilohertzDoesNotDrift) {
  Rig rig;
  rig.settings.grid = Grid::of_rate_hz(3000);
  rig.run(3001);
  EXPECT_EQ(rig.records[3000].due - Rig::start, Duration(1_s));
  EXPECT_EQ(rig.records[1].due - Rig::start, Duration(333'333_ns));
  EXPECT_EQ(rig.records[2].due - Rig::start, Duration(666'666_ns));
  EXPECT_EQ(rig.records[3].due - Rig::start, Duration(1_ms));
}

TEST(Frame, SamplesAtTheTickUnderFrameSampling) {
  Rig rig(numerics::rtrk3);
  rig.run(4);
  EXPECT_EQ(rig.sampler.calls, 4);
  for (int n = 0; n < 4; ++n) {
    EXPECT_EQ(rig.sampler.reads[static_cast<std::size_t>(n)], frame_time(n));
  }
  EXPECT_EQ(rig.clock.sleeps(), 4);
}

TEST(Frame, SamplesAtEachReleaseUnderStageSampling) {
  Rig rig(numerics::rtrk3);
  rig.settings.sampling = Sampling::stage;
  rig.plant.pass_cost = 100_us;
  rig.run(2);
  const std::vector<MonoTime> expected{frame_time(0), frame_time(1.0 / 3), frame_time(2.0 / 3),
                                       frame_time(1), frame_time(4.0 / 3), frame_time(5.0 / 3)};
  EXPECT_EQ(rig.sampler.reads, expected);
  // One sleep for each release waited for, one device call each.
  EXPECT_EQ(rig.clock.sleeps(), 6);
  EXPECT_EQ(rig.sampler.calls, 6);
}

TEST(Frame, ExtrapolationReleasesPassesAtTheirShareOfTheStep) {
  Rig rig(numerics::rk4);
  rig.settings.sampling = Sampling::extrapolate;
  rig.run(1);
  const std::vector<MonoTime> expected{frame_time(0), frame_time(0.25), frame_time(0.5),
                                       frame_time(0.75)};
  EXPECT_EQ(rig.sampler.reads, expected);
}

TEST(Frame, AReleaseThatHasPassedSamplesAtOnce) {
  Rig rig(numerics::rtrk2);
  rig.settings.sampling = Sampling::stage;
  rig.plant.pass_cost = 100_us;
  rig.plant.extra[1] = 600_us;  // pass 0 ends at 1.7; the release of pass 1 was at 1.5
  rig.run(3);
  EXPECT_EQ(rig.sampler.reads[3], frame_time(1.7));
  EXPECT_EQ(rig.statistics().late_samples.get(), 1);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
}

// u = t is shown as an output. Step 6 starts 50 us after its tick, which is no late wake-up, but it
// did not wait; step 9 woke as late. The inputs of both belong to their ticks all the same, unless
// samples are to be used as they are taken.
TEST(Frame, ASampleBelongsToItsInstantHoweverLittleLate) {
  for (const exec::Samples samples : {exec::Samples::true_time, exec::Samples::as_taken}) {
    const double late = samples == exec::Samples::as_taken ? 0.05 : 0;
    Rig rig(model::make_stepper<Tracker>(numerics::ab2), [](double t) { return t; });
    rig.settings.samples = samples;
    rig.plant.extra_of = [&](std::int64_t step) {
      if (step == 8) rig.clock.delay_next_wake(50_us);
      return step == 5 ? 1'050_us : Duration{};
    };
    rig.run(12);
    EXPECT_EQ(rig.records[6].start, frame_time(6.05));
    EXPECT_EQ(rig.records[9].start, frame_time(9.05));
    EXPECT_EQ(rig.statistics().late_wakes.get(), 0);
    EXPECT_EQ(rig.statistics().late_samples.get(), 1);
    for (std::size_t n = 0; n < 11; ++n) {
      const double taken = static_cast<double>(n) + (n == 9 || n == 6 ? late : 0);
      EXPECT_NEAR(rig.sampler.writes[n + 1].y[1], 1e-3 * taken, 1e-15) << n;
    }
  }
}

TEST(Frame, PhasesAddUpToTheFramesExactly) {
  Rig rig(numerics::rtam2);
  rig.settings.sampling = Sampling::stage;
  rig.sampler.cost = 30_us;
  rig.plant.pass_cost = 70_us;
  rig.plant.extra[7] = 1'500_us;
  rig.run(20);
  Duration sum{};
  for (const auto& phase : rig.statistics().phases) sum += phase.sum();
  EXPECT_EQ(sum, rig.clock.now() - Rig::start);
}

TEST(Frame, EveryPhaseIsMeteredWhereTheTimeWasSpent) {
  Rig rig(numerics::rtrk2);
  rig.settings.sampling = Sampling::stage;
  rig.sampler.cost = 30_us;
  rig.plant.pass_cost = 70_us;
  rig.run(3);
  const auto& p = rig.records[2].phases;
  const auto at = [&](Phase phase) { return p[static_cast<std::size_t>(phase)]; };
  EXPECT_EQ(at(Phase::device), 60_us);
  EXPECT_EQ(at(Phase::passes), 140_us);
  EXPECT_EQ(at(Phase::wait), 400_us);  // from 0.1 to the release at 0.5
  EXPECT_EQ(at(Phase::wake), 0_us);
  EXPECT_EQ(at(Phase::idle), 400_us);  // of the frame before: from 0.6 to the tick
  EXPECT_EQ(rig.pass_costs[2], (std::vector<Duration>{70_us, 70_us}));
  EXPECT_EQ(rig.statistics().work.max(), 200_us);
}

TEST(Frame, EarlyOutputsAreWrittenWhenKnown) {
  Rig rig;
  rig.settings.outputs = exec::OutputTime::early;
  rig.plant.pass_cost = 200_us;
  rig.run(3);
  std::vector<MonoTime> times;
  for (const auto& w : rig.sampler.writes) times.push_back(w.at);
  // The initial outputs at the first tick, then those of each step as soon as they are known.
  EXPECT_EQ(times, (std::vector<MonoTime>{frame_time(0), frame_time(0.2), frame_time(1.2),
                                          frame_time(2.2)}));
}

TEST(Frame, OutputsBelongToTheEndOfTheStep) {
  Rig rig(numerics::rk4, [](double) { return 1.0; });
  rig.run(3);
  // x' = 1 - x from 0: exact after n frames, written at tick n.
  for (int n = 0; n < 3; ++n) {
    EXPECT_NEAR(rig.sampler.writes[static_cast<std::size_t>(n)].y[0], 1 - std::exp(-1e-3 * n),
                1e-12);
  }
}

TEST(Frame, WorkAboveTheBudgetIsCounted) {
  Rig rig;
  rig.settings.budget.utilisation = 0.5;
  rig.plant.pass_cost = 400_us;
  rig.plant.extra = {{3, 200_us}, {6, 200_us}};
  rig.run(10);
  EXPECT_EQ(rig.statistics().over_budget.get(), 2);
  EXPECT_EQ(rig.statistics().margin.min(), 400_us);
}

TEST(Frame, StopEndsAtTheNextTickWithSafeOutputs) {
  Rig rig;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 4) rig.stop.raise();
    return Duration{};
  };
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::requested);
  EXPECT_EQ(rig.records.size(), 5U);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

TEST(Frame, ADeviceThatFailsEndsTheRunAndOutputsGoSafe) {
  Rig rig;
  rig.sampler.fail_at_call = 7;
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::device_failed);
  EXPECT_EQ(outcome.frame, 6);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

TEST(Frame, NotANumberNeverReachesTheOutputs) {
  Rig rig(numerics::forward_euler, [](double t) { return t < 4.5e-3 ? 1.0 : NAN; });
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_EQ(outcome.frame, 5);
  EXPECT_TRUE(outcome.in_states);
  EXPECT_EQ(outcome.index, 0U);
  for (const auto& w : rig.sampler.writes) EXPECT_TRUE(std::isfinite(w.y[0]));
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

// The sampler's counts grow by one with every image.
TEST(Frame, RawCountsAreRecordedWithTheirImage) {
  Rig rig;
  rig.sampler.raw = {100, 4'000'000'000U, 7};
  const io::FrameLayout layout = exec::FrameLoop::layout(rig.plant, 0, 3);
  rt::SlotRing ring(layout.bytes(), 16);
  exec::FrameLoop loop(rig.settings,
                       {rig.clock, rig.sampler, rig.plant, plain_inputs(1), {0.0}, nullptr, &ring});
  loop.run(Rig::start, 3, rig.stop);
  for (std::uint32_t step = 1; step <= 3; ++step) {
    const io::FrameView record(layout, ring.front());
    const auto counts = record.image_counts(0);
    EXPECT_EQ(std::vector<std::uint32_t>(counts.begin(), counts.end()),
              (std::vector<std::uint32_t>{100 + step, 4'000'000'000U + step, 7 + step}));
    ring.release();
  }
}

TEST(Frame, AFullRingDropsAndCounts) {
  Rig rig;
  rt::SlotRing ring(exec::FrameLoop::layout(rig.plant).bytes(), 4);
  exec::FrameLoop loop(rig.settings,
                       {rig.clock, rig.sampler, rig.plant, plain_inputs(1), {0.0}, nullptr, &ring});
  loop.run(Rig::start, 10, rig.stop);
  EXPECT_EQ(loop.statistics().records_dropped.get(), 6);
  EXPECT_EQ(loop.statistics().steps.get(), 10);
}

// Posted while step 2 runs; prepared in the slack of frame 2, committed at the start of step 3.
TEST(ExternalEvents, TakeEffectAtTheStartOfAStepAfterItsSample) {
  Rig rig;
  std::vector<double> seen;
  rig.plant.extra_of = [&](std::int64_t step) {
    seen.push_back(rig.plant.system().parameter(0));
    if (step == 2) {
      EXPECT_EQ(rig.events.submit(transaction(0, exec::SetParameter{0, 5.0})), exec::Refusal::none);
    }
    return Duration{};
  };
  rig.run(6);
  EXPECT_EQ(seen, (std::vector<double>{1, 1, 1, 5, 5, 5}));
  EXPECT_EQ(rig.records[3].external_events, 1);
  EXPECT_EQ(rig.statistics().events_served.get(), 1);
}

TEST(ExternalEvents, WaitWhileThereIsNoSlackAndAreRefusedInTheEnd) {
  Rig rig;
  rig.plant.pass_cost = 999_us;  // 1 us of slack: less than the guard
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 0) {
      EXPECT_EQ(rig.events.submit(transaction(0, exec::SetParameter{0, 5.0})), exec::Refusal::none);
    }
    return Duration{};
  };
  rig.run(1100);
  EXPECT_EQ(rig.statistics().events_served.get(), 0);
  EXPECT_EQ(rig.statistics().events_deferred.get(), exec::AdmissionSettings{}.max_deferrals - 1);
  EXPECT_EQ(rig.statistics().events_refused.get(), 1);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
}

}  // namespace
}  // namespace hild::testing
