// SPDX-License-Identifier: Apache-2.0
/// Within a step: steps completed early, outputs at the nodes, inputs that jump, dense results at
/// state events, the estimate of the error.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/fakes.hpp"
#include "exec/plants.hpp"

namespace hild::testing {
namespace {

// ---- the anytime step --------------------------------------------------------------------------

struct OneLongPass : Rig {
  explicit OneLongPass(bool anytime) : Rig(oscillator(numerics::rtam2), nothing()) {
    settings.anytime = anytime;
    plant.pass_cost = 300_us;
    plant.extra[10] = 450_us;  // 750 us: with 300 us for the corrector 50 us too late
    run(20);
  }
};

TEST(Anytime, CompletesAStepThatWouldBeLate) {
  const OneLongPass late(false);
  EXPECT_EQ(late.statistics().overruns.get(), 1);
  EXPECT_EQ(late.statistics().completed_early.get(), 0);

  const OneLongPass on_time(true);
  EXPECT_EQ(on_time.statistics().overruns.get(), 0);
  EXPECT_EQ(on_time.statistics().completed_early.get(), 1);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(on_time.records[i].early, i == 10) << i;
  EXPECT_EQ(on_time.records[10].passes, 1);
  EXPECT_EQ(on_time.records[10].end, frame_time(10.75));
}

TEST(Anytime, LeavesTheStarterAlone) {
  Rig rig(oscillator(numerics::rtam4), nothing());
  rig.settings.anytime = true;
  rig.plant.pass_cost = 100_us;
  rig.plant.extra[0] = 950_us;  // rtrk-4 is at work: there is no history to complete it from
  rig.run(10);
  EXPECT_EQ(rig.statistics().completed_early.get(), 0);
  EXPECT_EQ(rig.statistics().overruns.get(), 1);
}

/// The largest error over two seconds when every tenth step is completed early, or none.
double error_of(const numerics::Method& method, int rate, bool early) {
  Rig rig(oscillator(method), nothing());
  rig.settings.grid = Grid::of_rate_hz(rate);
  rig.settings.anytime = true;
  const Duration frame = rig.settings.grid.period();
  rig.plant.pass_cost = frame * 15 / 100;  // of the starters up to five fit
  if (early) {
    rig.plant.extra_of = [=](std::int64_t step) {
      return step % 10 == 9 ? frame * 75 / 100 : 0_ns;
    };
  }
  rig.run(2 * rate);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
  EXPECT_EQ(rig.statistics().completed_early.get(), early ? 2 * rate / 10 : 0);
  double error = 0;
  for (std::size_t n = 0; n < rig.sampler.writes.size(); ++n) {
    error =
        std::max(error, std::abs(rig.sampler.writes[n].y[0] - std::cos(seconds(rig.records[n].t))));
  }
  return error;
}

TEST(Anytime, KeepsTheOrder) {
  for (const auto* m : {&numerics::rtam2, &numerics::rtam3, &numerics::rtam4}) {
    const int rate = m->order == 4 ? 50 : 100;
    const double coarse = error_of(*m, rate, true);
    const double fine = error_of(*m, 2 * rate, true);
    EXPECT_GT(std::log2(coarse / fine), m->order - 0.3) << m->name;
    // A tenth of the steps by a method whose error coefficient is some ten times as large.
    EXPECT_GT(coarse, error_of(*m, rate, false)) << m->name;
    EXPECT_LT(coarse, 4 * error_of(*m, rate, false)) << m->name;
  }
}

// ---- outputs within a step ---------------------------------------------------------------------

TEST(DoubledStep, PutsThePredictorOutAtTheMissedTick) {
  Rig rig(oscillator(numerics::rtam2), nothing());
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.settings.anytime = true;
  rig.plant.pass_cost = 100_us;
  rig.plant.extra[20] = 23_ms + Duration(900_us);  // frames 20 and 21 are gone when it ends
  rig.run(40);
  ASSERT_EQ(rig.statistics().doubled_steps.get(), 1);
  ASSERT_EQ(rig.statistics().intermediate_writes.get(), 1);
  // At 22.4 frames: first the outputs of frame 21, then at once those of 22, by the predictor.
  const auto& writes = rig.sampler.writes;
  const auto at = [](double frames) { return Rig::start + part(10_ms, frames); };
  std::vector<double> put_out;
  for (const auto& w : writes) {
    if (w.at >= at(22.4) && w.at < at(22.5)) put_out.push_back(w.y[0]);
  }
  ASSERT_EQ(put_out.size(), 2U);
  EXPECT_NEAR(put_out[0], std::cos(0.21), 1e-5);
  EXPECT_NEAR(put_out[1], std::cos(0.22), 1e-5);
}

// At 3 kHz a frame is no whole number of nanoseconds, and two of them, halved, are not always the
// tick between them.
TEST(DoubledStep, FindsTheMissedTickAtEveryRate) {
  for (const int rate : {3000, 7000, 600}) {
    for (int late = 20; late < 27; ++late) {
      Rig rig(oscillator(numerics::rtam2), nothing());
      rig.settings.grid = Grid::of_rate_hz(rate);
      rig.settings.anytime = true;
      const Duration frame = rig.settings.grid.period();
      rig.plant.pass_cost = frame / 100;
      rig.plant.extra[late] = frame * 239 / 100;
      rig.run(40);
      ASSERT_EQ(rig.statistics().doubled_steps.get(), 1) << rate << " Hz, frame " << late;
      EXPECT_EQ(rig.statistics().intermediate_writes.get(), 1) << rate << " Hz, frame " << late;
    }
  }
}

TEST(IntermediateOutputs, ComeAtTwoOrThreeTimesTheFrameRate) {
  for (const auto* m : {&numerics::rtam2, &numerics::rtam3, &numerics::p2pc3c3}) {
    Rig rig(oscillator(*m), nothing());
    rig.settings.grid = Grid::of_rate_hz(100);
    rig.settings.sampling = exec::Sampling::stage;
    rig.settings.intermediate_outputs = true;
    rig.run(50);
    const auto& writes = rig.sampler.writes;
    std::int64_t passes = 0;
    for (const auto& r : rig.records) passes += r.passes;
    EXPECT_GE(passes, 50 * m->passes);  // starters may have more
    EXPECT_EQ(std::ssize(writes), passes) << m->name;
    for (const auto& w : writes) {
      // Each at the time it belongs to; the predictor's are of one order less.
      EXPECT_NEAR(w.y[0], std::cos(seconds(w.at - Rig::start)), 2e-5) << m->name;
    }
    EXPECT_EQ(rig.statistics().intermediate_writes.get(), passes - 50) << m->name;
  }
}

TEST(IntermediateOutputs, AreOffByDefault) {
  Rig rig(oscillator(numerics::rtam2), nothing());
  rig.settings.sampling = exec::Sampling::stage;
  rig.run(50);
  EXPECT_EQ(rig.sampler.writes.size(), 50U);
}

// ---- inputs that jump --------------------------------------------------------------------------

double error_after_jump(std::vector<double> jumps, std::int64_t& restarts) {
  Rig rig(numerics::ab3, [](double t) { return t < 0.5 ? 0.0 : 1.0; });
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.jumps = std::move(jumps);
  rig.run(100);
  restarts = rig.statistics().jump_restarts.get();
  double error = 0;
  for (std::size_t n = 50; n < 100; ++n) {
    const double exact = 1 - std::exp(0.5 - seconds(rig.records[n].t));
    error = std::max(error, std::abs(rig.sampler.writes[n].y[0] - exact));
  }
  return error;
}

TEST(Jumps, RestartTheHistoryTheyBreak) {
  std::int64_t without = 0;
  std::int64_t with = 0;
  const double broken = error_after_jump({}, without);
  const double restarted = error_after_jump({0.5}, with);
  EXPECT_EQ(without, 0);
  EXPECT_EQ(with, 1);
  // Of first order in the jump without, of the method's order with it.
  EXPECT_GT(broken, 1e-3);
  EXPECT_LT(restarted, 2e-7);  // 3/8 h^3 t exp(-t)
}

// Downwards as well as upwards; and that the line has a value when the run begins is no jump.
TEST(Jumps, AreOfAnyDirectionAndFromOneStepToTheNext) {
  Rig rig(numerics::ab3, [](double t) { return t < 0.0045 ? 5.0 : 1.0; });
  rig.jumps = {0.5};
  rig.run(4);
  EXPECT_EQ(rig.statistics().jump_restarts.get(), 0);
  Rig jumping(numerics::ab3, [](double t) { return t < 0.0045 ? 5.0 : 1.0; });
  jumping.jumps = {0.5};
  jumping.run(10);
  EXPECT_EQ(jumping.statistics().jump_restarts.get(), 1);
  EXPECT_TRUE(jumping.records[5].starter);
}

// ---- methods with dense results ----------------------------------------------------------------

TEST(DenseResult, SavesAStepAtAStateEvent) {
  Rig rig(model::make_stepper<Ball>(numerics::ode45), nothing());
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.run(60);
  ASSERT_EQ(rig.statistics().state_events.get(), 1);
  EXPECT_EQ(rig.plant.starts.size(), 61U);  // with a step to the event it would be 62
  const double impact = std::sqrt(2 / gravity);
  EXPECT_NEAR(seconds(rig.plant.starts[45]), impact, 2e-9);
  const double since = 0.59 - impact;
  const double speed = gravity * impact / 2;
  EXPECT_NEAR(rig.sampler.writes[59].y[0], speed * since - gravity / 2 * since * since, 1e-7);
}

TEST(LocalError, IsEstimatedEveryStepAndOfTheThirdOrder) {
  double before = 0;
  for (const int rate : {4, 8, 16}) {
    Rig rig(oscillator(numerics::ode45), nothing());
    rig.settings.grid = Grid::of_rate_hz(rate);
    rig.run(2 * rate);
    EXPECT_EQ(rig.statistics().local_error.count(), 2 * rate);
    const double worst = seconds(rig.statistics().local_error.max());
    if (before > 0) {
      EXPECT_NEAR(std::log2(before / worst), 4, 0.2);
    }
    before = worst;
  }
}

// Of rtam-2, by derivatives at four starts of steps: first in the fourth step, of the third.
TEST(LocalError, IsEstimatedOfEveryMethodOnceThereAreDerivativesEnough) {
  Rig rig(oscillator(numerics::rtam2), nothing());
  rig.run(100);
  EXPECT_EQ(rig.statistics().local_error.count(), 97);
  EXPECT_EQ(rig.records[2].error_ppb, 0U);
  EXPECT_GT(rig.records[3].error_ppb, 0U);
  EXPECT_EQ(rig.statistics().inaccurate_steps.get(), 0);
}

TEST(LocalError, BeginsAnewAfterAChangeFromOutside) {
  Rig rig(numerics::rtam2, [](double t) { return 1 + std::sin(t); });
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.sampler.on_call = [&](int call) {
    if (call != 20) return;
    EXPECT_EQ(rig.events.submit(transaction(0, exec::SetParameter{0, 2.0})), exec::Refusal::none);
  };
  rig.run(100);
  EXPECT_EQ(rig.statistics().events_served.get(), 1);
  EXPECT_EQ(rig.statistics().local_error.count(), 100 - 3 - 3);
}

// The ball hits the ground in one step of 60, which is cut there.
TEST(LocalError, LeavesOutAStepThatIsCutByAnEvent) {
  Rig rig(model::make_stepper<Ball>(numerics::rtam2), nothing());
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.run(60);
  ASSERT_EQ(rig.statistics().state_events.get(), 1);
  EXPECT_EQ(rig.statistics().local_error.count(), 60 - 3 - 4);
}

// x' = 1 - x from 0 by forward Euler, at a tenth of a second: the error of a step falls from 0.0229
// of x (0.19 instead of 1 - 0.9 exp(-0.1)) to 0.003 in the tenth. By derivatives at three starts of
// steps: known from the third on, and for longer than a jump takes from the sixth on.
TEST(LocalError, ThatStaysAboveItsLimitIsCounted) {
  Rig rig(numerics::forward_euler, [](double) { return 1.0; });
  rig.settings.grid = Grid::of_rate_hz(10);
  rig.settings.accuracy.limit = 1e-3;
  rig.run(10);
  const exec::Statistics& s = rig.statistics();
  EXPECT_NEAR(1e-9 * rig.records[2].error_ppb, 0.0229, 0.0023);
  EXPECT_EQ(s.inaccurate_steps.get(), 5);
  EXPECT_EQ(s.inaccurate_frame.get(), 9);
  EXPECT_EQ(s.inaccurate_state.get(), 0);
  EXPECT_EQ(s.inaccurate_ppb.get(), rig.records[9].error_ppb);
}

// An input that is held over the step it jumps in: the error is there, and passes.
TEST(LocalError, OfAnInputThatJumpsIsNone) {
  Rig rig(numerics::rtam2, [](double t) { return t < 0.05 ? 1.0 : 3.0; });
  rig.settings.accuracy = {.limit = 1e-4, .stop = true};
  const exec::Outcome outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::duration);
  const auto above = std::ranges::count_if(
      rig.records, [](const auto& r) { return r.frame > 40 && r.error_ppb > 100'000; });
  EXPECT_GT(above, 0);
  EXPECT_LE(above, 4);
  EXPECT_EQ(rig.statistics().inaccurate_steps.get(), 0);
}

TEST(LocalError, EndsARunThatMayNotGoOnWithIt) {
  Rig rig(numerics::forward_euler, [](double) { return 1.0; });
  rig.settings.grid = Grid::of_rate_hz(10);
  rig.settings.accuracy = {.limit = 1e-3, .stop = true};
  const exec::Outcome outcome = rig.run(10);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_EQ(outcome.fault, exec::Fault::inaccurate);
  EXPECT_EQ(outcome.frame, 5);
  EXPECT_EQ(outcome.index, 0U);
  EXPECT_TRUE(outcome.safe);
}

}  // namespace
}  // namespace hild::testing
