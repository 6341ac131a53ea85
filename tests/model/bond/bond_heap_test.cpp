// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hild/numerics/methods.hpp"
#include "model/bond/bond.hpp"
#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

TEST(BondHeap, SteppingAllocatesNothing) {
  for (const model::BondEnds ends : {model::BondEnds::both, model::BondEnds::a}) {
    model::BondData data;
    data.ends = ends;
    data.stiffness = 1;
    data.frame = data.delay = 1e-3;
    const auto stepper = model::make_stepper(model::make_bond(data), numerics::forward_euler);
    std::array<double, 3> y{};
    const HeapTrap trap;
    for (int i = 0; i < 500; ++i) {
      const std::array u{1.0, 0.0};
      stepper->step(SimTime{i * 1'000'000}, Duration{1'000'000}, u);
      stepper->outputs(0, u, y);
      if (i % 7 == 0) stepper->rewind();
    }
    EXPECT_EQ(trap.calls(), 0) << trap.first_call();
    EXPECT_GT(y[0], 0);
  }
}

}  // namespace
}  // namespace hild::test
