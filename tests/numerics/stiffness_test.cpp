// SPDX-License-Identifier: Apache-2.0
/// Stability: the functions R(mu) of x' = lambda x, mu = lambda h, and what a wrong Jacobian does.
#include <gtest/gtest.h>

#include "numerics/stiff.hpp"

namespace hild::numerics {
namespace {

using test::growth;
using test::Linear;

constexpr double h = 1e-3;

Linear exactly(double mu) { return {mu / h, mu / h}; }

TEST(Stability, OfLibeIsThatOfBackwardEuler) {
  for (const double mu : {-1e9, -1000.0, -3.0, -1.0, -0.1, 0.0, 0.5, 3.0}) {
    for (const Method* m : {&libe, &backward_euler_1, &backward_euler, &backward_euler_5}) {
      EXPECT_NEAR(growth(*m, exactly(mu)), 1 / (1 - mu), 4e-16) << m->name << " " << mu;
    }
  }
}

// R(mu) = (1 + mu/3) / (1 - 2 mu/3 + mu^2/6): Pade's approximation (1, 2) of exp.
TEST(Stability, OfRadauIIAIsPades) {
  for (const double mu : {-1e6, -1000.0, -3.0, -1.0, -0.1, 0.0, 0.5}) {
    const double pade = (1 + mu / 3) / (1 - 2 * mu / 3 + mu * mu / 6);
    for (const Method* m : {&linear_radau_iia, &radau_iia}) {
      EXPECT_NEAR(growth(*m, exactly(mu)), pade, 1e-13) << m->name << " " << mu;
    }
  }
}

TEST(Stability, IsLStable) {
  for (const Method* m : test::implicit_methods()) {
    double before = 1;
    for (double mu = -10; mu > -1e12; mu *= 10) {
      const double now = std::abs(growth(*m, exactly(mu)));
      EXPECT_LT(now, before) << m->name << " " << mu;
      EXPECT_LT(now, 3 / -mu) << m->name << " " << mu;
      before = now;
    }
  }
}

// With J = (1 - e) lambda, LIBE has R = 1 + mu / (1 - (1 - e) mu). For mu < 0 it is stable while
// -mu <= 2 (1 - (1 - e) mu), that is for e <= 1/2 always and else up to -mu = 2 / (2 e - 1).
TEST(Stability, OfLibeUnderAWrongJacobianEndsWhereDerived) {
  for (double e = -1; e <= 1.001; e += 0.05) {
    for (double mu = -0.01; mu > -1e5; mu *= 1.1) {
      const double limit = e <= 0.5 ? INFINITY : 2 / (2 * e - 1);
      if (std::abs(-mu / limit - 1) < 1e-6 || std::abs(e - 0.5) < 1e-6) continue;
      const double r = growth(libe, {mu / h, (1 - e) * mu / h});
      EXPECT_EQ(std::abs(r) <= 1, -mu < limit) << "error " << e << ", mu " << mu;
    }
  }
}

// One iteration multiplies the error of a stage by e mu / ((1 - e) mu - 1): a Jacobian right to a
// tenth comes within a ninth of it, however stiff.
TEST(Stability, OfBackwardEulerUnderAWrongJacobianImprovesWithIterations) {
  constexpr double e = 0.1;
  for (const double mu : {-1.0, -1e3, -1e6}) {
    const double exact = 1 / (1 - mu);
    const double factor = std::abs(e * mu / ((1 - e) * mu - 1));
    double expected = std::abs(1 - exact);
    int done = 0;
    for (const Method* m : {&backward_euler_1, &backward_euler_2, &backward_euler}) {
      for (; done < m->iterations; ++done) expected *= factor;
      const double r = growth(*m, {mu / h, (1 - e) * mu / h});
      EXPECT_NEAR(std::abs(r - exact), expected, 1e-9 * expected + 1e-15) << m->name << " " << mu;
    }
  }
}

// 1 - mu = 0: there is no such step.
TEST(Stability, ASingularStepIsNotANumber) {
  EXPECT_TRUE(std::isnan(growth(libe, {1024.0, 1024.0}, Duration{976'562})) ||
              std::abs(growth(libe, {1024.0, 1024.0}, Duration{976'562})) > 1e5);
  EXPECT_TRUE(std::isnan(growth(libe, {1.0, 1.0}, 1_s)));
}

// x' = -50 (x - cos t), far beyond forward Euler's 2/50, with x(0) = 0.
TEST(Stiff, FollowsCosine) {
  const auto error = [](const Method& m, Duration step) {
    ImplicitStep kernel{Static<1>{}, Chosen(m)};
    const auto f = [](int, double t, auto x, auto dx, Jacobian j) {
      dx[0] = -50 * (x[0] - std::cos(t));
      j(0, 0) = -50;
    };
    SimTime t{};
    for (; t < SimTime{} + Duration(3_s); t += step) test::advance(kernel, t, step, f);
    const double end = seconds(t);
    const double exact = (2500 * std::cos(end) + 50 * std::sin(end)) / 2501;
    return std::abs(kernel.state()[0] - exact);
  };
  EXPECT_LT(error(backward_euler, 100_ms), 2e-3);
  EXPECT_LT(error(radau_iia, 100_ms), 2e-5);
}

}  // namespace
}  // namespace hild::numerics
