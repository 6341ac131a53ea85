// SPDX-License-Identifier: Apache-2.0
/// States that leave what is plausible of them end a run, before an output tells of it.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

/// x' = 3000 (1 - x) by forward Euler at 1 ms: x becomes 3 - 2 x in every step, so that after n of
/// them it is 1 - (-2)^n: 3, -3, 9, -15, 33 ...
struct Growing {
  Growing() : rig(numerics::forward_euler, [](double) { return 1.0; }) {
    rig.plant.set_parameter(0, 3000);
  }
  exec::Outcome run(std::vector<io::Interval> plausible, std::int64_t frames = 100) {
    loop = std::make_unique<exec::FrameLoop>(rig.settings,
                                             exec::Parts{.clock = rig.clock,
                                                         .sampler = rig.sampler,
                                                         .plants = {&rig.plant},
                                                         .held_inputs = {0},
                                                         .start_inputs = {0.0},
                                                         .plausible = std::move(plausible)});
    return loop->run(Rig::start, frames, rig.stop);
  }
  Rig rig;
  std::unique_ptr<exec::FrameLoop> loop;
};

TEST(Plausible, AStateBeyondItsRangeEndsTheRunInThatStep) {
  Growing plant;
  const auto outcome = plant.run({{-20, 20}});
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_EQ(outcome.fault, exec::Fault::implausible);
  EXPECT_TRUE(outcome.in_states);
  EXPECT_EQ(outcome.plant, 0U);
  EXPECT_EQ(outcome.index, 0U);
  EXPECT_NEAR(outcome.value, 33, 1e-9);
  EXPECT_EQ(outcome.frame, 4);
  EXPECT_EQ(outcome.t, SimTime{} + 5_ms) << "the end of the step";
  EXPECT_EQ(outcome.plausible.low, -20);
  EXPECT_EQ(outcome.plausible.high, 20);
}

TEST(Plausible, NothingBeyondItIsEverPutOut) {
  Growing plant;
  EXPECT_TRUE(plant.run({{-20, 20}}).safe);
  EXPECT_EQ(plant.rig.sampler.safe_calls, 1);
  ASSERT_EQ(plant.rig.sampler.writes.size(), 5U);
  EXPECT_NEAR(plant.rig.sampler.writes.back().y[0], -15, 1e-9);
}

TEST(Plausible, EachSideIsOfItsOwn) {
  EXPECT_NEAR(Growing().run({{-model::unlimited, 5}}).value, 9, 1e-9);
  EXPECT_NEAR(Growing().run({{-5, model::unlimited}}).value, -15, 1e-9);
}

TEST(Plausible, WhatLiesOnTheEdgeIsWithin) {
  const exec::PlausibleStates states({{-1, 1}, {0, 2}}, 2);
  EXPECT_TRUE(states.hold(std::array{-1.0, 2.0}, 0));
  EXPECT_TRUE(states.hold(std::array{1.0, 0.0}, 0));
  EXPECT_FALSE(states.hold(std::array{1.0, std::nextafter(0.0, -1)}, 0));
  EXPECT_EQ(states.first_beyond(std::array{1.0, 2.1}, 0), 1U);
  EXPECT_EQ(states.first_beyond(std::array{2.0}, 1), 1U) << "that of the second";
  EXPECT_EQ(states.first_beyond(std::array<double, 2>{0.0, NAN}, 0), 1U);
}

TEST(Plausible, WithoutRangesOnlyWhatIsNotFiniteEndsTheRun) {
  EXPECT_EQ(Growing().run({}).end, exec::End::duration) << "2^100 is finite";
  const auto outcome = Growing().run({}, 2000);
  EXPECT_EQ(outcome.fault, exec::Fault::not_finite);
  // 3000 times 2^n is not, from n = 1024 - 11.6 on.
  EXPECT_EQ(outcome.frame, 1013);
}

TEST(Plausible, WhatIsNotANumberIsCalledSo) {
  Rig rig(numerics::forward_euler, [](double t) { return t < 4.5e-3 ? 1.0 : NAN; });
  exec::FrameLoop loop(rig.settings, {.clock = rig.clock,
                                      .sampler = rig.sampler,
                                      .plants = {&rig.plant},
                                      .held_inputs = {0},
                                      .start_inputs = {0.0},
                                      .plausible = {{-20, 20}}});
  const auto outcome = loop.run(Rig::start, 100, rig.stop);
  EXPECT_EQ(outcome.fault, exec::Fault::not_finite);
  EXPECT_EQ(outcome.frame, 5);
}

TEST(Plausible, RangesAreInTheOrderOfAllPlants) {
  Rig rig(numerics::forward_euler, [](double) { return 1.0; });
  CostlyPlant other(rig.clock, model::make_plant<Lag>(numerics::forward_euler));
  other.set_parameter(0, 3000);
  FakeSampler sampler(rig.clock, {[](double) { return 1.0; }, [](double) { return 1.0; }});
  sampler.origin = Rig::start;
  exec::FrameLoop loop(rig.settings, {.clock = rig.clock,
                                      .sampler = sampler,
                                      .plants = {&rig.plant, &other},
                                      .held_inputs = {0, 0},
                                      .start_inputs = {0.0, 0.0},
                                      .plausible = {{-2, 2}, {-20, 20}}});
  const auto outcome = loop.run(Rig::start, 100, rig.stop);
  EXPECT_EQ(outcome.plant, 1U);
  EXPECT_EQ(outcome.index, 0U);
  EXPECT_EQ(outcome.frame, 4);
  EXPECT_EQ(outcome.plausible.high, 20);
}

}  // namespace
}  // namespace hild::testing
