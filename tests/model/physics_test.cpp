// SPDX-License-Identifier: Apache-2.0
/// \file
/// The built-in models against exact solutions, invariants and numbers from the literature, each
/// worked out here without the model's own formulas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "model/advance.hpp"

namespace hild::test {
namespace {

using std::numbers::pi;

// ---- dc-motor ----------------------------------------------------------------------------------

// At rest of all changes: v = R i + k w and k i = b w + T.
TEST(DcMotor, SettlesWhereVoltageAndTorqueBalance) {
  constexpr double v = 12, load = 0.1, r = 2, k = 0.05, b = 1e-4;
  Advance a("dc-motor");
  a.parameter("resistance", r).parameter("constant", k).parameter("friction", b);
  a.inputs = {v, load};
  a.run(5_s, 500_us);
  const double speed = (v - r * load / k) / (k + r * b / k);
  const double current = (b * speed + load) / k;
  EXPECT_NEAR(a.state(1), speed, 1e-9 * speed);
  EXPECT_NEAR(a.state(0), current, 1e-9 * current);
  EXPECT_THAT(a.outputs(),
              testing::ElementsAre(a.state(1), a.state(0), testing::DoubleNear(k * current, 1e-9)));
  // What goes in electrically comes out as heat, friction and work.
  EXPECT_NEAR(v * current, r * current * current + b * speed * speed + load * speed, 1e-9);
}

// From rest the speed is that of a second-order system whose poles are the roots of
// (L s + R)(J s + b) + k^2 = 0.
TEST(DcMotor, StepsLikeItsTwoPoles) {
  constexpr double v = 10, r = 1, l = 0.01, k = 0.05, j = 1e-4, b = 1e-5;
  Advance a("dc-motor");
  a.inputs = {v, 0};
  using Complex = std::complex<double>;
  const double half = (r / l + b / j) / 2;
  const Complex root = std::sqrt(Complex(half * half - (r * b + k * k) / (l * j)));
  const Complex s1 = -half + root;
  const Complex s2 = -half - root;
  const double settled = v * k / (r * b + k * k);
  a.run(200_ms, 100_us, [&](double t, model::Stepper::In x) {
    const Complex rest = (s2 * std::exp(s1 * t) - s1 * std::exp(s2 * t)) / (s2 - s1);
    EXPECT_NEAR(x[1], settled * (1 - rest.real()), 1e-6);
  });
  EXPECT_GT(a.state(1), 0.95 * settled);
}

// ---- spring-mass-damper ------------------------------------------------------------------------

// x = F/k + e^(-z t) (A cos wd t + B sin wd t), z = c / 2m, wd^2 = k/m - z^2.
TEST(SpringMassDamper, FollowsTheDampedOscillation) {
  constexpr double m = 2, c = 0.8, k = 50, force = 3, x0 = 0.4, v0 = -1;
  Advance a("spring-mass-damper");
  a.parameter("mass", m).parameter("damping", c).parameter("stiffness", k).initial({x0, v0});
  a.inputs = {force};
  const double z = c / (2 * m);
  const double wd = std::sqrt(k / m - z * z);
  const double cosine = x0 - force / k;
  const double sine = (v0 + z * cosine) / wd;
  a.run(10_s, 1_ms, [&](double t, model::Stepper::In x) {
    const double decay = std::exp(-z * t);
    const double wave = cosine * std::cos(wd * t) + sine * std::sin(wd * t);
    const double turn = sine * std::cos(wd * t) - cosine * std::sin(wd * t);
    EXPECT_NEAR(x[0], force / k + decay * wave, 1e-10);
    EXPECT_NEAR(x[1], decay * (wd * turn - z * wave), 1e-9);
  });
}

// ---- pendulum ----------------------------------------------------------------------------------

double energy(model::Stepper::In x, double m, double l, double g) {
  return m * l * l * x[1] * x[1] / 2 + m * g * l * (1 - std::cos(x[0]));
}

TEST(Pendulum, KeepsItsEnergyWithoutFriction) {
  constexpr double m = 0.7, l = 1.3, g = 9.81;
  Advance a("pendulum");
  a.parameter("mass", m).parameter("length", l).parameter("gravity", g).initial({2.5, 0.3});
  const double start = energy(a.plant().states(), m, l, g);
  a.run(20_s, 1_ms, [&](double, model::Stepper::In x) {
    EXPECT_NEAR(energy(x, m, l, g), start, 1e-9 * start);
  });
}

// What friction takes is the work of its moment: the integral of b w^2, by the trapezoidal rule.
TEST(Pendulum, LosesToFrictionWhatFrictionTakes) {
  constexpr double m = 1, l = 1, g = 9.80665, b = 0.3;
  Advance a("pendulum");
  a.parameter("friction", b);
  const double start = energy(a.plant().states(), m, l, g);
  double taken = 0;
  double before = 0;
  a.run(3_s, 1_ms, [&](double, model::Stepper::In x) {
    const double power = b * x[1] * x[1];
    taken += 1e-3 * (before + power) / 2;
    before = power;
  });
  const double left = energy(a.plant().states(), m, l, g);
  EXPECT_LT(left, 0.6 * start);
  EXPECT_NEAR(start - left, taken, 1e-6);
}

// T = 4 sqrt(l/g) K(sin(a/2)) for an amplitude a; 2 pi sqrt(l/g) for a small one.
TEST(Pendulum, SwingsInItsPeriod) {
  constexpr double l = 0.8, g = 9.81;
  const auto period = [&](double amplitude) {
    Advance a("pendulum");
    a.parameter("length", l).parameter("gravity", g).initial({amplitude, 0});
    Rises rises;
    a.run(20_s, 1_ms, [&](double t, model::Stepper::In x) { rises.see(t, x[0]); });
    EXPECT_GE(rises.times.size(), 5U);
    return rises.period();
  };
  EXPECT_NEAR(period(1e-3), 2 * pi * std::sqrt(l / g), 1e-6);
  EXPECT_NEAR(period(1.5), 4 * std::sqrt(l / g) * std::comp_ellint_1(std::sin(0.75)), 1e-6);
}

// A torque of m g l / 2 holds it at 30 degrees.
TEST(Pendulum, RestsWhereTorqueAndWeightBalance) {
  Advance a("pendulum");
  a.parameter("mass", 2).parameter("length", 0.5).parameter("gravity", 10);
  a.inputs = {5};
  EXPECT_NEAR(a.derivatives({pi / 6, 0})[1], 0, 1e-14);
  a.inputs = {7};  // 2 N m too many turn 2 kg at 0.5 m: 2 / 0.5 rad/s2
  EXPECT_NEAR(a.derivatives({pi / 6, 0})[1], 4, 1e-13);
}

// ---- van-der-pol -------------------------------------------------------------------------------

// The limit cycle for mu = 1: period 6.66328686, amplitude 2.00861986 (literature).
TEST(VanDerPol, SettlesOnItsLimitCycleFromInsideAndOutside) {
  for (const double start : {0.1, 4.0}) {
    Advance a("van-der-pol");
    a.initial({start, 0});
    a.run(60_s, 1_ms);
    Rises rises;
    double amplitude = 0;
    a.run(40_s, 1_ms, [&](double t, model::Stepper::In x) {
      rises.see(t, x[0]);
      amplitude = std::max(amplitude, x[0]);
    });
    EXPECT_NEAR(rises.period(), 6.66328686, 1e-6) << start;
    EXPECT_NEAR(amplitude, 2.00861986, 1e-6) << start;
  }
}

// Without damping it is a harmonic oscillator around its drive.
TEST(VanDerPol, WithoutDampingIsHarmonic) {
  Advance a("van-der-pol");
  a.parameter("mu", 0).initial({1, 0});
  a.inputs = {0.25};
  a.run(10_s, 1_ms, [](double t, model::Stepper::In x) {
    EXPECT_NEAR(x[0], 0.25 + 0.75 * std::cos(t), 1e-11);
    EXPECT_NEAR(x[1], -0.75 * std::sin(t), 1e-11);
  });
}

// ---- oscillator-line ---------------------------------------------------------------------------

/// Some state of the circuit, and its parts: i_L, u_C, then i and u of five stages.
struct Line {
  static constexpr double l = 10e-3, c = 1e-3, r = 10, cubic = 0.04;

