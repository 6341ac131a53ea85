// SPDX-License-Identifier: Apache-2.0
/// Models with algebraic variables: found in every pass, torn in inlined steps, consistent after
/// events.
#include <gtest/gtest.h>

#include <cmath>

#include "model/advance.hpp"
#include "support/circuit_equations.hpp"

namespace hild::test {
namespace {

using Circuit = model::InlinedEquations<CircuitEquations>;

void step(model::Stepper& plant, SimTime t, Duration h, std::vector<double> u = {0.0}) {
  const int passes = plant.begin(t, h).count();
  for (int i = 0; i < passes; ++i) plant.pass(i, u);
  plant.finish();
}

// "We got away with six tearing variables", the voltages at places 1, 3 ... 11.
TEST(CircuitEquations, AreTornAtSixVoltages) {
  static_assert(numerics::Torn<Circuit>);
  constexpr auto plan = numerics::TornNewton<Circuit>::plan;
  EXPECT_EQ(plan.tearing.torn, 0b1010'1010'1010U);
  EXPECT_EQ(plan.tearing.causal, 8);
  // Only u_C occurs other than linearly: the iterations are about it alone.
  EXPECT_EQ(plan.core, 13);
  EXPECT_EQ(plan.variable[13], 1);
}

TEST(CircuitEquations, StepAsTornByHand) {
  for (const auto* m : {&numerics::backward_euler_1, &numerics::backward_euler_2,
                        &numerics::backward_euler, &numerics::backward_euler_5}) {
    const auto by_hand = model::find_model("oscillator-load")->make(*m);
    const auto found = model::make_stepper<CircuitEquations>(*m);
    ASSERT_TRUE(found->compiled_together());
    SimTime t{};
    step(*found, t, 1_ms);  // the first one goes on until i_R is found
    t += 1_ms;
    for (int n = 0; n < 200; ++n) {
      const Duration h = n % 10 == 7 ? Duration(2_ms) : n % 10 == 8 ? 1_us : Duration(1_ms);
      const std::vector<double> u{std::sin(0.3 * n)};
      by_hand->set_initial(found->states());
      step(*by_hand, t, h, u);
      step(*found, t, h, u);
      t += h;
      for (std::size_t i = 0; i < 13; ++i) {
        ASSERT_NEAR(found->states()[i], by_hand->states()[i], 1e-12) << m->name << " " << n << i;
      }
    }
  }
}

}  // namespace
}  // namespace hild::test
