// SPDX-License-Identifier: Apache-2.0
/// What changes from outside cost, found by making them; the clock is virtual, the costs scripted.
#include <gtest/gtest.h>

#include "config/plan/rehearsal.hpp"
#include "exec/fakes.hpp"
#include "hild/model/registry.hpp"

namespace hild::plan {
namespace {

using exec::EventClass;

exec::Admission::Cost of(const EventCosts& costs, EventClass c) {
  return costs[static_cast<std::size_t>(c)];
}

TEST(EventRehearsal, FindsTheCostOfEachClass) {
  rt::VirtualClock clock;
  testing::CostlyPlant plant(clock, model::find_model("dc-motor")->make(numerics::rtam2));
  plant.costs.set_cost = 7_us;
  const auto parameters = static_cast<std::int64_t>(plant.description().parameters.size());
  const auto costs = rehearse_events(plant, clock, exec::Settings{}, 30_us);
  EXPECT_EQ(of(costs, EventClass::parameter).commit, 7_us);
  EXPECT_EQ(of(costs, EventClass::parameter).prepare, 0_us);
  EXPECT_EQ(of(costs, EventClass::restore).commit, 7_us * parameters) << "it sets them all";
  EXPECT_EQ(of(costs, EventClass::mode).commit, 30_us) << "safe outputs are a device call";
  EXPECT_EQ(of(costs, EventClass::override_signal).commit, 0_us);
}

// One commit in seventeen takes long, of forty of a class two or three, as if the thread had been
// preempted: no cost to expect.
TEST(EventRehearsal, IsNotMisledByAnOutlier) {
  rt::VirtualClock clock;
  testing::CostlyPlant plant(clock, model::find_model("dc-motor")->make(numerics::rtam2));
  plant.costs.set_cost = 7_us;
  plant.extra_of = [&](std::int64_t step) {
    plant.costs.set_cost = step % 17 < 1 ? 4_ms : 7_us;
    return Duration{};
  };
  const auto costs = rehearse_events(plant, clock, exec::Settings{}, {});
  EXPECT_EQ(of(costs, EventClass::parameter).commit, 7_us);
}

// Of a plant whose steps take long the changes are made twice, not forty times.
TEST(EventRehearsal, IsShortWhereStepsAreLong) {
  rt::VirtualClock clock;
  testing::CostlyPlant plant(clock, model::find_model("dc-motor")->make(numerics::rtam2));
  plant.costs.set_cost = 7_us;
  plant.pass_cost = 10_ms;
  exec::Settings settings;
  settings.grid = Grid::of_period(100_ms);
  const auto costs = rehearse_events(plant, clock, settings, {});
  EXPECT_EQ(of(costs, EventClass::parameter).commit, 7_us);
  EXPECT_GT(plant.starts.size(), 8U) << "changes, one a frame";
  EXPECT_LE(plant.starts.size(), 2U * 12) << "and some frames more";
}

}  // namespace
}  // namespace hild::plan