  std::vector<double> x = [] {
    std::vector<double> values(12);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = std::sin(1.7 * static_cast<double>(i) + 0.3);
    }
    return values;
  }();
  [[nodiscard]] double current(std::size_t stage) const { return x[2 * stage]; }  // 1 ... 5
  [[nodiscard]] double sum_of_currents(int power) const {
    double sum = 0;
    for (std::size_t s = 1; s <= 5; ++s) sum += std::pow(current(s), power);
    return sum;
  }
};

// Charge that enters the line through i_1 is in its capacitors: the far end is open.
TEST(OscillatorLine, KeepsItsCharge) {
  const Line line;
  Advance a("oscillator-line");
  const auto dx = a.derivatives(line.x);
  double charging = 0;
  for (std::size_t s = 1; s <= 5; ++s) charging += Line::c * dx[2 * s + 1];
  EXPECT_NEAR(charging, line.current(1), 1e-12);
}

// Voltage from the near end to the far one is lost in the coils and the resistors.
TEST(OscillatorLine, LosesItsVoltageInCoilsAndResistors) {
  const Line line;
  Advance a("oscillator-line");
  const auto dx = a.derivatives(line.x);
  double coils = 0;
  for (std::size_t s = 1; s <= 5; ++s) coils += Line::l * dx[2 * s];
  EXPECT_NEAR(line.x[1] - line.x[11], coils + Line::r * line.sum_of_currents(1), 1e-12);
}

// Power into the coils and capacitors is that of the source and of the active resistor, u^2 of
// 1 A/V less the cubic part, without the heat in the line.
TEST(OscillatorLine, KeepsItsEnergy) {
  const Line line;
  Advance a("oscillator-line");
  a.inputs = {0.7};
  const auto dx = a.derivatives(line.x);
  double stored = 0;
  for (std::size_t i = 0; i < 12; ++i)
    stored += (i % 2 == 0 ? Line::l : Line::c) * line.x[i] * dx[i];
  const double u = line.x[1];
  const double supplied = 0.7 * u + u * u - Line::cubic * u * u * u * u;
  EXPECT_NEAR(stored, supplied - Line::r * line.sum_of_currents(2), 1e-12);
}

// Each stage by itself: its coil between two capacitors, its capacitor between two coils.
TEST(OscillatorLine, FollowsTheLawsOfEachStage) {
  const Line line;
  Advance a("oscillator-line");
  const auto dx = a.derivatives(line.x);
  EXPECT_NEAR(Line::l * dx[0], line.x[1], 1e-12);
  for (std::size_t s = 1; s <= 5; ++s) {
    const double drop = line.x[2 * s - 1] - line.x[2 * s + 1];
    EXPECT_NEAR(Line::l * dx[2 * s], drop - Line::r * line.current(s), 1e-12) << s;
    const double leaving = s < 5 ? line.current(s + 1) : 0;
    EXPECT_NEAR(Line::c * dx[2 * s + 1], line.current(s) - leaving, 1e-12) << s;
  }
}

// It oscillates by itself, and the line follows.
TEST(OscillatorLine, StartsToOscillate) {
  Advance a("oscillator-line");
  double swing = 0;
  double far = 0;
  a.run(500_ms, 20_us, [&](double t, model::Stepper::In x) {
    if (t < 0.4) return;
    swing = std::max(swing, std::abs(x[1]));
    far = std::max(far, std::abs(x[11]));
  });
  EXPECT_GT(swing, 1);
  EXPECT_LT(swing, 10);
  EXPECT_GT(far, 0);
}

}  // namespace
}  // namespace hild::test
