// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reference runs of the two-link arm: its energy, held torques, its stops.
#include <gtest/gtest.h>

#include <cmath>

#include "offline/reference/simulated.hpp"

namespace hild::test {
namespace {

std::unique_ptr<model::System> arm() {
  auto system = model::find_model("two-link-arm")->make_system();
  system->set_initial(Vector{0.2, 1.0, 0, 0});
  system->set_parameter(11, -1e3);  // no stops
  system->set_parameter(12, 1e3);
  return system;
}

/// Of the arm with its default parameters: rods of 1 kg and 1 m.
double arm_energy(std::span<const double> x) {
  const double a = x[0], b = x[0] + x[1], wa = x[2], wb = x[2] + x[3], g = 9.80665;
  const double vx = -std::sin(a) * wa - 0.5 * std::sin(b) * wb;
  const double vy = std::cos(a) * wa + 0.5 * std::cos(b) * wb;
  return wa * wa / 6 + 0.5 * (vx * vx + vy * vy) + wb * wb / 24 +
         g * (0.5 * std::sin(a) + std::sin(a) + 0.5 * std::sin(b));
}

TEST(TwoLinkArm, WithoutTorqueAndFrictionKeepsItsEnergy) {
  for (const auto kind : both_formulas) {
    Simulated b(arm());
    b.options.formula = kind;
    b.options.tolerance = {1e-10, 1e-12};
    ASSERT_TRUE(b.run(5_s, 10_ms));
    const double start = arm_energy(b.kept.rows.front().x);
    for (const auto& r : b.kept.rows) EXPECT_NEAR(arm_energy(r.x), start, 2e-7) << r.t;
  }
}

// The paper's use of the method: torques that hold over the time of integration.
TEST(TwoLinkArm, WithHeldTorqueFollowsMuchFinerFixedSteps) {
  const Vector torque{12, -3};
  auto system = arm();
  Problem fine(4, [&](double t, auto x, auto dx) { system->derivatives(t, x, torque, dx); });
  const Vector exact = fixed_rk4(fine, 0, {0.2, 1.0, 0, 0}, 1e-5, 200'000);
  for (const auto kind : both_formulas) {
    Simulated b(arm());
    b.options.formula = kind;
    b.options.tolerance = {1e-10, 1e-12};
    ASSERT_TRUE(b.run(HeldInputs(torque), 2_s));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b.summary.states[i], exact[i], 1e-7) << i;
  }
}

// Against the stops energy is lost at impacts only, and the elbow never leaves its range.
TEST(TwoLinkArm, BetweenItsStopsLosesEnergyAtImpactsOnly) {
  Simulated b(arm());
  b.system->set_parameter(11, -0.4);
  b.system->set_parameter(12, 1.2);
  ASSERT_TRUE(b.run(3_s, 1_ms));
  ASSERT_GT(b.kept.events.size(), 3U);
  std::size_t next = 0;
  double energy = arm_energy(b.kept.rows.front().x);
  for (const auto& r : b.kept.rows) {
    for (; next < b.kept.events.size() && b.kept.events[next].t <= r.t; ++next) {
      const double after = arm_energy(b.kept.events[next].x);
      EXPECT_LE(after, energy + 1e-9);
      energy = after;
    }
    EXPECT_NEAR(arm_energy(r.x), energy, 1e-6) << r.t;
    EXPECT_GE(r.x[1], -0.4 - 1e-9);
    EXPECT_LE(r.x[1], 1.2 + 1e-9);
  }
}

}  // namespace
}  // namespace hild::test
