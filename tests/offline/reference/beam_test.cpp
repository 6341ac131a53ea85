// SPDX-License-Identifier: Apache-2.0
/// \file
/// Jack's test problem, the flexible beam: against the listing of the paper, and against the
/// exponential of its matrix.
#include "offline/reference/beam.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <unsupported/Eigen/MatrixFunctions>

#include "offline/reference/jack_listing.hpp"
#include "offline/reference/problems.hpp"

namespace hild::test {
namespace {

using reference::Adaptive;
using reference::FormulaKind;

constexpr double interval = 0.01;  // `step` of rk_test
constexpr double eps = 1e-9;

Vector at_rest_but_the_first() {
  Vector y(18, 0.0);
  y[9] = 1.0;
  return y;
}

// rk_test: from interval to interval, each begun with a twentieth of it. The listing steps by h,
// Jack by what t + h - t leaves of it: a rounding of 1e-11 of a step, which moves a few of the
// steps that are close to being refused.
TEST(Beam, TakesTheStepsOfThePapersListing) {
  Beam beam;
  listing::Listing listing{beam};
  listing::Array y{};
  y[9] = 1.0;
  auto options = with(FormulaKind::jack, eps, eps * 1e-30);
  options.first_step = interval * 0.05;
  Adaptive a(beam, options);
  Vector x = at_rest_but_the_first();
  for (int n = 0; n < 100; ++n) {
    const double t = n * interval;
    ASSERT_TRUE(listing.rk_odeint(y, 18, t, t + interval, eps, interval * 0.05));
    ASSERT_TRUE(a.start(t, x));
    ASSERT_TRUE(advance(a, t + interval));
    x = state_of(a);
    const double steps = listing.nok + listing.nbad;
    ASSERT_NEAR(static_cast<double>(a.counts().accepted), steps, n == 0 ? 0 : 3e-3 * steps) << t;
    for (std::size_t i = 0; i < 18; ++i) {
      ASSERT_NEAR(x[i], y[i], 1e-9 * std::max(1.0, std::abs(y[i]))) << i << " at " << t;
    }
  }
  EXPECT_GT(listing.nbad, 0);
  EXPECT_GT(listing.nok, 1000);
}

// With the sine made straight the beam is linear: y(t) = exp(A t) y(0).
TEST(Beam, MadeLinearFollowsTheMatrixExponential) {
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(18, 18);
  for (int i = 0; i < 9; ++i) {
    const auto row = static_cast<std::size_t>(i);
    matrix(9 + i, i) = 1;
    for (int j = 0; j < 9; ++j)
      matrix(i, 9 + j) = Beam::stiffness[row][static_cast<std::size_t>(j)];
    matrix(i, 9) += Beam::drive[row];
  }
  const Vector start = at_rest_but_the_first();
  Eigen::VectorXd exact = Eigen::Map<const Eigen::VectorXd>(start.data(), 18);
  const Eigen::MatrixXd over_interval = (matrix * 0.05).exp();
  for (const auto kind : both_formulas) {
    Beam beam(true);
    Adaptive a(beam, with(kind, 1e-10, 1e-12));
    ASSERT_TRUE(a.start(0, start));
    Eigen::VectorXd y = exact;
    for (int n = 1; n <= 20; ++n) {
      ASSERT_TRUE(advance(a, n * 0.05));
      y = over_interval * y;
      for (std::size_t i = 9; i < 18; ++i) {
        EXPECT_NEAR(a.state()[i], y(static_cast<int>(i)), 2e-7) << i << " at " << n * 0.05;
      }
    }
  }
}

// The beam as it is, against fixed steps of a hundredth of its fastest period.
TEST(Beam, FollowsMuchFinerFixedSteps) {
  Beam beam;
  Adaptive a(beam, with(FormulaKind::jack, 1e-9, 1e-11));
  ASSERT_TRUE(a.start(0, at_rest_but_the_first()));
  ASSERT_TRUE(advance(a, 1));
  const Vector fine = fixed_rk4(beam, 0, at_rest_but_the_first(), 2e-5, 50'000);
  for (std::size_t i = 9; i < 18; ++i) EXPECT_NEAR(a.state()[i], fine[i], 1e-6) << i;
}

}  // namespace
}  // namespace hild::test
