// SPDX-License-Identifier: Apache-2.0
/// \file
/// Bernstein's table 1: truncation coefficients of his formula and of the classical one.
#include <gtest/gtest.h>

#include <numeric>

#include "hild/numerics/methods.hpp"
#include "numerics/analysis/truncation.hpp"

namespace hild::analysis {
namespace {

using numerics::Rational;

void compare(const numerics::Method& method, const std::array<Rational, 9>& printed, double sum,
             double root_of_squares, double printed_digit) {
  const Truncation t = truncation(method);
  ASSERT_EQ(t.coefficients.size(), printed.size());
  for (std::size_t i = 0; i < printed.size(); ++i) {
    EXPECT_EQ(t.coefficients[i].exact, printed[i]) << "T_" << i + 1;
  }
  EXPECT_NEAR(t.sum, sum, 0.5e-3);
  EXPECT_NEAR(t.root_of_squares, root_of_squares, 0.5 * printed_digit);
}

TEST(BernsteinTable1, OfTheRealTimeFormula) {
  compare(numerics::rtrk4,
          {Rational(-1, 120), Rational(-1, 240), 0, Rational(-1, 1800), 0, Rational(-1, 1200),
           Rational(-1, 480), Rational(-1, 400), Rational(-1, 3600)},
          0.019, 0.0099, 1e-4);
}

TEST(BernsteinTable1, OfTheClassicalFormula) {
  compare(
      numerics::rk4,
      {Rational(-1, 120), Rational(1, 480), Rational(-1, 240), Rational(-1, 720), Rational(1, 120),
       Rational(-1, 480), Rational(1, 160), Rational(1, 480), Rational(1, 2880)},
      0.035, 0.015, 1e-3);
}

}  // namespace
}  // namespace hild::analysis
