// SPDX-License-Identifier: Apache-2.0
/// Models of many states: nothing of them is kept on a stack as a matrix, and nothing by the square
/// of their number where the structure is a band.
#include <gtest/gtest.h>

#include "config/plan/model_checks.hpp"
#include "hild/numerics/methods.hpp"
#include "support/decays.hpp"

namespace hild::test {
namespace {

/// A step of LIBE: x / (1 + h rate).
template <class M>
void expect_a_step() {
  const auto plant = model::make_stepper<M>(numerics::libe);
  plant->step(SimTime{}, 10_ms, {});
  for (const double x : plant->states()) ASSERT_NEAR(x, 1 / (1 + 0.01 * M::rate), 1e-15);
}

TEST(Large, DenseOfMoreThanAStackTakesAStep) { expect_a_step<Decays<1200, false>>(); }

TEST(Large, BandTakesAStep) { expect_a_step<Decays<10'000, true>>(); }

TEST(Large, DenseJacobianOfMoreThanAStackIsChecked) {
  const auto plant = model::make_stepper<Decays<1200, false>>(numerics::libe);
  const auto checked = plan::check_jacobian(plant->system(), std::vector<double>(1200, 1.0));
  EXPECT_TRUE(checked) << checked.error().message;
}

}  // namespace
}  // namespace hild::test
