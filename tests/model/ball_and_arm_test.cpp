// SPDX-License-Identifier: Apache-2.0
/// \file
/// The bouncing ball and the two-link arm, against mechanics written another way.
#include <gtest/gtest.h>

#include <cmath>

#include "model/advance.hpp"

namespace hild::test {
namespace {

// ---- bouncing-ball -----------------------------------------------------------------------------

TEST(BouncingBall, FallsWithWeightDragAndForce) {
  Advance a("bouncing-ball");
  a.parameter("mass", 2).parameter("gravity", 10).parameter("drag", 0.5);
  a.inputs = {3};
  // 2 v' = 3 - 20 - 0.5 v |v|
  EXPECT_DOUBLE_EQ(a.derivatives({5, 4})[1], (3 - 20 - 8) / 2.0);
  EXPECT_DOUBLE_EQ(a.derivatives({5, -4})[1], (3 - 20 + 8) / 2.0);
  EXPECT_EQ(a.derivatives({5, -4})[0], -4);
}

TEST(BouncingBall, TurnsAroundAtTheFloorOrStaysThere) {
  Advance a("bouncing-ball");
  a.parameter("restitution", 0.5).parameter("rest_speed", 0.1);
  a.initial({-1e-9, -4}).act(0);
  EXPECT_EQ(a.state(0), 0);
  EXPECT_EQ(a.state(1), 2);
  a.initial({-1e-9, -0.19}).act(0);
  EXPECT_EQ(a.state(1), 0);
  EXPECT_EQ(a.derivatives({0, 0})[1], 0) << "it rests";
  a.inputs = {20};
  EXPECT_GT(a.derivatives({0, 0})[1], 0) << "more than its weight lifts it";
}

// ---- two-link-arm ------------------------------------------------------------------------------

/// The arm as two bodies whose centres move in a plane.
struct Arm {
  double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 0.8, c1 = 0.4, c2 = 0.3, i1 = 0.11, i2 = 0.05, g = 9.81;

  struct Body {
    double mass, inertia, x, y, vx, vy, rate;
  };
  [[nodiscard]] std::array<Body, 2> bodies(std::span<const double> s) const {
    const double a = s[0], b = s[0] + s[1], wa = s[2], wb = s[2] + s[3];
    return {Body{m1, i1, c1 * std::cos(a), c1 * std::sin(a), -c1 * std::sin(a) * wa,
                 c1 * std::cos(a) * wa, wa},
            Body{m2, i2, l1 * std::cos(a) + c2 * std::cos(b), l1 * std::sin(a) + c2 * std::sin(b),
                 -l1 * std::sin(a) * wa - c2 * std::sin(b) * wb,
                 l1 * std::cos(a) * wa + c2 * std::cos(b) * wb, wb}};
  }
  [[nodiscard]] double energy(std::span<const double> s) const {
    double sum = 0;
    for (const Body& b : bodies(s)) {
      sum += 0.5 * b.mass * (b.vx * b.vx + b.vy * b.vy) + 0.5 * b.inertia * b.rate * b.rate +
             b.mass * g * b.y;
    }
    return sum;
  }
  /// About the shoulder.
  [[nodiscard]] double angular_momentum(std::span<const double> s) const {
    double sum = 0;
    for (const Body& b : bodies(s)) sum += b.mass * (b.x * b.vy - b.y * b.vx) + b.inertia * b.rate;
    return sum;
  }
  [[nodiscard]] double weight_moment(std::span<const double> s) const {
    double sum = 0;
    for (const Body& b : bodies(s)) sum -= b.mass * g * b.x;
    return sum;
  }
  Advance& set(Advance& a) const {
    return a.parameter("mass_1", m1)
        .parameter("mass_2", m2)
        .parameter("length_1", l1)
        .parameter("length_2", l2)
        .parameter("centre_1", c1)
        .parameter("centre_2", c2)
        .parameter("inertia_1", i1)
        .parameter("inertia_2", i2)
        .parameter("gravity", g);
  }
  /// d f / dt along the derivatives of the model, by central differences of f.
  template <class F>
  [[nodiscard]] static double rate_of(const F& f, const std::vector<double>& x,
                                      const std::vector<double>& dx) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      auto up = x, down = x;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      sum += (f(up) - f(down)) / 2e-5 * dx[i];
    }
    return sum;
  }
};

