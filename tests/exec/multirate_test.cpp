// SPDX-License-Identifier: Apache-2.0
/// Plants of several rates in the loop: minor steps at their releases, late samples, doubled and
/// frozen steps, against the step written out by hand and an exact solution.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/partitioned.hpp"
#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;
using Reads = std::vector<MonoTime>;

/// AB-2 with four fast steps to a slow one, the slow state on its line in between, by hand.
class ByHand {
 public:
  double x = 1;
  double y = 0;

  void frame(double t, double h, double (*u)(double)) {
    const double before = slope_y_;
    const double slope = Partitioned::slow(x, y);
    const double line = weighted(slope, h, last_y_, spacing_y_);
    for (int j = 0; j < fast_steps; ++j) {
      const double minor = h / fast_steps;
      const double seen = y + j * minor * before;
      const double at = t + j * minor;
      const double f = Partitioned::fast(at, x, seen, u(at));
      x += minor * weighted(f, minor, last_x_, spacing_x_);
    }
    y += h * line;
    slope_y_ = line;
  }

 private:
  // (1 + r/2) f_n - r/2 f_{n-1}, r the ratio of the spacings; f_n where there is no f_{n-1}.
  static double weighted(double f, double h, double& last, double& spacing) {
    const double r = spacing > 0 ? h / spacing : 0;
    const double value = f + r / 2 * (f - last);
    last = f;
    spacing = h;
    return value;
  }
  double last_x_ = 0, last_y_ = 0, spacing_x_ = 0, spacing_y_ = 0, slope_y_ = 0;
};

double ramp(double t) { return 2 - 3 * t; }

void expect_by_hand(const Rig& rig, double (*u)(double)) {
  ByHand hand;
  for (std::size_t n = 0; n < rig.plant.starts.size(); ++n) {
    const SimTime end = rig.plant.starts[n] + rig.plant.lengths[n];
    hand.frame(seconds(rig.plant.starts[n]), seconds(rig.plant.lengths[n]), u);
    // What was computed for the end of the step is written with the next one.
    if (n + 1 == rig.sampler.writes.size()) break;
    const auto& y = rig.sampler.writes[n + 1].y;
    ASSERT_NEAR(y[0], hand.x, 1e-11) << "fast at " << seconds(end);
    ASSERT_NEAR(y[1], hand.y, 1e-11) << "slow at " << seconds(end);
  }
}

// ---- minor steps -------------------------------------------------------------------------------

TEST(MultirateInTheLoop, SamplesAtTheReleasesOfItsMinorSteps) {
  Rig rig(partitioned(carried_on), ramp);
  rig.settings.sampling = Sampling::stage;
  rig.plant.pass_cost = 100_us;
  rig.run(2);
  EXPECT_EQ(rig.sampler.reads,
            (Reads{frame_time(0), frame_time(0.25), frame_time(0.5), frame_time(0.75),
                   frame_time(1), frame_time(1.25), frame_time(1.5), frame_time(1.75)}));
  EXPECT_EQ(rig.clock.sleeps(), 8);
  EXPECT_EQ(rig.pass_costs[1], (std::vector<Duration>(4, 100_us)));
}

TEST(MultirateInTheLoop, TakesTheSampleOfEachMinorStep) {
  Rig rig(partitioned(carried_on), driving);
  rig.settings.sampling = Sampling::stage;
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.run(100);
  expect_by_hand(rig, driving);
}

TEST(MultirateInTheLoop, HoldsTheSampleOfTheTickUnderFrameSampling) {
  Rig rig(partitioned(carried_on), driving);
  rig.settings.grid = Grid::of_rate_hz(100);
  rig.run(100);
  EXPECT_EQ(rig.sampler.calls, 100);
  expect_by_hand(rig, [](double t) { return driving(std::floor(100 * t + 1e-9) / 100); });
}

