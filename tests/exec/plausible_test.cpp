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
    rig.plant.system().set_parameter(0, 3000);
  }
  exec::Outcome run(std::vector<io::Interval> plausible, std::int64_t frames = 100) {
    loop = std::make_unique<exec::FrameLoop>(rig.settings,
                                             exec::Parts{.clock = rig.clock,
                                                         .sampler = rig.sampler,
                                                         .plant = rig.plant,
                                                         .inputs = plain_inputs(1),
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
  const io::FrameLayout layout(0, 0, 0, 2);
  std::vector<double> memory(layout.bytes() / sizeof(double));  // aligned as in a ring
  io::FrameSlot slot(layout, reinterpret_cast<std::byte*>(memory.data()));
  EXPECT_TRUE(slot.states(std::array{-1.0, 2.0}, states.ranges()));
  EXPECT_TRUE(slot.states(std::array{1.0, 0.0}, states.ranges()));
  EXPECT_FALSE(slot.states(std::array{1.0, std::nextafter(0.0, -1)}, states.ranges()));
  EXPECT_FALSE(slot.states(std::array{1.0, 2.1}, states.ranges()));
  EXPECT_FALSE(slot.states(std::array{std::nextafter(1.0, 2), 1.0}, states.ranges()));
  EXPECT_EQ(states.first_beyond(std::array{1.0, 2.1}), 1U);
  EXPECT_EQ(states.first_beyond(std::array{1.0, 2.0}), 2U);
  EXPECT_EQ(states.first_beyond(std::array<double, 2>{0.0, NAN}), 1U);
}

TEST(Plausible, WhatIsInfiniteIsWithinNoRangeHoweverWide) {
  const exec::PlausibleStates states({{-model::unlimited, model::unlimited}}, 1);
  const double largest = std::numeric_limits<double>::max();
  const double infinite = std::numeric_limits<double>::infinity();
  const auto beyond = [&](double x) { return states.first_beyond(std::array{x}) == 0; };
  EXPECT_TRUE(beyond(infinite));
  EXPECT_TRUE(beyond(-infinite));
  EXPECT_FALSE(beyond(largest));
  EXPECT_FALSE(beyond(-largest));
}

/// x' = 1; its input is seen by its outputs alone.
struct Divider {
  static constexpr std::string_view name = "divider";
  static constexpr std::string_view summary = "divides by its input";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}, model::Output{"quotient"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Divider>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept {
    y[0] = x[0];
    y[1] = 1 / u[0];
  }
};

TEST(Plausible, AnOutputThatIsNotFiniteEndsTheRunWhateverTheStates) {
  for (const double bad : {0.0, -0.0, std::numeric_limits<double>::quiet_NaN()}) {
    Rig rig(model::make_stepper<Divider>(numerics::forward_euler),
            [bad](double t) { return t < 4.5e-3 ? 1.0 : bad; });
    // The first outputs are those of inputs that were not sampled yet.
    exec::FrameLoop loop(rig.settings, {.clock = rig.clock,
                                        .sampler = rig.sampler,
                                        .plant = rig.plant,
                                        .inputs = plain_inputs(1),
                                        .start_inputs = {1.0}});
    const auto outcome = loop.run(Rig::start, 20, rig.stop);
    EXPECT_EQ(outcome.end, exec::End::model_fault) << bad;
    EXPECT_EQ(outcome.fault, exec::Fault::not_finite) << bad;
    EXPECT_EQ(outcome.frame, 5) << bad;
    EXPECT_FALSE(outcome.in_states) << bad;
    EXPECT_EQ(outcome.index, 1U) << bad;
    for (const auto& w : rig.sampler.writes) EXPECT_EQ(w.y[1], 1) << bad;
  }
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
                                      .plant = rig.plant,
                                      .inputs = plain_inputs(1),
                                      .start_inputs = {0.0},
                                      .plausible = {{-20, 20}}});
  const auto outcome = loop.run(Rig::start, 100, rig.stop);
  EXPECT_EQ(outcome.fault, exec::Fault::not_finite);
  EXPECT_EQ(outcome.frame, 5);
}

}  // namespace
}  // namespace hild::testing
