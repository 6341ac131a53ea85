// SPDX-License-Identifier: Apache-2.0
/// \file
/// Huang's method between the ends of its step and beside its result: the embedded estimate and the
/// dense output.
#include <gtest/gtest.h>

#include "hild/numerics/methods.hpp"
#include "numerics/problem.hpp"

namespace hild::numerics {
namespace {

using Kernel = ExplicitStep<Static<2>, Fixed<ode45>>;

Kernel after_one_step(Duration h) {
  Kernel step{Static<2>{}, Fixed<ode45>{}};
  start(step);
  advance(step, {}, h);
  return step;
}

// A result of order p misses by h^(p+1) in one step.
double order_of_one_step(auto&& error) {
  return std::log2(error(Duration(80_ms)) / error(Duration(40_ms))) - 1;
}

TEST(Embedded, TheEstimateIsOfThirdOrder) {
  const double order = order_of_one_step([](Duration h) {
    std::array<double, 2> e{};
    EXPECT_TRUE(after_one_step(h).error_estimate(e));
    return std::hypot(e[0], e[1]);
  });
  EXPECT_NEAR(order, 3, 0.25);
}

// The state less the estimate is the embedded result; what that misses is what was estimated.
TEST(Embedded, TheEstimateIsTheErrorOfTheEmbeddedResult) {
  const Kernel step = after_one_step(10_ms);
  const auto exact = reference(0.01);
  std::array<double, 2> e{};
  ASSERT_TRUE(step.error_estimate(e));
  for (std::size_t s = 0; s < 2; ++s) {
    const double missed = step.state()[s] - e[s] - exact[s];
    EXPECT_NEAR(missed, -e[s], 0.15 * std::abs(e[s])) << s;
  }
}

TEST(Dense, IsOfThirdOrderWithinTheStepAndOfFourthAtItsEnd) {
  for (const double theta : {0.2, 0.4, 0.6, 0.8, 1.0}) {
    const double order = order_of_one_step([theta](Duration h) {
      std::array<double, 2> x{};
      EXPECT_TRUE(after_one_step(h).dense(theta, x));
      return distance(std::span(x), reference(theta * seconds(h)));
    });
    EXPECT_NEAR(order, theta < 1 ? 3 : 4, 0.4) << theta;
  }
}

TEST(Dense, BeginsAndEndsWithTheStep) {
  const Kernel step = after_one_step(50_ms);
  std::array<double, 2> x{};
  ASSERT_TRUE(step.dense(0, x));
  EXPECT_EQ(x[0], 0.5);
  EXPECT_EQ(x[1], 1.0);
  ASSERT_TRUE(step.dense(1, x));
  EXPECT_NEAR(x[0], step.state()[0], 1e-14);
  EXPECT_NEAR(x[1], step.state()[1], 1e-14);
}

TEST(Dense, IsThereOnlyForAStepThatIsFinishedByAMethodThatHasIt) {
  std::array<double, 2> x{7, 7};
  Kernel step = after_one_step(10_ms);
  step.rewind();
  EXPECT_FALSE(step.dense(0.5, x));
  EXPECT_FALSE(step.error_estimate(x));
  ExplicitStep without{Static<2>{}, Fixed<rk4>{}};
  advance(without, {}, 10_ms);
  EXPECT_FALSE(without.dense(0.5, x));
  EXPECT_FALSE(without.error_estimate(x));
  EXPECT_EQ(x[0], 7) << "untouched";
}

}  // namespace
}  // namespace hild::numerics
