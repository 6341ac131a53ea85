// SPDX-License-Identifier: Apache-2.0
/// Models of many states: nothing of them is kept on a stack as a matrix, and nothing by the square
/// of their number where the structure is a band.
#include <gtest/gtest.h>

#include "config/plan/model_checks.hpp"
#include "hild/numerics/methods.hpp"
#include "support/decays.hpp"
#include "support/plate.hpp"

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

// The slowest mode of a plate, exactly.
TEST(Large, PatternTakesAStepAndIsChecked) {
  using Plate = Plate<100>;
  const auto plant = model::make_stepper<Plate>(numerics::libe);
  const auto x = Plate::mode(1, 1);
  plant->set_initial(x);
  plant->step(SimTime{}, 10_ms, {});
  const double by = 1 / (1 - 0.01 * Plate::lambda(1, 1));
  for (std::size_t i = 0; i < Plate::n; ++i) ASSERT_NEAR(plant->states()[i], by * x[i], 1e-13);
  const auto checked = plan::check_jacobian(plant->system(), x);
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST(Large, DenseJacobianOfMoreThanAStackIsChecked) {
  const auto plant = model::make_stepper<Decays<1200, false>>(numerics::libe);
  const auto checked = plan::check_jacobian(plant->system(), std::vector<double>(1200, 1.0));
  EXPECT_TRUE(checked) << checked.error().message;
}

}  // namespace
}  // namespace hild::test
