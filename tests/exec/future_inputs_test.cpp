// SPDX-License-Identifier: Apache-2.0
/// Methods that need inputs from the future (Bernstein): inputs held or extrapolated, or the run
/// behind real time with its outputs extrapolated, against a method that needs none.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;

/// The largest error of x' = -x + sin(omega t) in the steady state, at the ticks it is put out at.
double error_of(const numerics::Method& method, Sampling sampling, int degree, int rate,
                double omega) {
  Rig rig(method, [=](double t) { return std::sin(omega * t); });
  rig.settings.grid = Grid::of_rate_hz(rate);
  rig.settings.sampling = sampling;
  rig.settings.extrapolation = degree;
  if (sampling == Sampling::behind) {
    rig.settings.lag = part(rig.settings.grid.period(), method.lag());
  }
  const int settled = 20;  // seconds: exp(-20) is 2e-9
  rig.run((settled + 10) * rate);
  EXPECT_EQ(rig.statistics().late_samples.get(), 0);
  double error = 0;
  for (const auto& write : rig.sampler.writes) {
    const double t = seconds(write.at - Rig::start);
    if (t < settled) continue;
    const double exact = (std::sin(omega * t) - omega * std::cos(omega * t)) / (1 + omega * omega);
    error = std::max(error, std::abs(write.y[0] - exact));
  }
  return error;
}

double order(Sampling sampling, int degree) {
  const double coarse = error_of(numerics::rk4, sampling, degree, 20, 3);
  const double fine = error_of(numerics::rk4, sampling, degree, 40, 3);
  return std::log2(coarse / fine);
}

// An input held is wrong by h; each degree gains an order, until the method's own is reached.
TEST(Extrapolated, InputsGiveOneOrderMoreThanTheirDegree) {
  EXPECT_NEAR(order(Sampling::extrapolate, 0), 1, 0.2);
  EXPECT_NEAR(order(Sampling::extrapolate, 1), 2, 0.3);
  EXPECT_GT(order(Sampling::extrapolate, 2), 2.7);
}

// y = u = t at the end of a step is beyond every image: it is what stands for the input then, and
// that of the last pass where nothing is carried on.
TEST(Extrapolated, InputsReachTheOutputsOfTheTick) {
  for (const auto sampling : {Sampling::stage, Sampling::frame}) {
    for (const int degree : {0, 1, 3}) {
      Rig rig(model::make_stepper<Tracker>(numerics::rtrk2), [](double t) { return t; });
      rig.settings.sampling = sampling;
      rig.settings.extrapolation = degree;
      rig.run(12);
      const double missing = degree > 0 ? 0 : sampling == Sampling::stage ? 0.5e-3 : 1e-3;
      for (std::size_t n = 5; n < 12; ++n) {
        EXPECT_NEAR(rig.sampler.writes[n].y[1], 1e-3 * static_cast<double>(n) - missing, 1e-13)
            << n;
      }
    }
  }
}

TEST(Behind, OutputsGiveOneOrderMoreThanTheirDegree) {
  EXPECT_NEAR(order(Sampling::behind, 0), 1, 0.2);
  EXPECT_NEAR(order(Sampling::behind, 1), 2, 0.3);
  EXPECT_NEAR(order(Sampling::behind, 2), 3, 0.3);
}

TEST(Behind, SamplesWhereThePassesAre) {
  Rig rig(numerics::rk4, [](double) { return 0.0; });
  rig.settings.sampling = Sampling::behind;
  rig.settings.lag = part(1_ms, numerics::rk4.lag());
  EXPECT_EQ(rig.settings.lag, Duration(250_us));
  rig.run(10);
  // Of pass 0 the sample of 3/4 before; passes 1 and 2 at 1/4; pass 3 at 3/4 of the frame.
  for (int n = 0; n < 10; ++n) {
    const auto first = static_cast<std::size_t>(3 * n);
    EXPECT_EQ(rig.sampler.reads[first], frame_time(n));
    EXPECT_EQ(rig.sampler.reads[first + 1], frame_time(n + 0.25));
    EXPECT_EQ(rig.sampler.reads[first + 2], frame_time(n + 0.75));
  }
}