// The second pass finds its release and the third's gone by; the fourth is in time again.
TEST(MultirateInTheLoop, BringsLateSamplesBackToTheirMinorSteps) {
  Rig rig(partitioned(carried_on), ramp);
  rig.settings.sampling = Sampling::stage;
  rig.plant.pass_cost = 10_us;
  rig.plant.extra[5] = 590_us;
  rig.run(12);
  const Reads step(rig.sampler.reads.begin() + 20, rig.sampler.reads.begin() + 24);
  EXPECT_EQ(step, (Reads{frame_time(5), frame_time(5.6), frame_time(5.61), frame_time(5.75)}));
  EXPECT_EQ(rig.statistics().late_samples.get(), 2);
  EXPECT_EQ(rig.statistics().overruns.get(), 0);
  expect_by_hand(rig, ramp);  // lines through samples are exact for a ramp
}

// ---- doubled steps -----------------------------------------------------------------------------

TEST(MultirateInTheLoop, TakesADoubledStepByTheWeightsOfItsSpacing) {
  for (const auto sampling : {Sampling::frame, Sampling::stage}) {
    const auto input = sampling == Sampling::frame ? [](double) { return 5.0; } : ramp;
    Rig rig(partitioned(carried_on), input);
    rig.settings.sampling = sampling;
    rig.plant.extra[7] = 2'300_us;
    rig.plant.extra[20] = 2'300_us;
    rig.run(40);
    EXPECT_EQ(rig.statistics().doubled_steps.get(), 2);
    EXPECT_EQ(rig.plant.lengths[8], 2_ms);
    expect_by_hand(rig, input);
  }
}

double error_with_overruns(const model::Multirate& rates, std::int64_t rate) {
  Rig rig(partitioned(rates), driving);
  rig.settings.sampling = Sampling::stage;
  rig.settings.grid = Grid::of_rate_hz(rate);
  const Duration frame = rig.settings.grid.period();
  rig.plant.extra_of = [=](std::int64_t step) {
    return step % 10 == 5 ? part(frame, 2.3) : Duration{};
  };
  rig.run(2 * rate);
  EXPECT_GT(rig.statistics().doubled_steps.get(), rate / 10);
  double error = 0;
  for (std::size_t n = 0; n < rig.records.size(); ++n) {
    const double t = seconds(rig.records[n].t);
    for (const std::size_t i : {0U, 1U}) {
      error = std::max(error, std::abs(rig.sampler.writes[n].y[i] - exact_solution(t)[i]));
    }
  }
  return error;
}

TEST(MultirateInTheLoop, KeepsItsOrderThroughDoubledSteps) {
  for (const auto& rates : {held, carried_on, mixed}) {
    const double coarse = error_with_overruns(rates, 80);
    const double fine = error_with_overruns(rates, 320);
    const int order = rates.method().order;
    EXPECT_NEAR(std::log2(coarse / fine) / 2, order, 0.25) << coarse << " -> " << fine;
  }
}

// ---- held and resumed --------------------------------------------------------------------------

// Simulated time stands still, and with it the derivatives of the step before.
TEST(MultirateInTheLoop, GoesOnAfterAFreezeAsIfThereHadBeenNone) {
  SteeringRig rig(partitioned(carried_on), [](double) { return 5.0; });
  rig.settings.sampling = Sampling::stage;
  rig.at[9] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.sampler.on_call = [&](int call) {
    if (call == 44) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 56) rig.post(transaction(3, exec::Resume{}));
  };
  rig.run(40);
  ByHand hand;
  int frozen = 0;
  for (const auto& step : rig.steps) {
    if (step.header.frozen) ++frozen;
    const double t = seconds(step.header.t);
    if (!step.header.frozen) hand.frame(t, 1e-3, [](double) { return 5.0; });
    ASSERT_NEAR(step.states[0], hand.x, 1e-12) << step.header.step;
    ASSERT_NEAR(step.states[1], hand.y, 1e-12) << step.header.step;
  }
  EXPECT_GT(frozen, 4);
  EXPECT_LT(frozen, 20);
  EXPECT_EQ(rig.steps.back().header.t.ns, (39 - frozen) * 1'000'000);
}

}  // namespace
}  // namespace hild::testing
