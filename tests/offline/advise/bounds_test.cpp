// SPDX-License-Identifier: Apache-2.0
/// \file
/// Upper bounds from what is known of each method, lower ones from scripted costs.
#include <gtest/gtest.h>

#include <cmath>

#include "hild/numerics/catalogue.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {
namespace {

constexpr double exactly = 1e-9;

analysis::Roots roots_of(std::string_view name) {
  return analysis::Roots(*analysis::characteristic(*numerics::find_method(name)));
}

double stable(std::string_view name, std::vector<Complex> lambda, double accuracy = 0) {
  return stability_bound(roots_of(name), lambda, accuracy);
}

// Where a boundary that begins left of the imaginary axis comes back to it.
template <class Boundary>
double imaginary_limit(Boundary mu) {
  double inside = 0.3;
  while (mu(std::polar(1.0, inside)).real() > 0) inside += 0.01;
  double low = inside - 0.01;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + inside);
    (mu(std::polar(1.0, middle)).real() > 0 ? low : inside) = middle;
  }
  return mu(std::polar(1.0, low)).imag();
}

// ---- stability ---------------------------------------------------------------------------------

TEST(StabilityBound, OfARealModeIsTheInterceptOfTheRealAxis) {
  EXPECT_NEAR(stable("forward-euler", {-1000}), 2e-3, 2e-3 * exactly);
  EXPECT_NEAR(stable("ab-2", {-1000}), 1e-3, 1e-3 * exactly);
  EXPECT_NEAR(stable("ab-3", {-1000}), 6.0 / 11 * 1e-3, 1e-3 * exactly);
  EXPECT_NEAR(stable("ab-4", {-1000}), 0.3e-3, 1e-3 * exactly);
}

TEST(StabilityBound, OfAnOscillatorIsThatOfTheImaginaryAxis) {
  // AB-k: mu = (z^k - z^(k-1)) / rho(z) for z on the unit circle, at its first Re mu = 0.
  const auto ab3 = [](Complex z) {
    return 12.0 * (z - 1.0) * z * z / ((23.0 * z - 16.0) * z + 5.0);
  };
  const auto ab4 = [](Complex z) {
    return 24.0 * (z - 1.0) * z * z * z / (((55.0 * z - 59.0) * z + 37.0) * z - 9.0);
  };
  EXPECT_NEAR(stable("ab-3", {Complex(0, 10)}), imaginary_limit(ab3) / 10, 1e-9);
  EXPECT_NEAR(stable("ab-4", {Complex(0, 10)}), imaginary_limit(ab4) / 10, 1e-9);
  EXPECT_NEAR(imaginary_limit(ab3), 0.724, 5e-4) << "as is known";
  EXPECT_NEAR(stable("rk-4", {Complex(0, 10)}), std::sqrt(8.0) / 10, 1e-8);
  EXPECT_EQ(stable("forward-euler", {Complex(0, 10)}), 0) << "grows with any step";
}

TEST(StabilityBound, AllowsAnUndampedModeTheGrowthOfTheAccuracy) {
  // Forward Euler: ln |1 + j r| = a r, with r = |lambda| h.
  const double h = stable("forward-euler", {Complex(0, 10)}, 1e-3);
  const double r = 10 * h;
  EXPECT_NEAR(0.5 * std::log1p(r * r), 1e-3 * r, 1e-12);
  EXPECT_NEAR(r, 2e-3, 1e-8);
  // AB-2: ln |z| = r^4 / 4 to leading order.
  EXPECT_NEAR(10 * stable("ab-2", {Complex(0, 10)}, 1e-3), std::cbrt(4e-3), 0.01);
}

TEST(StabilityBound, OfADampedModeAllowsNoGrowthAtAll) {
  // |1 + h lambda| = 1 at h = 2 zeta / omega_n.
  const Complex lambda = std::polar(10.0, std::acos(-1e-2));
  EXPECT_NEAR(stable("forward-euler", {lambda}, 1e-3), 2 * 1e-2 / 10, 1e-9);
  // Damped less than the accuracy: ln |1 + mu| = (a - zeta) r, so r = 2 a again.
  const Complex hardly = std::polar(10.0, std::acos(-1e-4));
  EXPECT_NEAR(stable("forward-euler", {hardly}, 1e-3), 2 * 1e-3 / 10, 1e-8);
}

TEST(StabilityBound, AsksNothingOfModesThatGrow) {
  for (const char* name : {"forward-euler", "libe", "backward-euler", "radau-iia"}) {
    EXPECT_EQ(stable(name, {5, Complex(1, 20)}, 1e-3), unbounded) << name;
  }
  EXPECT_NEAR(stable("forward-euler", {-1000, 5}, 1e-3), 2e-3, 2e-3 * exactly);
}

