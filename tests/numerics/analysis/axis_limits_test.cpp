// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where Howe's predictor-correctors leave the axes (figures 1 to 4): his equations with F = mu X
/// put together by hand, X_{n+1} = c_0 X_n + c_1 X_{n-1} + ..., and the Schur-Cohn test of
/// z^4 = c_0 z^3 + c_1 z^2 + c_2 z + c_3. Nothing of the catalogue, nor of its roots.
#include <gtest/gtest.h>

#include <complex>

#include "hild/numerics/catalogue.hpp"
#include "numerics/analysis/stability.hpp"

namespace hild::analysis {
namespace {

using Growth = std::array<Complex, 4> (*)(Complex mu);

struct Row {
  const char* name;
  Growth c;
  double real;  // the intercepts, to a thousandth
  double from;  // of the stretch of the imaginary axis, likewise; both 0: there is none
  double to;
};

const Row rows[] = {
    {"am-2",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + m + 0.75 * m * m, -m * m / 4.0};
     },
     2, 0, 1.287},
    {"am-3",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + 13.0 / 12 * m + 115.0 / 144 * m * m,
                                     -m / 12.0 - 80.0 / 144 * m * m, 25.0 / 144 * m * m};
     },
     1.729, 0.429, 1.164},
    {"am-4",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + 7.0 / 6 * m + 55.0 / 64 * m * m,
                                     -5.0 / 24 * m - 59.0 / 64 * m * m,
                                     m / 24.0 + 37.0 / 64 * m * m, -9.0 / 64 * m * m};
     },
     1.285, 0, 0},
    {"rtam-2",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + m + 0.625 * m * m, -m * m / 8.0};
     },
     2, 0, 1.112},
    {"rtam-3",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + 17.0 / 18 * m + 85.0 / 108 * m * m,
                                     m / 18.0 - 35.0 / 108 * m * m, 10.0 / 108 * m * m};
     },
     1.8, 0, 1.314},
    {"rtam-4",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + 26.0 / 30 * m + 297.0 / 320 * m * m,
                                     5.0 / 30 * m - 187.0 / 320 * m * m,
                                     -m / 30.0 + 107.0 / 320 * m * m, -25.0 / 320 * m * m};
     },
     5.0 / 3, 0.534, 1.054},
    {"p-2/pc-3/c-3",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + m + 35.0 / 72 * m * m + 91.0 / 432 * m * m * m,
                                     m * m / 72.0 - 13.0 / 432 * m * m * m};
     },
     1.981, 0, 2.053},
    {"p-3/pc-3/c-3",
     [](Complex m) {
       return std::array<Complex, 4>{1.0 + m + 35.0 / 72 * m * m + 1781.0 / 7776 * m * m * m,
                                     m * m / 72.0 - 520.0 / 7776 * m * m * m,
                                     143.0 / 7776 * m * m * m};
     },
     1.755, 0, 1.924},
};

// Schur and Cohn: all zeros of sum a_k z^k lie within the unit circle when |a_0| < |a_n|, and those
// of the polynomial of one degree less that follows do.
bool within_the_circle(std::vector<Complex> a) {
  while (a.size() > 1) {
    if (std::abs(a.front()) >= std::abs(a.back())) return false;
    std::vector<Complex> next;
    for (std::size_t k = 0; k + 1 < a.size(); ++k) {
      next.push_back(std::conj(a.back()) * a[k + 1] - a.front() * std::conj(a[a.size() - 2 - k]));
    }
    a = std::move(next);
  }
  return true;
}

bool stable(const Row& row, Complex mu) {
  const auto c = row.c(mu);
  return within_the_circle({-c[3], -c[2], -c[1], -c[0], 1.0});
}

// Where along a direction stability begins or ends, between two points that differ in it.
double edge(const Row& row, Complex direction, double a, double b) {
  const bool at_a = stable(row, direction * a);
  for (int i = 0; i < 50; ++i) {
    const double middle = 0.5 * (a + b);
    (stable(row, direction * middle) == at_a ? a : b) = middle;
  }
  return a;
}

// The stable stretches up to 4, which all of these leave for good before 2.1.
std::vector<Stretch> stretches_of(const Row& row, Complex direction) {
  constexpr double step = 0.01;
  std::vector<Stretch> all;
  bool inside = stable(row, direction * step);
  if (inside) all.push_back({0, 4});
  for (double r = step; r < 4; r += step) {
    if (stable(row, direction * (r + step)) == inside) continue;
    inside = !inside;
    const double at = edge(row, direction, r, r + step);
    if (inside) {
      all.push_back({at, 4});
    } else {
      all.back().to = at;
    }
  }
  return all;
}

StabilityLimits limits_of(const Row& row) {
  return stability_limits(Roots(*characteristic(*numerics::find_method(row.name))));
}

TEST(AxisLimits, OfHowesMethodsOnTheRealAxis) {
  for (const Row& row : rows) {
    const auto stretches = stretches_of(row, -1);
    ASSERT_EQ(stretches.size(), 1U) << row.name;
    EXPECT_EQ(stretches[0].from, 0) << row.name;
    EXPECT_NEAR(stretches[0].to, row.real, 5e-4) << row.name;
    EXPECT_NEAR(limits_of(row).real.end().value(), stretches[0].to, 1e-6) << row.name;
  }
}

TEST(AxisLimits, OfHowesMethodsOnTheImaginaryAxis) {
  for (const Row& row : rows) {
    const auto stretches = stretches_of(row, {0, 1});
    const auto found = limits_of(row).imaginary.stretches;
    ASSERT_EQ(stretches.size(), row.to > 0 ? 1U : 0U) << row.name;
    ASSERT_EQ(found.size(), stretches.size()) << row.name;
    EXPECT_EQ(limits_of(row).imaginary.end().has_value(), row.to > 0 && row.from == 0) << row.name;
    if (found.empty()) continue;
    EXPECT_NEAR(stretches[0].from, row.from, 5e-4) << row.name;
    EXPECT_NEAR(stretches[0].to, row.to, 5e-4) << row.name;
    EXPECT_NEAR(found[0].from, stretches[0].from, 1e-6) << row.name;
    EXPECT_NEAR(found[0].to, stretches[0].to, 1e-6) << row.name;
  }
}

}  // namespace
}  // namespace hild::analysis
