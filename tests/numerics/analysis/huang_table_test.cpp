// SPDX-License-Identifier: Apache-2.0
/// \file
/// Huang's table 1: y' = -10 y^2 + 1 + sin(2 pi t), y(0) = 0, over 5 s; mean and largest error at
/// the part theta of each step. The paper computed in single precision (1e-7), with digits cut off.
#include <gtest/gtest.h>

#include <cmath>

#include "hild/numerics/explicit_step.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::analysis {
namespace {

using numerics::Chosen;
using numerics::ExplicitStep;
using numerics::Method;
using numerics::ode45;
using numerics::rk4;
using numerics::Static;

double slope(double t, double y) { return -10 * y * y + 1 + std::sin(2 * M_PI * t); }

// By RK-4, written out, a thousand steps to one of the table.
double exact_step(double t, double h, double y) {
  constexpr int parts = 1000;
  const double d = h / parts;
  for (int i = 0; i < parts; ++i) {
    const double s = t + i * d;
    const double k1 = slope(s, y);
    const double k2 = slope(s + d / 2, y + d / 2 * k1);
    const double k3 = slope(s + d / 2, y + d / 2 * k2);
    const double k4 = slope(s + d, y + d * k3);
    y += d / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return y;
}

struct Errors {
  double mean = 0;
  double largest = 0;
};

Errors errors(const Method& method, double theta, Duration h) {
  ExplicitStep step{Static<1>{}, Chosen(method)};
  const int n = static_cast<int>(Duration(5_s).ns / h.ns);
  double exact = 0;
  Errors e;
  SimTime t{};
  for (int i = 0; i < n; ++i, t += h) {
    step.begin(t, h);
    for (int p = 0; p < method.passes; ++p) {
      step.derivative(p)[0] = slope(step.time(p), step.stage(p)[0]);
    }
    step.finish();
    std::array<double, 1> y{step.state()[0]};
    if (theta < 1) {
      EXPECT_TRUE(step.dense(theta, y));
    }
    const double missed = std::abs(y[0] - exact_step(seconds(t), theta * seconds(h), exact));
    exact = exact_step(seconds(t), seconds(h), exact);
    e.mean += missed / n;
    e.largest = std::max(e.largest, missed);
  }
  return e;
}

void compare(const Method& method, double theta, Duration h, Errors printed) {
  const Errors e = errors(method, theta, h);
  // Half a percent, and the rounding of single precision.
  EXPECT_NEAR(e.mean, printed.mean, 0.005 * printed.mean + 3e-8) << theta << " " << h.ns;
  EXPECT_NEAR(e.largest, printed.largest, 0.005 * printed.largest + 1e-7) << theta << " " << h.ns;
}

TEST(HuangTable1, WithStepsOf005) {
  compare(ode45, 0.2, 50_ms, {4.2492281e-06, 2.2784933e-05});
  compare(ode45, 0.4, 50_ms, {1.5611003e-05, 6.5212591e-05});
  compare(ode45, 0.6, 50_ms, {2.4390665e-05, 9.3083254e-05});
  compare(ode45, 0.8, 50_ms, {2.0996711e-05, 7.8369209e-05});
  compare(ode45, 1.0, 50_ms, {3.5106874e-06, 1.0943352e-05});
  compare(rk4, 1.0, 50_ms, {8.2710513e-06, 2.5993525e-05});
}

TEST(HuangTable1, WithStepsOf01) {
  compare(ode45, 0.2, 100_ms, {7.4290578e-05, 3.4501728e-04});
  compare(ode45, 0.4, 100_ms, {2.7106502e-04, 9.8638636e-04});
  compare(ode45, 0.6, 100_ms, {4.2596347e-04, 1.4065046e-03});
  compare(ode45, 0.8, 100_ms, {3.6732462e-04, 1.1773955e-03});
  compare(ode45, 1.0, 100_ms, {7.2971982e-05, 2.3392433e-04});
  compare(rk4, 1.0, 100_ms, {1.5568267e-04, 5.0563210e-04});
}

}  // namespace
}  // namespace hild::analysis