TEST(StabilityBound, TakesAGrowthBelowTheAccuracyForNone) {
  // ln |1 + mu| = (a + growth) r.
  const Complex hardly = std::polar(10.0, std::acos(1e-4));
  const double r = 10 * stable("forward-euler", {hardly}, 1e-3);
  EXPECT_NEAR(0.5 * std::log(1 + 2 * 1e-4 * r + r * r), 1.1e-3 * r, 1e-12);
}

TEST(GrowthBound, OfAGrowingModeComparesWithItsGrowth) {
  const auto growth = [](std::string_view name, std::vector<Complex> lambda) {
    return growth_bound(roots_of(name), lambda, 1e-3);
  };
  EXPECT_EQ(growth("forward-euler", {5}), unbounded) << "1 + mu < e^mu";
  // Backward Euler grows faster: -ln(1 - r) = (1 + a) r.
  const double r = 5 * growth("backward-euler", {5});
  EXPECT_NEAR(-std::log1p(-r), 1.001 * r, 1e-11);
  EXPECT_EQ(growth("backward-euler", {5, -1000}), r / 5) << "a damped mode does not count";
  EXPECT_EQ(growth("forward-euler", {-1000, Complex(0, 10)}), unbounded);
  // It bounds the accuracy of the modes, and not stability.
  const Demand none{.accuracy = 1e-3};
  const Upper upper = weigh(*numerics::find_method("backward-euler"), std::vector<Complex>{5}, none,
                            {.by = exec::Sampling::frame});
  EXPECT_EQ(upper.modes, r / 5);
  EXPECT_EQ(upper.limit(), StepLimit::modes);
}

TEST(GrowthError, IsThatOfTheExponent) {
  const auto error = [](double h) {
    return growth_error(roots_of("backward-euler"), std::vector<Complex>{-1000, 5}, h);
  };
  // 1 / (1 - 5 h) instead of e^(5 h): too fast, and beyond its pole even damped.
  EXPECT_NEAR(error(0.02), -std::log(0.9) / 0.1 - 1, 1e-12);
  EXPECT_NEAR(error(0.6), 1 + std::log(2.0) / 3, 1e-12);
  EXPECT_EQ(growth_error(roots_of("backward-euler"), std::vector<Complex>{-1000}, 0.1), 0);
}

TEST(StabilityBound, IsThatOfTheWorstMode) {
  EXPECT_NEAR(stable("forward-euler", {-1000, -10}), 2e-3, 1e-11);
  // The slower one binds: at 45 degrees |1 + mu| = 1 at sqrt 2, and here at 2 zeta.
  const Complex slow = std::polar(100.0, std::acos(-0.05));
  EXPECT_NEAR(stable("forward-euler", {-1000, slow}), 0.1 / 100, 1e-9);
  EXPECT_EQ(stable("backward-euler", {-1000, slow}), unbounded);
  EXPECT_EQ(stable("ab-4", {}), unbounded);
}

// ---- accuracy ----------------------------------------------------------------------------------

Upper weighed(std::string_view name, const Demand& demand, Sampled sampled = {}) {
  return weigh(*numerics::find_method(name), {}, demand, sampled);
}

/// The largest r of [0, 1] with error(r) <= accuracy, of an error that grows.
double solved(double (*error)(double), double accuracy) {
  double inside = 0;
  double outside = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (inside + outside);
    (error(middle) <= accuracy ? inside : outside) = middle;
  }
  return inside;
}

/// Integrators, with inputs up to an angular frequency.
Demand integrators(double omega) {
  return {.accuracy = 1e-3, .input = omega, .responses = responses_by_mode({}, omega)};
}

TEST(AccuracyBound, IsThatOfTheExactRoot) {
  const Demand d{.accuracy = 1e-3, .modes = {-50}};
  // Forward Euler: z = 1 - r. RK-4 and RTRK-4: z = 1 - r + r^2/2 - r^3/6 + r^4/24.
  const auto euler = [](double r) { return std::abs(std::log1p(-r) / -r - 1); };
  const auto runge_kutta = [](double r) {
    return std::abs(std::log(1 - r * (1 - r / 2 * (1 - r / 3 * (1 - r / 4)))) / -r - 1);
  };
  EXPECT_NEAR(weighed("forward-euler", d).modes, solved(euler, 1e-3) / 50, 1e-12);
  EXPECT_NEAR(weighed("rk-4", d).modes, solved(runge_kutta, 1e-3) / 50, 1e-12);
  EXPECT_NEAR(weighed("rtrk-4", d).modes, solved(runge_kutta, 1e-3) / 50, 1e-12);
}

