// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hild/numerics/methods.hpp"
#include "model/tabulated/tabulated.hpp"
#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

TEST(TabulatedHeap, SteppingAllocatesNothing) {
  model::TableData data;
  data.axes = {{std::string_view("a"), std::string_view("1"), {0, 1, 2.5, 3}}};
  data.outputs = {{std::string_view("y"), std::string_view("1"), {1, 1, 1, 1}}};
  data.options = {.between = model::Between::monotone};
  const auto tables = model::make_tabulated(data);
  ASSERT_TRUE(tables) << tables.error().message;
  const auto stepper = model::make_stepper(*tables, numerics::forward_euler);
  std::array<double, 1> y{};
  double sum = 0;
  const HeapTrap trap;
  for (int i = -100; i < 500; ++i) {
    const std::array u{i * 0.01};
    stepper->step(SimTime{i}, Duration{1}, u);
    stepper->outputs(0, u, y);
    sum += y[0];
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_NEAR(sum, 600, 1e-9);
}

}  // namespace
}  // namespace hild::test
