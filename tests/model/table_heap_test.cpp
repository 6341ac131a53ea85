// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "hild/model/table.hpp"
#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

TEST(TableHeap, LookingUpAllocatesNothing) {
  const std::vector<double> axis{0, 1, 2.5, 3};
  const std::vector<double> values(64, 1.5);
  const auto one = model::Table<1>::make({axis}, std::span(values).first(4),
                                         {.between = model::Between::monotone});
  const auto three =
      model::Table<3>::make({axis, axis, axis}, values, {.between = model::Between::smooth});
  ASSERT_TRUE(one && three);
  model::Table<1>::Near near_one{};
  model::Table<3>::Near near{};
  double sum = 0;
  const HeapTrap trap;
  for (int i = -100; i < 500; ++i) {
    const double x = i * 0.01;
    sum += one->value({x}, near_one) + three->sample({x, 3 - x, 2 * x}, near).value;
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_NEAR(sum, 600 * 3.0, 1e-9);
}

}  // namespace
}  // namespace hild::test
