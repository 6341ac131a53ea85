// SPDX-License-Identifier: Apache-2.0
/// \file
/// Howe's figures 1 to 4 and what textbooks know of stability.
#include "numerics/analysis/stability.hpp"

#include <gtest/gtest.h>

#include "hild/numerics/catalogue.hpp"

namespace hild::analysis {
namespace {

Roots roots_of(std::string_view name) {
  return Roots(*characteristic(*numerics::find_method(name)));
}

// By counting points: nothing of the boundary's own code. Normalised as in the figures: a method of
// one pass takes `scale` steps in the time of one.
double area(std::string_view name, double scale = 1) {
  const Roots r = roots_of(name);
  constexpr double cell = 0.02;
  int inside = 0;
  for (double x = -3; x < 1; x += cell) {
    for (double y = cell / 2; y < 2.5; y += cell) inside += r.radius({x, y}) <= 1 ? 1 : 0;
  }
  return inside * cell * cell * scale * scale;
}

TEST(StabilityLimits, OnTheRealAxis) {
  // Where a root is -1, solved by hand from the characteristic polynomial: AB-k at -1, -6/11,
  // -3/10; AM-2 and the second-order ones at -2; RTAM-3 at -9/5, RTAM-4 at -5/3.
  const std::pair<const char*, double> rows[] = {
      {"forward-euler", -2}, {"ab-2", -1},        {"ab-3", -6.0 / 11}, {"ab-4", -0.3},
      {"am-2", -2},          {"rtam-2", -2},      {"rtrk-2", -2},      {"heun", -2},
      {"rtam-3", -1.8},      {"rtam-4", -5.0 / 3}};
  for (const auto& [name, limit] : rows) {
    EXPECT_NEAR(stability_limits(roots_of(name)).real.end().value(), -limit, 1e-6) << name;
  }
  // The real zeros of 1 + mu + mu^2/2 + mu^3/6 = -1 and of 1 + mu/2 + mu^2/6 + mu^3/24 = 0.
  EXPECT_NEAR(stability_limits(roots_of("rk-3")).real.end().value(), 2.5127453266, 1e-6);
  EXPECT_NEAR(stability_limits(roots_of("rk-4")).real.end().value(), 2.7852935634, 1e-6);
  EXPECT_NEAR(stability_limits(roots_of("rtrk-4")).real.end().value(), 2.7852935634, 1e-6)
      << "Bernstein's has the stability function of RK-4";
}

TEST(StabilityLimits, OnTheImaginaryAxis) {
  EXPECT_NEAR(stability_limits(roots_of("rk-3")).imaginary.end().value(), std::sqrt(3), 1e-6);
  EXPECT_NEAR(stability_limits(roots_of("rk-4")).imaginary.end().value(), std::sqrt(8), 1e-6);
  EXPECT_NEAR(stability_limits(roots_of("ab-3")).imaginary.end().value(), 0.7236, 1e-4);
  EXPECT_NEAR(stability_limits(roots_of("ab-4")).imaginary.end().value(), 0.43, 1e-3);
  for (const char* none : {"forward-euler", "ab-2", "heun", "rtrk-2"}) {
    const auto limits = stability_limits(roots_of(none));
    EXPECT_TRUE(limits.imaginary.stretches.empty()) << none;
    EXPECT_FALSE(limits.imaginary.unlimited()) << none;
  }
}

TEST(StabilityLimits, OfImplicitMethodsMayBeNone) {
  const auto euler = stability_limits(Roots(one_step({1}, {1, -1})));
  EXPECT_FALSE(euler.real.end());
  EXPECT_FALSE(euler.imaginary.end());
  EXPECT_TRUE(euler.real.unlimited());
  EXPECT_TRUE(euler.imaginary.unlimited());
}

TEST(HoweFigures1To4, TheOrderOfTheRegions) {
  EXPECT_GT(area("ab-2", 2), area("rtam-2"));
  EXPECT_GT(area("rtam-2"), area("am-2"));
  EXPECT_GT(area("rtam-3"), area("am-3"));
  EXPECT_GT(area("am-3"), area("ab-3", 2));
  EXPECT_GT(area("rtam-4"), area("am-4"));
  EXPECT_GT(area("am-4"), 1.5 * area("ab-4", 2)) << "substantially larger";
  EXPECT_GT(area("rk-3"), area("p-2/pc-3/c-3"));
  EXPECT_GT(area("p-2/pc-3/c-3"), area("p-3/pc-3/c-3")) << "slightly larger";
  EXPECT_GT(area("p-3/pc-3/c-3"), area("ab-3", 3));
}

TEST(StabilityBoundary, SeparatesStableFromUnstable) {
  for (const auto* m : numerics::catalogue()) {
    const auto c = characteristic(*m);
    if (!c || m->family != numerics::Family::explicit_passes) continue;
    const Roots r(*c);
    const auto curves = stability_boundary(r);
    ASSERT_FALSE(curves.empty()) << m->name;
    double leftmost = 0;
    for (const auto& curve : curves) {
      for (const Complex mu : curve) {
        EXPECT_NEAR(r.radius(mu), 1, 1e-5) << m->name << mu;
        EXPECT_GE(mu.imag(), 0);
        if (mu.imag() < 1e-9) leftmost = std::min(leftmost, mu.real());
      }
    }
    EXPECT_NEAR(leftmost, -stability_limits(r).real.end().value(), 1e-5) << m->name;
  }
}

TEST(StabilityBoundary, OfForwardEulerIsTheCircleAroundMinusOne) {
  const auto curves = stability_boundary(roots_of("forward-euler"));
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_GT(curves[0].size(), 100U);
  for (const Complex mu : curves[0]) EXPECT_NEAR(std::abs(mu + 1.0), 1, 1e-6);
}

TEST(StabilityBoundary, OfBackwardEulerIsTheCircleAroundOne) {
  const auto curves = stability_boundary(Roots(one_step({1}, {1, -1})), 4);
  ASSERT_FALSE(curves.empty());
  for (const auto& curve : curves) {
    for (const Complex mu : curve) EXPECT_NEAR(std::abs(mu - 1.0), 1, 1e-6);
  }
}

// Huang: "the stability region is 13.548" is the area of ODE35's in the upper half plane, to 2 %.
TEST(Stability, HuangsEmbeddedMethodHasTheAreaHeStates) {
  numerics::Method ode35 = *numerics::find_method("ode-45");
  ode35.formulas[5].pass = ode35.embedded.pass;
  const Roots r(*characteristic(ode35));
  constexpr double cell = 0.02;
  int inside = 0;
  for (double x = -7; x < 3; x += cell) {
    for (double y = cell / 2; y < 6; y += cell) inside += r.radius({x, y}) <= 1 ? 1 : 0;
  }
  EXPECT_NEAR(inside * cell * cell, 13.548, 0.02 * 13.548);
}

}  // namespace
}  // namespace hild::analysis
