// SPDX-License-Identifier: Apache-2.0
/// \file
/// No method of the catalogue touches the heap once it is constructed, whatever its steps.
#include <gtest/gtest.h>

#include "numerics/problem.hpp"
#include "support/heap_trap.hpp"

namespace hild::numerics {
namespace {

template <class Space>
void never_allocates(Space space, const Method& method) {
  ExplicitStep step{space, Chosen(method)};
  std::array<double, 2> out{};
  start(step);
  const hild::test::HeapTrap trap;
  SimTime t{};
  for (int n = 0; n < 1000; ++n) {
    const Duration h = n % 10 == 7 ? Duration(20_ms) : Duration(10_ms);
    if (n % 50 == 9) {
      advance(step, t, 25_ms);
      step.rewind();
    }
    if (n % 100 == 50) step.restart();
    advance(step, t, h);
    t += h;
    (void)step.error_estimate(out);
    (void)step.dense(0.5, out);
  }
  EXPECT_EQ(trap.calls(), 0) << method.name << " " << trap.first_call();
}

TEST(Kernel, NeverAllocates) {
  for (const Method* method : explicit_methods()) {
    never_allocates(Static<2>{}, *method);
    never_allocates(Dynamic(2), *method);
  }
}

}  // namespace
}  // namespace hild::numerics
