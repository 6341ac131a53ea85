// SPDX-License-Identifier: Apache-2.0
/// Not one heap call in a step of any implicit method, whatever the size and the structure.
#include <gtest/gtest.h>

#include "numerics/stiff.hpp"
#include "support/heap_trap.hpp"

namespace hild::numerics {
namespace {

static_assert(hild::test::HeapTrap::counting, "left out where nothing is counted");

template <Structure S>
void expect_no_calls(std::size_t n) {
  for (const Method* m : test::implicit_methods()) {
    ImplicitStep<Dynamic, Chosen, S> step{Dynamic(n), Chosen(*m)};
    const auto decay = [](int, double, auto x, auto dx, Jacobian j) {
      for (std::size_t i = 0; i < x.size(); ++i) dx[i] = -x[i], j(i, i) = -1;
    };
    const hild::test::HeapTrap trap;
    for (SimTime t{}; t < SimTime{} + Duration(10_ms); t += 1_ms) {
      test::advance(step, t, 1_ms, decay);
      step.rewind();
      test::advance(step, t, 1_ms, decay);
    }
    EXPECT_EQ(trap.calls(), 0) << m->name << ", " << n << " states: " << trap.first_call();
  }
}

TEST(ImplicitStep, CallsNoHeap) {
  for (const std::size_t n : {1U, 13U, 100U}) {
    expect_no_calls<dense>(n);
    expect_no_calls<tridiagonal>(n);
    expect_no_calls<banded(2, 3)>(n);
  }
}

}  // namespace
}  // namespace hild::numerics
