// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_controller.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/drivers/fake_options.hpp"

namespace hild::sim {
namespace {

// For a constant error e the command after k + 1 samples is kp e + ki e (k + 1) dt.
TEST(Pi, RampsUnderAConstantError) {
  Pi pi(2, 10, {-100, 100});
  for (int k = 0; k < 50; ++k) {
    EXPECT_NEAR(pi.step(0.5, 0.01), 2 * 0.5 + 10 * 0.5 * (k + 1) * 0.01, 1e-12);
  }
}

// Around an integrator y' = u without delay, sampled with dt: y_{k+1} = y_k + u_k dt. With error
// e_k = -y_k and I_k = I_{k-1} - ki dt y_k the loop is the recurrence y_{k+1} = y_k (2 - (kp + ki
// dt) dt) - y_{k-1} (1 - kp dt); its closed form comes from the roots of its characteristic
// polynomial.
TEST(Pi, ClosedLoopFollowsItsCharacteristicRoots) {
  constexpr double kp = 3, ki = 20, dt = 0.01;
  constexpr double b = 2 - (kp + ki * dt) * dt, c = 1 - kp * dt;  // z^2 - b z + c
  ASSERT_LT(b * b, 4 * c);                                        // a complex pair r e^{+-i w}
  const double r = std::sqrt(c), w = std::acos(b / (2 * r));
  // y_0 = 1, y_1 = 1 - (kp + ki dt) dt; y_k = r^k (a cos(w k) + s sin(w k)).
  const double y1 = 1 - (kp + ki * dt) * dt;
  const double a = 1, s = (y1 / r - std::cos(w)) / std::sin(w);

  Pi pi(kp, ki, {-1000, 1000});
  double y = 1;
  for (int k = 0; k < 300; ++k) {
    EXPECT_NEAR(y, std::pow(r, k) * (a * std::cos(w * k) + s * std::sin(w * k)), 1e-11) << k;
    y += pi.step(-y, dt) * dt;
  }
}

TEST(Pi, DoesNotWindUpWhileTheLimitsCut) {
  Pi pi(1, 10, {-2, 2});
  for (int k = 0; k < 1000; ++k) EXPECT_EQ(pi.step(5, 0.01), 2);
  // The proportional part alone was beyond the limit: the integral is still 0, so one sample of
  // the opposite error answers at once with kp e + ki e dt.
  EXPECT_DOUBLE_EQ(pi.step(-1, 0.01), -1 - 0.1);
}

TEST(Pi, StopsIntegratingAtTheLimitAndLeavesItAtOnce) {
  Pi pi(0, 10, {-1, 1});
  double last = 0;
  for (int k = 0; k < 100; ++k) last = pi.step(1, 0.03);  // 0.3 a sample: 0.3 0.6 0.9 1 1 ...
  EXPECT_EQ(last, 1);
  EXPECT_NEAR(pi.step(-1, 0.03), 0.6, 1e-12);  // from 0.9, not from 30
}

TEST(Pi, UnwindsFromTheLowerLimitAlike) {
  Pi pi(0, 10, {-1, 1});
  for (int k = 0; k < 100; ++k) (void)pi.step(-1, 0.03);
  EXPECT_NEAR(pi.step(1, 0.03), -0.6, 1e-12);
}

TEST(GridOfRate, KeepsWholeRatesExact) {
  EXPECT_EQ(grid_of_rate(3000).tick(3000), 1_s);
  EXPECT_EQ(grid_of_rate(3000).tick(1), Duration{333'333});
  EXPECT_EQ(grid_of_rate(0.5).tick(1), 2_s);
  EXPECT_EQ(grid_of_rate(62.5).tick(1), 16_ms);
}

TEST(Controller, ReadsItsKeys) {
  test::FakeOptions options{{"type", "pi"},     {"measure", "3"},   {"command", "1"},
                            {"rate", "500 Hz"}, {"phase", "1 ms"},  {"setpoint.constant", "2 V"},
                            {"kp", "0.5 V/V"},  {"ki", "10 V/V/s"}, {"limits", "-5 V..5 V"}};
  Controller controller(options);
  EXPECT_EQ(options.unknown(), std::set<std::string>{});
  EXPECT_EQ(controller.measure(), 3);
  EXPECT_EQ(controller.command(), 1);
  EXPECT_EQ(controller.due(0), 1_ms);
  EXPECT_EQ(controller.due(2), 5_ms);
  EXPECT_NEAR(controller.tick({}, 1.0), 0.5 * 1 + 10 * 1 * 0.002, 1e-15);
}

TEST(Controller, ItsSetpointMayChangeWithTime) {
  test::FakeOptions options{{"type", "pi"},
                            {"measure", "0"},
                            {"command", "0"},
                            {"rate", "1 kHz"},
                            {"kp", "1 V/V"},
                            {"setpoint.step.before", "0 V"},
                            {"setpoint.step.after", "3 V"},
                            {"setpoint.step.at", "10 ms"}};
  Controller controller(options);
  EXPECT_EQ(controller.tick(9_ms, 1), -1);
  EXPECT_EQ(controller.tick(10_ms, 1), 2);
}

}  // namespace
}  // namespace hild::sim
