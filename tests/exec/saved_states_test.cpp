// SPDX-License-Identifier: Apache-2.0
/// States and parameters that are saved, reset and put back; histories that are dropped.
#include <gtest/gtest.h>

#include <numbers>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Side;
using exec::Stimulus;

TEST(States, AreSavedResetAndRestoredExactly) {
  for (const auto* method : {&numerics::forward_euler, &numerics::rk4, &numerics::ab4}) {
    SteeringRig rig(*method, [](double t) { return std::sin(300 * t); });
    rig.at[9] = [&] { rig.post(transaction(1, exec::SaveStates{2}, exec::SetParameter{0, 5.0})); };
    rig.at[19] = [&] { rig.post(transaction(2, exec::Reset{true})); };
    rig.at[29] = [&] { rig.post(transaction(3, exec::SetParameter{0, 7.0})); };
    rig.at[34] = [&] { rig.post(transaction(4, exec::RestoreStates{2, false})); };
    rig.at[39] = [&] { rig.post(transaction(5, exec::RestoreStates{2, true})); };
    std::vector<double> starts;
    std::vector<double> gains;
    rig.every_step = [&](std::int64_t) {
      starts.push_back(rig.plant.states()[0]);
      gains.push_back(rig.plant.system().parameter(0));
    };
    rig.run(50);
    EXPECT_EQ(rig.replies.size(), 5U);
    EXPECT_NE(starts[10], 0);
    EXPECT_EQ(starts[20], 0);
    EXPECT_EQ(starts[35], starts[10]);
    EXPECT_EQ(starts[40], starts[10]);
    EXPECT_EQ(gains[19], 5);
    EXPECT_EQ(gains[20], 1);
    EXPECT_EQ(gains[35], 7);
    EXPECT_EQ(gains[40], 1);
    std::vector<double> saved;
    ASSERT_TRUE(rig.loop->saved_states().read(2, saved));
    EXPECT_EQ(saved, (std::vector<double>{starts[10], 1, 0}));  // the state, two parameters
    EXPECT_FALSE(rig.loop->saved_states().read(3, saved));
    EXPECT_EQ(rig.steps[35].header.t.ns, 35'000'000);  // time went on
  }
}

// From a reset on, a run is the same as one that begins there, to the bit.
TEST(States, AfterAResetAreThoseOfARunThatBegins) {
  const auto periodic = [](double t) { return std::cos(2 * std::numbers::pi * 50 * t); };
  SteeringRig rig(numerics::ab4, [&](double t) { return std::round(1e6 * periodic(t)) / 1e6; });
  rig.at[39] = [&] { rig.post(transaction(1, exec::Reset{})); };
  rig.run(80);
  for (std::size_t n = 0; n < 40; ++n) {
    EXPECT_EQ(rig.steps[40 + n].states[0], rig.steps[n].states[0]) << n;
  }
  EXPECT_TRUE(rig.steps[40].header.starter);
}

/// x' = u, and counts how often x crossed 5.5 thousandths, in either direction.
struct Counter {
  static constexpr std::string_view name = "counter";
  static constexpr std::string_view summary = "counts crossings";
  static constexpr std::array states{model::State{"x"}, model::State{"count"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"threshold", model::Crossing::both}};
  using D = model::Data<Counter>;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept {
    dx[0] = u[0];
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0] - 5.5e-3;
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[1] += 1; }
};

// To have been put back is no crossing, and the way up from there is one again.
TEST(States, ThatArePutBackCrossNoThreshold) {
  for (const bool reset : {false, true}) {
    SteeringRig rig(model::make_stepper<Counter>(numerics::forward_euler),
                    [](double) { return 1.0; });
    rig.at[2] = [&] { rig.post(transaction(1, exec::SaveStates{0})); };  // x = 3 thousandths
    // In frame 9: the one with the event began three times.
    rig.at[11] = [&] {
      rig.post(reset ? transaction(2, exec::Reset{}) : transaction(2, exec::RestoreStates{0}));
    };
    rig.run(20);
    EXPECT_EQ(rig.replies.size(), 2U);
    EXPECT_EQ(rig.steps[9].states[1], 1);
    EXPECT_EQ(rig.steps[10].states[1], 0) << "as it was saved";
    EXPECT_EQ(rig.steps[19].states[1], 1);
    EXPECT_EQ(rig.loop->statistics().state_events.get(), 2);
    EXPECT_NEAR(rig.steps[19].states[0], reset ? 10e-3 : 13e-3, 1e-15);
  }
}

TEST(Restart, DropsTheHistoryWhenAskedTo) {
  for (const bool restart : {false, true}) {
    SteeringRig rig(numerics::ab4);
    rig.at[9] = [&] { rig.post(transaction(1, exec::SetParameter{0, 2, restart})); };
    rig.at[19] = [&] {
      rig.post(transaction(2, Override{Side::input, 0, OverrideKind::stuck, 3, 0, 0, restart}));
    };
    rig.at[29] = [&] { rig.post(transaction(3, Stimulus{.amplitude = 3, .restart = restart})); };
    rig.run(40);
    for (const std::size_t n : {10U, 20U, 30U}) EXPECT_EQ(rig.steps[n].header.starter, restart);
  }
}

}  // namespace
}  // namespace hild::testing
