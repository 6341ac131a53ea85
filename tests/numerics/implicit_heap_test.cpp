// SPDX-License-Identifier: Apache-2.0
/// Not one heap call in a step of any implicit method, whatever the size and the structure.
#include <gtest/gtest.h>

#include "numerics/stiff.hpp"
#include "support/heap_trap.hpp"

namespace hild::numerics {
namespace {

static_assert(hild::test::HeapTrap::counting, "left out where nothing is counted");

// Of a kernel that is told its pattern when it is made.
const Pattern none;
constexpr Structure some_pattern = sparse(none);

template <Structure S>
void expect_no_calls(std::size_t n, const Structure& structure = S) {
  for (const Method* m : test::implicit_methods()) {
    ImplicitStep<Dynamic, Chosen, S> step{Dynamic(n), Chosen(*m), structure};
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

// Full matrices, of which all products are made.
TEST(LinearSystem, CallsNoHeap) {
  for (const std::size_t n : {95U, 96U, 400U, 500U}) {
    LinearSystem<std::vector<double>> system(n, dense);
    std::vector<double> b(n, 1.0);
    for (std::size_t k = 0; k < n * n; ++k) {
      system.at(k % n, k / n, n, dense) = std::sin(static_cast<double>(k * k % 1009));
    }
    const hild::test::HeapTrap trap;
    system.solve(n, dense, b);
    EXPECT_EQ(trap.calls(), 0) << n << " rows: " << trap.first_call();
    EXPECT_TRUE(std::isfinite(b[0])) << n;
  }
}

TEST(ImplicitStep, CallsNoHeap) {
  for (const std::size_t n : {1U, 13U, 100U}) {
    expect_no_calls<dense>(n);
    expect_no_calls<tridiagonal>(n);
    expect_no_calls<banded(2, 3)>(n);
    std::vector<Place> places;
    for (std::size_t k = 0; k < n; ++k) {
      places.insert(places.end(), {{k, k}, {k, k * k % n}, {k * 7 % n, k}});
    }
    const Pattern pattern(n, places);
    expect_no_calls<some_pattern>(n, sparse(pattern));
  }
}

}  // namespace
}  // namespace hild::numerics