const std::vector<std::vector<double>> arm_states{
    {0.3, 0.7, 1.1, -0.4}, {-1.2, -2.0, 0.5, 2.5}, {2.2, 1.4, -3.0, 1.0}, {0, 0.1, 0, 0}};

// Power in: torques times rates, less friction. With the angular momentum this leaves the
// equations of motion no freedom.
TEST(TwoLinkArm, KeepsEnergyAndAngularMomentum) {
  const Arm arm;
  Advance a("two-link-arm");
  arm.set(a).parameter("friction_1", 0.2).parameter("friction_2", 0.3);
  a.inputs = {1.7, -0.6};
  for (const auto& x : arm_states) {
    const auto dx = a.derivatives(x);
    const double m1 = 1.7 - 0.2 * x[2], m2 = -0.6 - 0.3 * x[3];
    EXPECT_NEAR(Arm::rate_of([&](const auto& s) { return arm.energy(s); }, x, dx),
                m1 * x[2] + m2 * x[3], 1e-7);
    EXPECT_NEAR(Arm::rate_of([&](const auto& s) { return arm.angular_momentum(s); }, x, dx),
                m1 + arm.weight_moment(x), 1e-7);
  }
}

// The impulse acts between the links: nothing about the shoulder changes.
TEST(TwoLinkArm, AtAStopKeepsItsAngularMomentumAndLosesEnergyByItsRestitution) {
  const Arm arm;
  for (const double e : {1.0, 0.5, 0.0}) {
    Advance a("two-link-arm");
    arm.set(a).parameter("stop_high", 1.5).parameter("restitution", e);
    const std::vector<double> before{0.4, 1.5, -0.7, 2.0};
    a.initial(before).act(1);
    const std::vector<double> after(a.plant().states().begin(), a.plant().states().end());
    EXPECT_DOUBLE_EQ(after[3], -e * 2.0);
    EXPECT_NEAR(arm.angular_momentum(after), arm.angular_momentum(before), 1e-13);
    if (e == 1) {
      EXPECT_NEAR(arm.energy(after), arm.energy(before), 1e-13);
    } else {
      EXPECT_LT(arm.energy(after), arm.energy(before) - 1e-3);
    }
  }
}

TEST(TwoLinkArm, PressedAgainstItsStopMovesAsOneBody) {
  const Arm arm;
  Advance a("two-link-arm");
  arm.set(a).parameter("stop_high", 1.5);
  a.inputs = {0.3, 50};
  const std::vector<double> x{0.4, 1.5, -0.7, 0};
  const auto dx = a.derivatives(x);
  EXPECT_EQ(dx[3], 0);
  EXPECT_NEAR(Arm::rate_of([&](const auto& s) { return arm.angular_momentum(s); }, x, dx),
              0.3 + arm.weight_moment(x), 1e-7);
  a.inputs = {0.3, -50};
  EXPECT_LT(a.derivatives(x)[3], 0) << "it may leave the stop";
}

TEST(TwoLinkArm, ReachesWhereItsLinksEnd) {
  Advance a("two-link-arm");
  a.parameter("length_1", 0.9).parameter("length_2", 0.8).initial({M_PI / 2, -M_PI / 2, 0, 0});
  const auto y = a.outputs();
  EXPECT_NEAR(y[2], 0.8, 1e-15);
  EXPECT_NEAR(y[3], 0.9, 1e-15);
}

}  // namespace
}  // namespace hild::test
