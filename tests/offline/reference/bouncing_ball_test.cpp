// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reference runs of the bouncing ball: impacts where its parabolas, and its falls with drag, end.
#include <gtest/gtest.h>

#include <cmath>

#include "offline/reference/simulated.hpp"

namespace hild::test {
namespace {

std::unique_ptr<model::System> ball(double drag, double restitution, double height) {
  auto system = model::find_model("bouncing-ball")->make_system();
  system->set_parameter(1, 9.81);
  system->set_parameter(2, drag);
  system->set_parameter(3, restitution);
  system->set_initial(Vector{height, 0});
  return system;
}

// From rest at H: sqrt(2 H / g), then twice the speed over g, each e times the one before. A
// parabola is exact for the formulas, so that only rounding is left.
TEST(BouncingBall, HitsTheFloorWhereItsParabolasEnd) {
  constexpr double g = 9.81, e = 0.7, height = 1.3;
  for (const auto kind : both_formulas) {
    Simulated b(ball(0, e, height));
    b.options.formula = kind;
    ASSERT_TRUE(b.run(3_s));
    double t = std::sqrt(2 * height / g);
    double v = g * t;
    ASSERT_GE(b.kept.events.size(), 15U);
    for (std::size_t i = 0; i < 15; ++i) {
      v *= e;
      EXPECT_NEAR(b.kept.events[i].t, t, 1e-12) << i;
      EXPECT_NEAR(b.kept.events[i].x[1], v, 1e-11) << i;
      t += 2 * v / g;
    }
  }
}

// m = 1: falling v = -w tanh(g t / w), w^2 = g / d; rising v = w tan(atan(v0 / w) - g t / w).
struct Drag {
  double g, w;
  [[nodiscard]] double fall_time(double height) const {
    return w / g * std::acosh(std::exp(g * height / (w * w)));
  }
  [[nodiscard]] double fall_speed(double height) const {
    return w * std::sqrt(-std::expm1(-2 * g * height / (w * w)));
  }
  [[nodiscard]] double rise_time(double v) const { return w / g * std::atan(v / w); }
  [[nodiscard]] double rise(double v) const {
    return w * w / (2 * g) * std::log1p(v * v / (w * w));
  }
};

TEST(BouncingBall, WithDragHitsTheFloorWhenItShouldWithinTheTolerance) {
  constexpr double e = 0.8, height = 4;
  const Drag drag{9.81, std::sqrt(9.81 / 0.2)};
  for (const auto kind : both_formulas) {
    double before = 1;
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      Simulated b(ball(0.2, e, height));
      b.options.formula = kind;
      b.options.tolerance = {tolerance, tolerance};
      ASSERT_TRUE(b.run(6_s));
      ASSERT_GE(b.kept.events.size(), 6U);
      double t = drag.fall_time(height);
      double v = drag.fall_speed(height);
      double worst = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        v *= e;
        worst = std::max(
            {worst, std::abs(b.kept.events[i].t - t), std::abs(b.kept.events[i].x[1] - v)});
        t += drag.rise_time(v) + drag.fall_time(drag.rise(v));
        v = drag.fall_speed(drag.rise(v));
      }
      EXPECT_LT(worst, 100 * tolerance);
      EXPECT_LT(worst, before / 5) << "a smaller tolerance must tell";
      before = worst;
    }
  }
}

// Thrown up from the floor at 1 cm/s it is back after 2 ms, long before the first step has ended.
TEST(BouncingBall, ThatLeavesTheFloorForAMomentIsSeenToComeBack) {
  Simulated b(ball(0, 0.5, 0));
  b.system->set_initial(Vector{0, 0.01});
  b.options.first_step = 1;
  ASSERT_TRUE(b.run(3_s));
  ASSERT_FALSE(b.kept.events.empty());
  EXPECT_NEAR(b.kept.events[0].t, 2 * 0.01 / 9.81, 1e-12);
}

TEST(BouncingBall, ComesToRestAndStaysThere) {
  Simulated b(ball(0, 0.5, 1));
  ASSERT_TRUE(b.run(100_s, 10_s));
  EXPECT_EQ(b.kept.rows.back().x[0], 0);
  EXPECT_EQ(b.kept.rows.back().x[1], 0);
  // 4.43 m/s halved at each impact: below 1 mm/s with the thirteenth.
  EXPECT_EQ(b.kept.events.size(), 13U);
}

// Without a rest speed the bounces pile up at sqrt(2 H / g) (1 + e) / (1 - e), and never end.
TEST(BouncingBall, ThatMayNotRestIsAFaultThatSaysWhere) {
  Simulated b(ball(0, 0.5, 1));
  b.system->set_parameter(4, 0);
  const auto done = b.run(10_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_NEAR(b.summary.end, std::sqrt(2 / 9.81) * 3, 1e-6);
}

}  // namespace
}  // namespace hild::test
