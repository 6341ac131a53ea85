// SPDX-License-Identifier: Apache-2.0
/// \file
/// Howe's table 1 and figure 5: errors of characteristic roots, from the tableaux alone.
#include <gtest/gtest.h>

#include "hild/numerics/catalogue.hpp"
#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::analysis {
namespace {

const numerics::Method& method(std::string_view name) { return *numerics::find_method(name); }
Roots characteristic_roots(std::string_view name) { return Roots(*characteristic(method(name))); }

// N^k e_lambda / |lambda h|^k for a negative real lambda: the ordinate of figure 5.
double normalised_root_error(std::string_view name, double x) {
  const auto& m = method(name);
  return std::abs(characteristic_roots(name).root_error(-x)) * std::pow(m.passes / x, m.order);
}

TEST(HoweTable1, AllErrorCoefficients) {
  struct Row {
    const char* name;
    Exact e;
    double normalised;  // printed
  };
  const Row rows[] = {{"ab-2", {5, 12}, 0.41667},        {"am-2", {-1, 12}, -0.33333},
                      {"rtam-2", {1, 24}, 0.16667},      {"rtrk-2", {1, 6}, 0.66667},
                      {"ab-3", {3, 8}, 0.37500},         {"am-3", {-1, 24}, -0.33333},
                      {"rtam-3", {1, 36}, 0.22222},      {"p-3/pc-3/c-3", {1, 216}, 0.12500},
                      {"p-2/pc-3/c-3", {1, 216}, 0.125}, {"rk-3", {1, 24}, 1.12500},
                      {"ab-4", {251, 720}, 0.34861},     {"am-4", {-19, 720}, -0.42222},
                      {"rtam-4", {59, 2880}, 0.32778}};
  for (const Row& row : rows) {
    const auto& m = method(row.name);
    const auto e = error_coefficient(*characteristic(m), m.order, m.passes);
    EXPECT_EQ(e.exact, row.e) << row.name << " " << to_string(e.exact);
    EXPECT_NEAR(e.normalised, row.normalised, 0.5e-5 + 1e-12) << row.name;
  }
}

// Not from the expansion but from the root itself: what remains is of the next power.
TEST(HoweTable1, IsTheLimitOfTheRootErrors) {
  for (const auto* m : numerics::catalogue()) {
    const auto c = characteristic(*m);
    if (!c) continue;
    const double e = error_coefficient(*c, m->order, m->passes).value;
    const auto measured = [&](Complex mu) {
      return -(Roots(*c).root_error(mu) / std::pow(mu, m->order));
    };
    for (const Complex direction : {Complex(-1, 0), Complex(0, 1), Complex(-0.6, 0.8)}) {
      // Linear extrapolation to mu = 0 leaves what is quadratic.
      const Complex limit = 2.0 * measured(0.01 * direction) - measured(0.02 * direction);
      EXPECT_NEAR(std::abs(limit - e), 0, 0.01) << m->name << " " << direction;
    }
  }
}

TEST(HoweTable1, NoPowerUpToTheOrderIsMissed) {
  for (const auto* m : numerics::catalogue()) {
    const auto c = characteristic(*m);
    if (!c) continue;
    for (int power = 0; power <= m->order; ++power) {
      const auto defect = root_defect(*c, power).convert_to<double>();
      EXPECT_NEAR(defect, 0, m->rounded ? 1e-14 : 0) << m->name << " " << power;
    }
  }
}

TEST(HoweFigure5, TheCurvesBeginAtTheTable) {
  EXPECT_NEAR(normalised_root_error("am-2", 1e-3), 0.33333, 2e-3);
  EXPECT_NEAR(normalised_root_error("ab-2", 1e-3), 0.41667, 2e-3);
  EXPECT_NEAR(normalised_root_error("rtam-2", 1e-3), 0.16667, 2e-3);
  EXPECT_NEAR(normalised_root_error("rtrk-2", 1e-3), 0.66667, 2e-3);
}

// "for |lambda h| < 0.7 the RTAM-2 algorithm exhibits the smallest error", beyond it AB-2 does.
TEST(HoweFigure5, Ab2OvertakesRtam2Near07) {
  for (double x = 0.02; x < 0.65; x += 0.005) {
    for (const char* other : {"ab-2", "am-2", "rtrk-2"}) {
      ASSERT_LT(normalised_root_error("rtam-2", x), normalised_root_error(other, x))
          << other << " " << x;
    }
  }
  for (double x = 0.75; x < 0.8; x += 0.005) {
    ASSERT_GT(normalised_root_error("rtam-2", x), normalised_root_error("ab-2", x)) << x;
  }
  EXPECT_GT(normalised_root_error("am-2", 0.5), normalised_root_error("am-2", 0.1))
      << "as |lambda h| increases, the error increases";
}

TEST(HoweFigure5, TheNewMethodsAreTheBestOfOrderThreeAndFour) {
  for (const double x : {0.02, 0.05, 0.1}) {
    for (const char* best : {"p-2/pc-3/c-3", "p-3/pc-3/c-3"}) {
      for (const char* other : {"ab-3", "am-3", "rtam-3", "rk-3"}) {
        EXPECT_LT(normalised_root_error(best, x), normalised_root_error(other, x)) << other << x;
      }
    }
    for (const char* other : {"ab-4", "am-4"}) {
      EXPECT_LT(normalised_root_error("rtam-4", x), normalised_root_error(other, x)) << other << x;
    }
  }
}

// Eq. 24, with the denominator as the errata have it: z^2 - (1 + mu + 3/4 mu^2) z + mu^2 / 4.
TEST(Characteristic, OfAm2IsHowesDenominator) {
  const auto c = characteristic(method("am-2"));
  ASSERT_EQ(c->degree(), 2U);
  EXPECT_EQ(c->a[0], (Polynomial{1}));
  EXPECT_EQ(c->a[1], (Polynomial{-1, -1, Exact(-3, 4)}));
  EXPECT_EQ(c->a[2], (Polynomial{0, 0, Exact(1, 4)}));
}

// A one-step method with a stability function of its own: backward Euler 1 / (1 - mu) and the
// trapezoidal rule (2 + mu) / (2 - mu), whose coefficients Howe states to be -1/2 and -1/12.
TEST(Characteristic, TakesAStabilityFunction) {
  EXPECT_EQ(error_coefficient(one_step({1}, {1, -1}), 1, 1).exact, Exact(-1, 2));
  EXPECT_EQ(error_coefficient(one_step({2, 1}, {2, -1}), 2, 1).exact, Exact(-1, 12));
}

}  // namespace
}  // namespace hild::analysis
