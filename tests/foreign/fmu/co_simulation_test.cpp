// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs with a solver of their own: here forward Euler, whose steps are known.
#include <gmock/gmock.h>

#include <cmath>

#include "foreign/fmu/altered.hpp"

namespace hild::testing {
namespace {

using ::testing::HasSubstr;

/// An FMU of the build that offers co-simulation instead.
class CoSimulation : public OfVersion {
 protected:
  fmu::Model load(const std::string& model, const std::string& steps = any_length,
                  const fmi::Caps& caps = {}) {
    archive_.copy(model, GetParam());
    archive_.add("modelDescription.xml", with(description_of(model, GetParam()), "<ModelExchange",
                                              "<CoSimulation " + steps));
    auto loaded = fmu::load(archive_.path(), {.caps = caps});
    EXPECT_TRUE(loaded) << loaded.error().message;
    return loaded ? *loaded : fmu::Model{};
  }
  static constexpr const char* any_length = "canHandleVariableCommunicationStepSize=\"true\"";
  Archive archive_;
};
INSTANTIATE_TEST_SUITE_P(Fmi, CoSimulation, ::testing::Values(2, 3));

TEST_P(CoSimulation, IsTakenWhereThereIsNothingElse) {
  EXPECT_EQ(load("van_der_pol").kind, fmu::Kind::co_simulation);
  const auto refused = fmu::load(archive_.path(), {.kind = fmu::Kind::model_exchange});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("offers co-simulation only"));
  EXPECT_EQ(load_fmu("van_der_pol", GetParam()).kind, fmu::Kind::model_exchange);
}

TEST_P(CoSimulation, AdvancesItselfByOneStepAFrame) {
  const auto plant = load("van_der_pol").make(numerics::forward_euler);
  EXPECT_TRUE(plant->description().states.empty());
  EXPECT_EQ(plant->description().outputs.size(), 2U);
  EXPECT_EQ(plant->method().passes, 1);
  plant->system().set_parameter(0, 1.5);  // tunable
  // Euler by hand.
  double x = 2;
  double v = 0;
  SimTime t{};
  for (int n = 0; n < 50; ++n, t += 10_ms) {
    plant->step(t, 10_ms, std::array{0.25});
    const double dv = 1.5 * (1 - x * x) * v - x + 0.25;
    x += 0.01 * v;
    v += 0.01 * dv;
  }
  EXPECT_NEAR(output(*plant, "x", 0.5, {0.25}), x, 1e-12);
  EXPECT_NEAR(output(*plant, "v", 0.5, {0.25}), v, 1e-12);
  plant->reset();
  EXPECT_EQ(output(*plant, "x", 0, {0.25}), 2);
}

// Half of each step from 0.05 s on is discarded, or returned from early: hild asks for the rest,
// and again, as long as that leads on, and at most eight times.
TEST_P(CoSimulation, GoesOnAfterDiscardUntilItIsStuck) {
  const auto loaded = load("trouble");
  const auto plant = loaded.make(numerics::forward_euler);
  constexpr double discard = 9;  // as sources/trouble.h counts
  plant->system().set_parameter(0, discard);
  plant->set_initial({});
  SimTime t{};
  for (; t < SimTime{50'000'000}; t += 10_ms) plant->step(t, 10_ms, {});
  EXPECT_NEAR(output(*plant, "x", 0.05, {}), 0.05, 1e-12);
  // Halves never add up to a whole.
  plant->step(t, 10_ms, {});
  EXPECT_TRUE(std::isnan(output(*plant, "x", 0.06, {})));
  EXPECT_EQ(plant->system().cap_counts()->step_parts, 1);
  EXPECT_EQ(std::string_view(plant->system().failed_function()).find("do step"), 0U);
}

// After eight halves 1/256 of the step is missing; what comes next makes up for it as far as it
// can.
TEST_P(CoSimulation, MayCarryOnFromWhereAStepWasLeft) {
  fmi::Caps caps;
  caps.step_parts.stop = false;
  const auto loaded = load("trouble", any_length, caps);
  const auto plant = loaded.make(numerics::forward_euler);
  plant->system().set_parameter(0, 9);
  plant->set_initial({});
  SimTime t{};
  for (; t < SimTime{60'000'000}; t += 10_ms) plant->step(t, 10_ms, {});
  EXPECT_NEAR(output(*plant, "x", 0.06, {}), 0.06 - 0.01 / 256, 1e-12);
  EXPECT_EQ(plant->system().cap_counts()->step_parts, 1);
  plant->step(t, 10_ms, {});
  EXPECT_NEAR(output(*plant, "x", 0.07, {}), 0.07 - (0.01 + 0.01 / 256) / 256, 1e-12);
  EXPECT_EQ(plant->system().cap_counts()->step_parts, 2);
}

// Steps of any length are not to be taken for granted: by default an FMU takes them of one.
TEST_P(CoSimulation, TakesNoPartOfAStepUnlessItSaysSo) {
  const auto plant = load("trouble", "").make(numerics::forward_euler);
  plant->system().set_parameter(0, 9);
  plant->set_initial({});
  SimTime t{};
  for (; t < SimTime{50'000'000}; t += 10_ms) plant->step(t, 10_ms, {});
  EXPECT_NEAR(output(*plant, "x", 0.05, {}), 0.05, 1e-12);
  plant->step(t, 10_ms, {});  // from here on half of each is discarded
  EXPECT_TRUE(std::isnan(output(*plant, "x", 0.06, {})));
  EXPECT_THAT(plant->system().failed_function(),
              ::testing::StartsWith("do step (it takes steps of one"));
}

// 2.0 discards the step and says so when asked; 3.0 says so at once.
TEST_P(CoSimulation, MayAskToTerminate) {
  const auto plant = load("trouble").make(numerics::forward_euler);
  constexpr double end_step = 17;  // as sources/trouble.h counts
  plant->system().set_parameter(0, end_step);
  plant->set_initial({});
  SimTime t{};
  for (; t < SimTime{40'000'000}; t += 10_ms) plant->step(t, 10_ms, {});
  EXPECT_EQ(plant->system().failed_function(), nullptr);
  for (; t < SimTime{60'000'000}; t += 10_ms) plant->step(t, 10_ms, {});  // it ends at 0.05 s
  EXPECT_STREQ(plant->system().failed_function(), "do step (it asks to terminate)");
}

TEST_P(CoSimulation, RunsInTheLoop) {
  Rig rig(load("trouble").make(numerics::forward_euler), [](double) { return 0.0; });
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(output(rig.plant, "x", 0.2, {}), 0.2, 1e-12);
}

}  // namespace
}  // namespace hild::testing
