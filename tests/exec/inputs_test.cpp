// SPDX-License-Identifier: Apache-2.0
/// Images of the inputs, and the polynomial through them.
#include "exec/inputs.hpp"

#include <gtest/gtest.h>

namespace hild::testing {
namespace {

using exec::Inputs;

MonoTime after(double milliseconds) { return MonoTime{} + part(1_ms, milliseconds); }

void sample(Inputs& inputs, double at, std::initializer_list<double> values) {
  std::ranges::copy(values, inputs.incoming().begin());
  inputs.accept(after(at));
}

std::vector<double> carried_to(const Inputs& inputs, double at, int degree) {
  std::vector<double> u(inputs.size());
  inputs.at(after(at), degree, u);
  return u;
}

// Of t^2 the chord through 1 and 2.05, not that through 2 and 2.05, which would multiply noise by
// forty.
TEST(Inputs, ImagesCloseTogetherCountAsOne) {
  Inputs inputs(1, {}, 100_us);
  for (const double t : {0.0, 1.0, 2.0, 2.05}) sample(inputs, t, {t * t});
  EXPECT_EQ(inputs.newest_time(), after(2.05));
  EXPECT_EQ(inputs.newest()[0], 2.05 * 2.05);
  const double slope = 1 + 2.05;
  EXPECT_NEAR(carried_to(inputs, 3, 1)[0], 1 + slope * (3 - 1), 1e-12);
}

// The same images, but further apart than what counts as one.
TEST(Inputs, ImagesFurtherApartAreTwo) {
  Inputs inputs(1, {}, 40_us);
  for (const double t : {0.0, 1.0, 2.0, 2.05}) sample(inputs, t, {t * t});
  const double slope = 2 + 2.05;
  EXPECT_NEAR(carried_to(inputs, 3, 1)[0], 4 + slope * (3 - 2), 1e-12);
}

// A digital line is what it was, beside one that is carried on.
TEST(Inputs, ThoseThatAreHeldAreNeverCarriedOn) {
  Inputs inputs(2, {0, 1}, 0_us);
  sample(inputs, 0, {0, 0});
  sample(inputs, 1, {1, 1});
  EXPECT_EQ(carried_to(inputs, 1.5, 1), (std::vector<double>{1.5, 1}));
  EXPECT_EQ(carried_to(inputs, 0.5, 1), (std::vector<double>{0.5, 1}));
}

}  // namespace
}  // namespace hild::testing
