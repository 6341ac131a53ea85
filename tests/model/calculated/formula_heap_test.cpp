// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "model/calculated/formula.hpp"
#include "support/heap_trap.hpp"

namespace hild::test {
namespace {

// What is compiled is computed without the heap, whatever it is made of.
TEST(FormulaHeap, AllocatesNothing) {
  const std::vector<std::string> names{"a", "b", "c"};
  for (const char* text :
       {"a", "1", "a + b * c", "a > 0 ? (b > 0 ? a : b) : c", "sum(a, b, c) / avg(a, b, c, 1)",
        "min(max(a, b), sqrt(c), atan2(a, c), 3)", "a^2 + b^3 + c^0.5 + 2 * a + 3",
        "((((((((a + 1) * b + 1) * c + 1) * a + 1) * b + 1) * c + 1) * a + 1) * b + 1) * c",
        "rint(sin(a)) + sign(b) + exp(-abs(c))"}) {
    auto made = model::Formula::make(text, names);
    ASSERT_TRUE(made) << text << ": " << made.error().message;
    const std::unique_ptr<model::Formula> formula = std::move(*made);
    double sum = 0;
    const HeapTrap trap;
    for (int i = 0; i < 1000; ++i) {
      formula->numbers()[0] = i;
      formula->numbers()[1] = -i;
      formula->numbers()[2] = 0.5;
      sum += formula->value();
    }
    EXPECT_EQ(trap.calls(), 0) << text << ": " << trap.first_call();
    EXPECT_FALSE(std::isinf(sum)) << text;
  }
}

}  // namespace
}  // namespace hild::test