TEST(AccuracyBound, NearsHowesErrorCoefficientWhereTheStepIsShort) {
  const Demand d{.accuracy = 1e-9, .modes = {Complex(-30, 40)}};
  // e_I (|lambda| h)^k = 1e-9: Howe, table 1.
  EXPECT_NEAR(weighed("forward-euler", d).modes * 50, 1e-9 * 2, 2e-12);
  EXPECT_NEAR(weighed("ab-2", d).modes * 50, std::sqrt(1e-9 * 12 / 5), 1e-8);
  EXPECT_NEAR(weighed("rtam-2", d).modes * 50, std::sqrt(1e-9 * 24), 1e-7);
  EXPECT_NEAR(weighed("rk-4", d).modes * 50, std::pow(1e-9 * 120, 0.25), 2e-4);
  // R(mu) = (1 + mu/3) / (1 - 2/3 mu + mu^2/6) is Pade's: e^mu - R(mu) = -mu^4/72 + ...
  EXPECT_NEAR(weighed("linear-radau-iia", d).modes * 50, std::cbrt(1e-9 * 72), 2e-5);
}

TEST(AccuracyBound, OfIntegratorsIsThatOfTheirQuadrature) {
  // Euler's rule: j r / (e^(j r) - 1) - 1, with r = omega h.
  const auto euler = [](double r) {
    return std::abs(Complex(0, r) / (std::polar(1.0, r) - 1.0) - 1.0);
  };
  EXPECT_NEAR(weighed("forward-euler", integrators(100)).inputs, solved(euler, 1e-3) / 100, 1e-12);
  // LIBE takes the inputs of the beginning for the end of the step: the same.
  EXPECT_NEAR(weighed("libe", integrators(100)).inputs, solved(euler, 1e-3) / 100, 1e-12);
  EXPECT_EQ(weighed("libe", integrators(100)).sampling, unbounded);
}

TEST(AccuracyBound, HoldingDelaysTheInputsOfLaterPasses) {
  // RTAM-2 is X + h F(1/2): held from the tick it is Euler's rule.
  const Sampled held{.by = exec::Sampling::frame};
  EXPECT_NEAR(weighed("rtam-2", integrators(100), held).sampling,
              weighed("forward-euler", integrators(100)).inputs, 1e-12);
  EXPECT_EQ(weighed("rtam-2", integrators(100)).sampling, unbounded);
  EXPECT_EQ(weighed("ab-2", integrators(100), held).sampling, unbounded)
      << "its pass is at the tick";
}

TEST(AccuracyBound, AndTheErrorAtAStepAreInverse) {
  Demand d = integrators(20);
  d.modes = {-50};
  const Sampled held{.by = exec::Sampling::frame};
  for (const char* name : {"rtam-3", "ab-4", "radau-iia"}) {
    const auto& m = *numerics::find_method(name);
    const double h = weighed(name, d, held).least();
    EXPECT_NEAR(error_at(m, {}, d, held, h), 1e-3, 1e-9) << name;
  }
}

TEST(AccuracyBound, WithoutModesAndInputsThereIsNone) {
  EXPECT_EQ(weighed("rtam-2", {}).least(), unbounded);
  EXPECT_EQ(weighed("rtam-2", {}).limit(), StepLimit::none);
}

// ---- costs -------------------------------------------------------------------------------------

TEST(CostBound, IsWhereTheWorkEndsOrTheBudgetDoes) {
  plan::Shape shape{.releases = {0}};
  const plan::Costs costs{.wake = 10_us, .io = 4_us, .pass = 20_us, .outputs = 6_us};
  // 10 + 4 + 20 + 6 us of work and waiting; 30 us of work are 80 % of 37.5 us.
  EXPECT_DOUBLE_EQ(cost_bound(shape, costs, 0.8), 40e-6);
  EXPECT_DOUBLE_EQ(cost_bound(shape, costs, 0.2), 150e-6);
  // A pass released in the middle: 10 + 4 + 6 + (4 + 20) = h / 2, with a read of its own.
  shape.releases = {0, 0.5};
  shape.reads = true;
  EXPECT_DOUBLE_EQ(cost_bound(shape, costs, 1), 88e-6);
  // With a state event two steps more, one by a starter: + (2 + 3) * 20 in the second half.
  shape.events = plan::Events::state;
  shape.starter_releases = {0, 0, 0};
  EXPECT_DOUBLE_EQ(cost_bound(shape, costs, 1), 288e-6);
}

TEST(CostBound, IsInProportionToTheCosts) {
  const plan::Shape shape{.releases = {0, 0.5}, .reads = true, .events = plan::Events::time};
  const plan::Costs costs{.wake = 8_us, .io = 4_us, .pass = 2_us, .outputs = 6_us};
  const plan::Costs half{.wake = 4_us, .io = 2_us, .pass = 1_us, .outputs = 3_us};
  EXPECT_DOUBLE_EQ(cost_bound(shape, costs, 0.4), 2 * cost_bound(shape, half, 0.4));
}

TEST(CostBound, OfAFrameThatIsNeverLongEnoughIsInfinite) {
  const plan::Shape shape{.releases = {0}};
  EXPECT_EQ(
      cost_bound(shape, {.wake = {}, .io = {}, .pass = {2'000'000'000'000}, .outputs = {}}, 1),
      unbounded);
}

}  // namespace
}  // namespace hild::advise
