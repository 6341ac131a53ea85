// SPDX-License-Identifier: Apache-2.0
/// \file
/// What an event costs beside its passes, measured by making it; the clock is virtual, the costs
/// scripted.
#include <gtest/gtest.h>

#include "config/plan/bell.hpp"
#include "config/plan/rehearsal.hpp"
#include "exec/fakes.hpp"
#include "exec/plants.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::plan {
namespace {

template <class M>
testing::CostlyPlant costly(rt::VirtualClock& clock) {
  return {clock, model::make_stepper<M>(numerics::rtam2)};
}

// The loop finds an event by evaluating its functions at six instants.
TEST(ActionCost, IsThatOfTheActionAndOfTheFunctions) {
  rt::VirtualClock clock;
  auto plant = costly<testing::Ball>(clock);
  plant.costs.event_cost = 300_us;
  plant.costs.functions_cost = 2_us;
  const Spread cost = time_actions(clock, plant);
  EXPECT_EQ(cost.median, 312_us);
  EXPECT_EQ(cost.p99, 312_us);
}

TEST(ActionCost, IsThatOfATimeEvent) {
  rt::VirtualClock clock;
  auto plant = costly<Bell>(clock);
  plant.costs.event_cost = 300_us;  // of state events: it has none
  plant.costs.time_event_cost = 40_us;
  EXPECT_EQ(time_actions(clock, plant).median, 40_us);
}

TEST(ActionCost, IsNothingWithoutEvents) {
  rt::VirtualClock clock;
  auto plant = costly<testing::Lag>(clock);
  plant.costs.event_cost = 300_us;
  EXPECT_EQ(time_actions(clock, plant).median, 0_us);
}

// Measuring leaves the plant as it was.
TEST(ActionCost, LeavesThePlantAtItsStart) {
  rt::VirtualClock clock;
  auto plant = costly<testing::Ball>(clock);
  std::ignore = time_actions(clock, plant);
  EXPECT_EQ(plant.states()[0], 1);
  EXPECT_EQ(plant.states()[1], 0);
}

// What the whole rehearsal says is what the feasibility formula is given.
TEST(ActionCost, IsPartOfTheRehearsal) {
  rt::VirtualClock clock;
  auto plant = costly<testing::Ball>(clock);
  plant.costs.event_cost = 300_us;
  const Measured m = rehearse(plant, nullptr, clock, 1_ms, false);
  EXPECT_EQ(m.median.action, 300_us);
  EXPECT_EQ(m.p99.action, 300_us);
}

}  // namespace
}  // namespace hild::plan