// x' = u = t: both the state and the input shown are what they are at the tick they are put out at,
// since a quadratic carried on is itself. A lag of the wrong sign or size, at whichever end of it,
// leaves them a part of a frame away.
TEST(Behind, OutputsAreThoseOfTheirTick) {
  for (const int degree : {1, 2}) {
    Rig rig(model::make_stepper<Tracker>(numerics::rk4), [](double t) { return t; });
    rig.settings.sampling = Sampling::behind;
    rig.settings.lag = part(1_ms, numerics::rk4.lag());
    rig.settings.extrapolation = degree;
    rig.run(40);
    const auto& writes = rig.sampler.writes;
    ASSERT_EQ(writes.size(), 40U);
    for (std::size_t n = 10; n < writes.size(); ++n) {
      const double t = 1e-3 * static_cast<double>(n);
      EXPECT_EQ(writes[n].at, frame_time(static_cast<double>(n)));
      EXPECT_NEAR(writes[n].y[1], t, 1e-13) << n;
      if (degree < 2) continue;
      const double last = t - 1e-3;
      EXPECT_NEAR(writes[n].y[0] - writes[n - 1].y[0], (t * t - last * last) / 2, 1e-15) << n;
    }
  }
}

// Backward Euler takes its input at the end of its step, which is the tick: u = t^2 is that of the
// tick.
TEST(Behind, APassReleasedAtTheTickTakesWhatBelongsThere) {
  Rig rig(model::make_stepper<Tracker>(numerics::backward_euler), [](double t) { return t * t; });
  rig.settings.sampling = Sampling::behind;
  rig.settings.lag = 1_ms;
  rig.run(20);
  double x = 0;
  for (int n = 0; n < 20; ++n) x += 1e-3 * 1e-6 * n * n;
  EXPECT_NEAR(rig.plant.states()[0], x, 1e-18);
  EXPECT_EQ(rig.statistics().late_samples.get(), 0);
}

// An input that is made belongs to the same instants as one that is sampled.
TEST(Behind, StimuliAreThoseOfTheirTick) {
  SteeringRig rig(numerics::rk4, [](double) { return 0.0; });
  rig.settings.sampling = Sampling::behind;
  rig.settings.lag = part(1_ms, numerics::rk4.lag());
  rig.settings.extrapolation = 2;
  rig.at[1] = [&] {
    rig.post(
        transaction(1, exec::Stimulus{.shape = exec::Shape::ramp, .amplitude = 1, .over = 1_s}));
  };
  rig.run(40);
  for (std::size_t n = 12; n < rig.sampler.writes.size(); ++n) {
    const double tau = 1e-3 * static_cast<double>(n) - 2e-3;
    EXPECT_NEAR(rig.sampler.writes[n].y[1], tau, 1e-13) << n;
    // What the first pass is given lies a lag before.
    EXPECT_NEAR(rig.steps[n].inputs[0], tau - 0.25e-3, 1e-13) << n;
  }
}

// Also of a method whose only pass lies where the tick is.
TEST(Behind, StimuliOfAPassReleasedAtTheTickAreThoseOfTheTick) {
  SteeringRig rig(numerics::backward_euler, [](double) { return 0.0; });
  rig.settings.sampling = Sampling::behind;
  rig.settings.lag = 1_ms;
  rig.at[1] = [&] {
    rig.post(
        transaction(1, exec::Stimulus{.shape = exec::Shape::ramp, .amplitude = 1, .over = 1_s}));
  };
  rig.run(20);
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    const double tau = 1e-3 * std::max(static_cast<double>(n) - 2, 0.0);
    EXPECT_NEAR(rig.steps[n].inputs[0], tau, 1e-15) << n;
  }
}

// At equal cost: five passes take a step 1.25 times as long. At every frequency RK-4 loses more by
// its inputs than it gains by the shorter step.
TEST(Bernstein, RecommendsTheMethodThatNeedsNoFuture) {
  for (const double omega : {0.5, 1.0, 2.0, 4.0, 8.0}) {
    const double proposed = error_of(numerics::rtrk4, Sampling::stage, 0, 20, omega);
    EXPECT_LT(proposed, 0.1 * error_of(numerics::rk4, Sampling::extrapolate, 0, 25, omega))
        << omega;
    EXPECT_LT(proposed, error_of(numerics::rk4, Sampling::extrapolate, 1, 25, omega)) << omega;
    EXPECT_LT(proposed, error_of(numerics::rk4, Sampling::extrapolate, 2, 25, omega)) << omega;
    EXPECT_LT(proposed, error_of(numerics::rk4, Sampling::behind, 1, 25, omega)) << omega;
    EXPECT_LT(proposed, error_of(numerics::rk4, Sampling::behind, 2, 25, omega)) << omega;
  }
}

}  // namespace
}  // namespace hild::testing
