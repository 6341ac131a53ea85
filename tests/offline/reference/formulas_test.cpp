// SPDX-License-Identifier: Apache-2.0
/// \file
/// The formulas themselves, without control: orders, and the numbers Huang's paper prints.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "offline/reference/formula.hpp"
#include "offline/reference/problems.hpp"

namespace hild::test {
namespace {

using reference::FormulaKind;

// ---- Huang's table 1 ---------------------------------------------------------------------------

Problem propulsion() {
  return {1, [](double t, auto y, auto dy) {
            dy[0] = -10 * y[0] * y[0] + 1 + std::sin(2 * std::numbers::pi * t);
          }};
}

struct Errors {
  double mean = 0;
  double most = 0;
};

/// Over 5 s in steps of h, at t_n + theta h.
Errors errors(double h, double theta) {
  auto problem = propulsion();
  const auto formula = reference::make_ode45(problem, {});
  formula->start(0, Vector{0});
  Errors e;
  const int steps = static_cast<int>(std::lround(5 / h));
  Vector exact{0};
  double t = 0;
  auto fine = propulsion();
  for (int n = 0; n < steps; ++n) {
    (void)formula->attempt((n + 1) * h, h);
    formula->accept();
    Vector y(1);
    formula->within(theta, y);
    const double at = (n + theta) * h;
    exact = fixed_rk4(fine, t, exact, (at - t) / 200, 200);
    t = at;
    e.mean += std::abs(y[0] - exact[0]) / steps;
    e.most = std::max(e.most, std::abs(y[0] - exact[0]));
  }
  return e;
}

// The paper computed in single precision, which is some 1e-7 here.
TEST(Huang, ErrorsAreThoseOfTable1) {
  struct Row {
    double theta, mean_005, most_005, mean_01, most_01;
  };
  for (const Row& r : {Row{0.2, 4.2492281e-06, 2.2784933e-05, 7.4290578e-05, 3.4501728e-04},
                       Row{0.4, 1.5611003e-05, 6.5212591e-05, 2.7106502e-04, 9.8638636e-04},
                       Row{0.6, 2.4390665e-05, 9.3083254e-05, 4.2596347e-04, 1.4065046e-03},
                       Row{0.8, 2.0996711e-05, 7.8369209e-05, 3.6732462e-04, 1.1773955e-03},
                       Row{1.0, 3.5106874e-06, 1.0943352e-05, 7.2971982e-05, 2.3392433e-04}}) {
    EXPECT_NEAR(errors(0.05, r.theta).mean, r.mean_005, 3e-7) << r.theta;
    EXPECT_NEAR(errors(0.05, r.theta).most, r.most_005, 6e-7) << r.theta;
    EXPECT_NEAR(errors(0.1, r.theta).mean, r.mean_01, 1e-6) << r.theta;
    EXPECT_NEAR(errors(0.1, r.theta).most, r.most_01, 2e-6) << r.theta;
  }
}

// ---- orders ------------------------------------------------------------------------------------

/// A nonlinear problem with y = exp(sin t) and z = 1 / (1 + y), from where nothing is even or odd.
Problem mixed() {
  return {2, [](double t, auto y, auto dy) {
            dy[0] = std::cos(t) * y[0];
            dy[1] = -y[1] * y[1] * y[0] * std::cos(t);
          }};
}
Vector mixed_at(double t) {
  const double y = std::exp(std::sin(t));
  return {y, 1 / (1 + y)};
}
constexpr double from = 0.7;

struct OneStep {
  double error_estimate, error, error_within;
};

OneStep one_step(FormulaKind kind, double h) {
  auto problem = mixed();
  const auto formula = reference::make_formula(kind, problem, {.relative = 0, .absolute = 1});
  formula->start(from, mixed_at(from));
  const auto trial = formula->attempt(from + h, h);
  formula->accept();
  OneStep o{trial.error, 0, 0};
  Vector y(2);
  for (const double theta : {0.13, 0.3, 0.45, 0.7, 0.9, 1.0}) {
    formula->within(theta, y);
    const Vector exact = mixed_at(from + theta * h);
    const double e = std::hypot(y[0] - exact[0], y[1] - exact[1]);
    (theta == 1 ? o.error : o.error_within) = theta == 1 ? e : std::max(o.error_within, e);
  }
  return o;
}

TEST(Orders, OfTheStepItsEstimateAndTheResultsWithin) {
  struct Expected {
    FormulaKind kind;
    double estimate, step, within;  ///< powers of h of the error of one step
  };
  for (const Expected& x :
       {Expected{FormulaKind::jack, 5, 6, 6}, Expected{FormulaKind::ode45, 4, 5, 4}}) {
    const auto coarse = one_step(x.kind, 0.04);
    const auto fine = one_step(x.kind, 0.02);
    EXPECT_NEAR(std::log2(coarse.error_estimate / fine.error_estimate), x.estimate, 0.2);
    EXPECT_NEAR(std::log2(coarse.error / fine.error), x.step, 0.4);
    EXPECT_NEAR(std::log2(coarse.error_within / fine.error_within), x.within, 0.4);
  }
}

// Errors of order p + 1 ask for the root p + 1; what was refused is, in the paper, the local error
// of the formula itself.
TEST(Steps, GrowAndShrinkByTheRootsOfTheError) {
  auto problem = mixed();
  const auto jack = reference::make_jack(problem, {});
  EXPECT_DOUBLE_EQ(jack->grown(2, std::pow(2, -5)), 2 * 0.9 * 2);
  EXPECT_DOUBLE_EQ(jack->grown(2, 5e-4), 2 * 4) << "below errcon";
  EXPECT_DOUBLE_EQ(jack->shrunk(2, 16), 2 * 0.9 / 2);
  const auto pair = reference::make_ode45(problem, {});
  EXPECT_DOUBLE_EQ(pair->grown(2, 1.0 / 16), 2 * 0.9 * 2);
  EXPECT_DOUBLE_EQ(pair->grown(2, 0), 2 * 5);
  EXPECT_DOUBLE_EQ(pair->shrunk(2, 16), 2 * 0.9 / 2);
  EXPECT_DOUBLE_EQ(pair->shrunk(2, 1e9), 2 * 0.2);
}

// The estimate of step-doubling is the error of the halves, fifteen times over.
TEST(Jack, EstimatesTheErrorItTakesOff) {
  // y' = 5 t^4: whole and halves are wrong by known amounts. Simpson's rule over h is 25/24 h^5
  // too large by h^5/24; over two halves by a sixteenth of that.
  Problem power(1, [](double t, auto, auto dy) { dy[0] = 5 * std::pow(t, 4); });
  const auto jack = reference::make_jack(power, {.relative = 0, .absolute = 1});
  jack->start(0, Vector{0});
  const auto trial = jack->attempt(1, 1);
  EXPECT_NEAR(trial.error, (1.0 / 24) * (15.0 / 16), 1e-14);
  jack->accept();
  EXPECT_NEAR(jack->state()[0], 1, 1e-14) << "of fifth order: exact";
  Vector y(1);
  for (const double theta : {0.1, 0.25, 0.5, 0.8}) {
    jack->within(theta, y);
    EXPECT_NEAR(y[0], std::pow(theta, 5), 1e-14) << "of fifth degree: exact";
  }
}

}  // namespace
}  // namespace hild::test
