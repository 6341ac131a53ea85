// SPDX-License-Identifier: Apache-2.0
/// Coupled models that are steered from outside: faults in a connection, parameters, saved states,
/// a reset, under every way of sampling.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Side;

/// y = x, x' = 1.
struct Seconds {
  static constexpr std::string_view name = "seconds";
  static constexpr std::string_view summary = "the time";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Seconds>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// b.x' = gain a.y: the one input of both is the connected one.
std::unique_ptr<model::Stepper> pair(const numerics::Method& method, int degree) {
  return couple(kilohertz, {{.from = 0, .to = 0, .degree = degree}},
                One{"a", model::make_stepper<Seconds>(method)},
                One{"b", model::make_stepper<Integral>(method)});
}
SteeringRig rig_of(const numerics::Method& method, int degree) {
  return {pair(method, degree), [](double) { return 77.0; }};
}

struct SteeringCase {
  exec::Sampling sampling;
  int degree;
};
class CoupledSteering : public ::testing::TestWithParam<SteeringCase> {
 protected:
  void SetUp() override { rig.settings.sampling = GetParam().sampling; }
  // What b gains in frame n undisturbed: of the time at the tick, or of that in its middle.
  [[nodiscard]] double gained(double n) const {
    return 1e-6 * (GetParam().degree == 0 ? n : n + 0.5);
  }
  void expect_gains(const std::vector<std::pair<std::size_t, double>>& others) {
    double x = rig.steps[1].states[1];  // the first frame holds, having one value
    for (std::size_t n = 2; n < rig.steps.size(); ++n) {
      double wanted = gained(static_cast<double>(n));
      for (const auto& [frame, other] : others) wanted = frame == n ? other : wanted;
      EXPECT_NEAR(rig.steps[n].states[1] - x, wanted, 1e-15) << n;
      x = rig.steps[n].states[1];
    }
  }

  SteeringRig rig = rig_of(numerics::rtrk2, GetParam().degree);
};

TEST_P(CoupledSteering, RunsUndisturbed) {
  rig.run(8);
  expect_gains({});
  for (std::size_t n = 0; n < 8; ++n) {
    EXPECT_NEAR(rig.steps[n].inputs[0], 1e-3 * static_cast<double>(n), 1e-15);  // never 77
  }
}

TEST_P(CoupledSteering, FaultsActInAConnection) {
  rig.at[2] = [this] {
    rig.post(transaction(
        1, Override{.signal = 0, .kind = OverrideKind::stuck, .value = 5, .frames = 2}));
  };
  rig.run(8);
  expect_gains({{3, 5e-3}, {4, 5e-3}});
  EXPECT_EQ(rig.steps[3].inputs[0], 5);
  EXPECT_NEAR(rig.steps[3].outputs[0], 4e-3, 1e-15);  // what feeds it is as it was
  EXPECT_NEAR(rig.steps[5].inputs[0], 5e-3, 1e-15);
}

TEST_P(CoupledSteering, ParametersAreThoseOfTheirModels) {
  rig.at[3] = [this] { rig.post(transaction(1, exec::SetParameter{0, 10.0})); };
  rig.run(6);
  expect_gains({{4, 10 * gained(4)}, {5, 10 * gained(5)}});
}

TEST_P(CoupledSteering, StatesAreSavedAndRestored) {
  rig.at[2] = [this] { rig.post(transaction(1, exec::SaveStates{1})); };  // as of tick 3
  rig.at[5] = [this] { rig.post(transaction(2, exec::RestoreStates{1, true})); };
  rig.run(8);
  // From tick 6 on it is where it was at tick 3; its connection goes on from there.
  EXPECT_NEAR(rig.steps[6].states[0], 4e-3, 1e-15);
  EXPECT_NEAR(rig.steps[6].inputs[0], 3e-3, 1e-15);
  EXPECT_NEAR(rig.steps[6].states[1] - rig.steps[2].states[1], 3e-6, 1e-15);  // one value: held
  EXPECT_NEAR(rig.steps[7].states[1] - rig.steps[6].states[1], gained(4), 1e-15);
}

TEST_P(CoupledSteering, AResetIsABeginning) {
  rig.at[6] = [this] { rig.post(transaction(1, exec::Reset{true})); };
  rig.run(14);
  for (std::size_t n = 0; n < 7; ++n) {
    EXPECT_EQ(rig.steps[7 + n].states, rig.steps[n].states) << n;
    EXPECT_EQ(rig.steps[7 + n].inputs, rig.steps[n].inputs) << n;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CoupledSteering,
                         ::testing::Values(SteeringCase{exec::Sampling::frame, 0},
                                           SteeringCase{exec::Sampling::frame, 1},
                                           SteeringCase{exec::Sampling::stage, 0},
                                           SteeringCase{exec::Sampling::stage, 1}),
                         [](const auto& one) {
                           return std::string(one.param.sampling == exec::Sampling::frame
                                                  ? "Frame"
                                                  : "Stage") +
                                  (one.param.degree == 0 ? "Hold" : "Linear");
                         });

}  // namespace
}  // namespace hild::testing
