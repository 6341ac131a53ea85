// SPDX-License-Identifier: Apache-2.0
/// \file
/// hild's own part of a step of an FMU calls no heap: steps, events, outputs, parameters.
#include <malloc.h>

#include <limits>

#include "foreign/fmu/fmus.hpp"
#include "hild/numerics/catalogue.hpp"
#include "support/heap_trap.hpp"

namespace hild::testing {
namespace {

INSTANTIATE_TEST_SUITE_P(Heap, OfVersion, ::testing::Values(2, 3));

TEST_P(OfVersion, StepsCallNoHeap) {
  const auto loaded = load_fmu("van_der_pol", GetParam());
  for (const numerics::Method* m : numerics::catalogue()) {
    const auto plant = loaded.make(*m);
    const std::array u{0.25};
    std::array<double, 2> y{};
    SimTime t{};
    const test::HeapTrap trap;
    for (int n = 0; n < 20; ++n, t += 1_ms) {
      plant->step(t, 1_ms, u);
      plant->outputs(seconds(t), u, y);
      plant->system().set_parameter(0, 1 + n);
      if (n == 10) plant->rewind();
    }
    EXPECT_EQ(trap.calls(), 0) << m->name << ": " << trap.first_call();
  }
}

TEST_P(OfVersion, EventsCallNoHeap) {
  const auto ball = load_fmu("bouncing_ball", GetParam()).make(numerics::rk4);
  const auto through = load_fmu("feedthrough", GetParam()).make(numerics::forward_euler);
  std::vector<double> u(through->description().inputs.size());
  std::array<double, 1> g{};
  const test::HeapTrap trap;
  ball->step({}, 500_ms, {});
  ball->system().event_functions(0.5, ball->states(), {}, g);
  ball->system().on_event(0, 0.5, ball->states(), {});
  EXPECT_EQ(ball->states()[0], std::numeric_limits<double>::min());  // as it leaves it
  for (int n = 0; n < 4; ++n) {
    for (double& v : u) v = n;
    through->step(SimTime{n * 1'000'000}, 1_ms, u);
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
}

class Large : public OfVersion {};

INSTANTIATE_TEST_SUITE_P(Heap, Large, ::testing::Values(2, 3));

TEST_P(Large, StepsOfManyStatesCallNoHeap) {
  const auto loaded = load_fmu("rod", GetParam());
  for (const numerics::Method* m : numerics::catalogue()) {
    if (!m->implicit()) continue;
    const auto plant = loaded.make(*m);
    SimTime t{};
    const test::HeapTrap trap;
    for (int n = 0; n < 3; ++n, t += 1_ms) plant->step(t, 1_ms, std::array{0.25});
    EXPECT_EQ(trap.calls(), 0) << m->name << ": " << trap.first_call();
  }
}

// Of 2000 states with three dependencies each: a dense Jacobian alone would be 32 MB.
TEST_P(Large, NothingIsKeptByTheSquareOfTheStates) {
  const auto in_use = [] {
    const struct mallinfo2 m = ::mallinfo2();
    return m.uordblks + m.hblkhd;
  };
  const std::size_t before = in_use();
  const auto loaded = load_fmu("rod", GetParam());
  const auto plant = loaded.make(numerics::radau_iia);
  ASSERT_EQ(plant->states().size(), 2000U);
  EXPECT_LT(in_use() - before, std::size_t{8} << 20U);
}

}  // namespace
}  // namespace hild::testing
