// SPDX-License-Identifier: Apache-2.0
/// Jacobians by dual numbers and by differences against derivatives worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "hild/numerics/differences.hpp"
#include "hild/numerics/dual.hpp"

namespace hild::numerics {
namespace {

using D = Dual<2>;

D variable(double value, std::size_t i) {
  D d(value);
  d.d[i] = 1;
  return d;
}

TEST(Dual, DifferentiatesArithmetic) {
  const D x = variable(3, 0);
  const D y = variable(-2, 1);
  const D f = (x * y - 4.0) / (x + 1.0) - y;  // (xy - 4)/(x + 1) - y
  EXPECT_DOUBLE_EQ(f.value, -10.0 / 4 + 2);
  EXPECT_DOUBLE_EQ(f.d[0], (-2.0 * 4 - -10.0) / 16);
  EXPECT_DOUBLE_EQ(f.d[1], 3.0 / 4 - 1);
  D g = x;
  g += y;
  g *= x;
  g -= 1.0;
  g /= y;  // (x^2 + xy - 1)/y
  EXPECT_DOUBLE_EQ(g.value, -1);
  EXPECT_DOUBLE_EQ(g.d[0], (2 * 3.0 - 2) / -2);
  EXPECT_DOUBLE_EQ(g.d[1], -(9.0 - 1) / 4);
  EXPECT_TRUE(y < x && x == 3.0 && -y > 1.0);
}

TEST(Dual, DifferentiatesElementaryFunctions) {
  const double v = 0.7;
  const D x = variable(v, 1);
  const auto expect = [](const D& f, double value, double slope) {
    EXPECT_DOUBLE_EQ(f.value, value);
    EXPECT_DOUBLE_EQ(f.d[1], slope);
    EXPECT_EQ(f.d[0], 0);
  };
  expect(sin(x), std::sin(v), std::cos(v));
  expect(cos(x), std::cos(v), -std::sin(v));
  expect(tan(x), std::tan(v), 1 / (std::cos(v) * std::cos(v)));
  expect(atan(x), std::atan(v), 1 / 1.49);
  expect(tanh(x), std::tanh(v), 1 / (std::cosh(v) * std::cosh(v)));
  expect(exp(x), std::exp(v), std::exp(v));
  expect(log(x), std::log(v), 1 / v);
  expect(sqrt(x), std::sqrt(v), 0.5 / std::sqrt(v));
  expect(pow(x, 3), v * v * v, 3 * v * v);
  expect(abs(-x), v, 1);
}

/// dx_i = sin(x_{i-1}) + 10 x_i^2 - x_{i+1} x_i, a chain of seven.
void chain(std::span<const double> x, std::span<double> dx) {
  for (std::size_t i = 0; i < 7; ++i) {
    dx[i] = 10 * x[i] * x[i];
    if (i > 0) dx[i] += std::sin(x[i - 1]);
    if (i < 6) dx[i] -= x[i + 1] * x[i];
  }
}

void compare_differences(const Structure& s, int evaluations) {
  const std::array<double, 7> x{0.3, -1e3, 0, 1e-9, 5, -0.2, 7};
  std::array<double, 7> f{}, moved{}, there{};
  std::array<double, 7> ones{1, 1, 1, 1, 1, 1, 1};
  std::array<double, 49> values{};
  Jacobian j(values.data(), 7, s);
  int calls = 0;
  chain(x, f);
  const auto counted = [&](std::span<const double> at, std::span<double> dx) {
    ++calls;
    chain(at, dx);
  };
  differences(counted, x, f, ones, moved, there, j);
  EXPECT_EQ(calls, evaluations);
  // What is lost: rounding of f over what the state is moved by, and half of f'' (at most 20) times
  // that.
  const auto lost = [&](std::size_t i, std::size_t k) {
    const double by = moved_by(x[k], 1e-3);
    return 1e-15 * std::abs(f[i]) / by + 11 * by;
  };
  for (std::size_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(j(i, i), 20 * x[i] - (i < 6 ? x[i + 1] : 0), lost(i, i)) << i;
    if (i > 0) {
      EXPECT_NEAR(j(i, i - 1), std::cos(x[i - 1]), lost(i, i - 1)) << i;
    }
    if (i < 6) {
      EXPECT_NEAR(j(i, i + 1), -x[i], lost(i, i + 1)) << i;
    }
  }
}

// What is divided by is what the state was moved by, and not what it was to be moved by.
TEST(Differences, AreExactWhereStatesAreTheirOwnDerivatives) {
  const std::array<double, 4> x{0.3, -7.1, 1e5 / 3, 1e-9};
  std::array<double, 4> moved{}, there{};
  std::array<double, 16> values{};
  Jacobian j(values.data(), 4, dense);
  differences([](std::span<const double> at,
                 std::span<double> dx) { std::copy(at.begin(), at.end(), dx.begin()); },
              x, x, std::array{1.0, 1.0, 1.0, 1.0}, moved, there, j);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(j(i, k), i == k ? 1 : 0) << i << " " << k;
  }
}

// A charge of picocoulombs on a capacitor, q' = -q / (R C) - (q / q0)^2 A: moved as if it were of
// some 1 C it would be of another size, where the square says all.
TEST(Differences, MoveAStateByItsUsualSize) {
  const double q0 = 1e-12;
  const auto f = [&](std::span<const double> x, std::span<double> dx) {
    dx[0] = -x[0] / 1e-3 - x[0] / q0 * (x[0] / q0) * 1e-9;
  };
  const std::array<double, 1> x{0};
  std::array<double, 1> dx{}, moved{}, there{}, value{};
  f(x, dx);
  Jacobian j(value.data(), 1, dense);
  differences(f, x, dx, std::array{q0}, moved, there, j);
  EXPECT_NEAR(value[0], -1e3, 1e-4);
  differences(f, x, dx, std::array{1.0}, moved, there, j);
  EXPECT_LT(value[0], -1e4) << "which is why";
}

TEST(Differences, CostAnEvaluationAColumnOrOneForEachOfABand) {
  compare_differences(dense, 7);
  compare_differences(tridiagonal, 3);
  compare_differences(banded(1, 2), 4);
}

}  // namespace
}  // namespace hild::numerics
