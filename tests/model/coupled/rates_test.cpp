// SPDX-License-Identifier: Apache-2.0
/// Who steps when: passes of coupled models in the order of their nodes, substeps, and steps of
/// several frames with their passes where their nodes lie.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// x' = u; notes the times it was evaluated at, in microseconds, and with which input.
struct Diary {
  static constexpr std::string_view name = "diary";
  static constexpr std::string_view summary = "notes when it is evaluated";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"place", "1", 0.0}};
  using D = model::Data<Diary>;
  static inline std::vector<std::pair<int, double>> entries;  // place, us
  static void derivatives(double t, D::X, D::U u, D::P p, D::DX dx) noexcept {
    entries.emplace_back(static_cast<int>(p[0]), std::round(t * 1e9) / 1e3);
    dx[0] = u[0];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

std::unique_ptr<model::Stepper> diary(const numerics::Method& method, int place) {
  auto plant = model::make_stepper<Diary>(method);
  plant->system().set_parameter(0, place);
  return plant;
}

/// The same, and jumps by 10 at 4 ms.
struct Jumpy : Diary {
  static constexpr std::string_view name = "jumpy";
  using D = model::Data<Jumpy>;
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    return t < SimTime{4'000'000} ? SimTime{4'000'000} : model::never;
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] += 10; }
};

class CoupledRates : public ::testing::Test {
 protected:
  void SetUp() override { Diary::entries.clear(); }

  static std::vector<std::pair<int, double>> step(model::Stepper& plant, SimTime t,
                                                  Duration h = 1_ms) {
    Diary::entries.clear();
    std::vector<double> u(plant.description().inputs.size(), 1.0);
    plant.models()->connect(t, u);
    passes = plant.begin(t, h);
    for (int i = 0; i < passes.count(); ++i) plant.pass(i, u);
    plant.finish();
    return Diary::entries;
  }
  static std::vector<std::pair<int, double>> frame(model::Stepper& plant, int n) {
    return step(plant, SimTime{} + kilohertz.tick(n));
  }
  using Entry = std::pair<int, double>;
  static inline model::Passes passes;  // of the last step
};

TEST_F(CoupledRates, PassesComeByTheirNodes) {
  auto plant =
      couple(kilohertz, {}, One{"a", diary(numerics::rk4, 1)}, One{"b", diary(numerics::rtrk2, 2)},
             One{"c", diary(numerics::forward_euler, 3)});
  EXPECT_THAT(frame(*plant, 2),
              ElementsAre(Entry{1, 2000}, Entry{2, 2000}, Entry{3, 2000}, Entry{1, 2500},
                          Entry{1, 2500}, Entry{2, 2500}, Entry{1, 3000}));
  EXPECT_EQ(plant->method().passes, 7);
  EXPECT_EQ(passes.nodes, model::passes_of(plant->method(), false).nodes);
}

TEST_F(CoupledRates, ASubstepIsAPass) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::rtrk2, 1), {.substeps = 4}},
                      One{"b", diary(numerics::rtrk2, 2)});
  EXPECT_THAT(frame(*plant, 0), ElementsAre(Entry{1, 0}, Entry{1, 125}, Entry{2, 0}, Entry{1, 250},
                                            Entry{1, 375}, Entry{1, 500}, Entry{1, 625},
                                            Entry{2, 500}, Entry{1, 750}, Entry{1, 875}));
  EXPECT_EQ(passes.count(), 6);
  EXPECT_EQ(plant->method().passes, 6);
}

// What a budget is planned from has the passes of the frames, those of slow models in one.
TEST_F(CoupledRates, TheMethodHasThePassesOfAFrame) {
  auto plant =
      couple(kilohertz, {}, One{"a", diary(numerics::rk4, 1), {.every = 4}},
             One{"b", diary(numerics::rtrk2, 2)}, One{"c", diary(numerics::rk4, 3), {.every = 2}},
             One{"d", diary(numerics::rk4, 4), {.substeps = 4}});
  frame(*plant, 0);
  EXPECT_THAT(passes.nodes, ElementsAre(0.0, 0.0, 0.0, 0.25, 0.5, 0.5, 0.75));
  EXPECT_EQ(model::passes_of(plant->method(), false).nodes, passes.nodes);
}

// A frame is a starting one while any of its models is, whatever its place among them.
TEST_F(CoupledRates, StartsAsLongAsAnyOfThem) {
  const int starting = numerics::ab2.starter->passes;
  ASSERT_GT(starting, 1);
  for (const bool first : {true, false}) {
    auto plant =
        couple(kilohertz, {}, One{"a", diary(first ? numerics::ab2 : numerics::forward_euler, 1)},
               One{"b", diary(first ? numerics::forward_euler : numerics::ab2, 2)});
    std::vector<std::pair<bool, int>> seen;
    for (int n = 0; n < 6; ++n) {
      if (n == 3) plant->restart(model::Restart::here);
      frame(*plant, n);
      seen.emplace_back(passes.starting, passes.count());
    }
    const std::pair<bool, int> start{true, starting + 1};
    const std::pair<bool, int> usual{false, 2};
    EXPECT_THAT(seen, ElementsAre(start, usual, usual, start, usual, usual)) << first;
    EXPECT_EQ(plant->method().starter->passes, starting + 1);
  }
}

TEST_F(CoupledRates, ASubstepIsAsLongAsItsShareOfADoubledStep) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::forward_euler, 1), {.substeps = 2}});
  EXPECT_THAT(step(*plant, {}, 2_ms), ElementsAre(Entry{1, 0}, Entry{1, 1000}));
  EXPECT_DOUBLE_EQ(plant->states()[0], 2e-3);
}

// Shorter than it has parts: cut by an event.
TEST_F(CoupledRates, ASubstepOfNothingIsNotTaken) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::forward_euler, 1), {.substeps = 4}});
  step(*plant, {}, Duration{2});
  EXPECT_EQ(Diary::entries.size(), 2U);
  EXPECT_DOUBLE_EQ(plant->states()[0], 2e-9);
}

// RK-4 over four frames: nodes 0, 2, 2 and 4 frames after the start; the last one in the last
// frame.
TEST_F(CoupledRates, ASlowStepHasItsPassesInTheFramesOfTheirNodes) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::rk4, 1), {.every = 4}});
  for (const int start : {0, 4}) {
    const double t = 1000.0 * start;
    EXPECT_THAT(frame(*plant, start), ElementsAre(Entry{1, t}));
    EXPECT_EQ(passes.count(), 1);
    EXPECT_THAT(frame(*plant, start + 1), IsEmpty());
    EXPECT_EQ(passes.count(), 1);
    EXPECT_THAT(frame(*plant, start + 2), ElementsAre(Entry{1, t + 2000}, Entry{1, t + 2000}));
    EXPECT_DOUBLE_EQ(plant->states()[0], start * 1e-3);  // nothing is out before its time
    EXPECT_THAT(frame(*plant, start + 3), ElementsAre(Entry{1, t + 4000}));
    EXPECT_DOUBLE_EQ(plant->states()[0], (start + 4) * 1e-3);
  }
}

TEST_F(CoupledRates, OutputsOfASlowModelHold) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1}},
                      One{"a", diary(numerics::forward_euler, 1), {.every = 3}},
                      One{"b", diary(numerics::forward_euler, 2)});
  std::vector<double> y(2);
  std::vector<double> u(2, 1.0);
  for (int n = 0; n < 9; ++n) {
    frame(*plant, n);
    plant->outputs((n + 1) * 1e-3, u, y);
    const int whole_steps = (n + 1) / 3;
    EXPECT_DOUBLE_EQ(y[0], whole_steps * 3e-3) << n;
  }
  // b gets 0, 3 and 6 ms for three frames of 1 ms each.
  EXPECT_NEAR(plant->states()[1], 3e-3 * (0 + 3e-3 + 6e-3), 1e-15);
}

// Also where an output would follow the input at once.
TEST_F(CoupledRates, FeedthroughOfASlowModelHolds) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1}},
                      One{"a", model::make_stepper<Through>(numerics::forward_euler), {.every = 3}},
                      One{"b", diary(numerics::forward_euler, 2)});
  for (int n = 0; n < 7; ++n) {
    const SimTime t = SimTime{} + kilohertz.tick(n);
    std::vector<double> u{10.0 + n, 0.0};
    plant->models()->connect(t, u);
    EXPECT_EQ(u[1], 10 + n / 3 * 3) << n;
    const int passes = plant->begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant->pass(i, u);
    plant->finish();
    std::vector<double> y(3);
    plant->outputs(seconds(t + 1_ms), u, y);
    EXPECT_EQ(y[0], n % 3 == 2 ? 10 + n : 10 + n / 3 * 3) << n;
  }
}

// A doubled step over the end of a slow one: that ends, and the next begins in its middle.
TEST_F(CoupledRates, ASlowStepEndsWithinADoubledOne) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::rtrk2, 1), {.every = 3}});
  EXPECT_THAT(step(*plant, {}, 1_ms), ElementsAre(Entry{1, 0}));
  EXPECT_THAT(step(*plant, SimTime{} + 1_ms, 1_ms), ElementsAre(Entry{1, 1500}));
  EXPECT_THAT(step(*plant, SimTime{} + 2_ms, 2_ms), ElementsAre(Entry{1, 3000}));
  EXPECT_DOUBLE_EQ(plant->states()[0], 3e-3);
  EXPECT_THAT(step(*plant, SimTime{} + 4_ms, 2_ms), ElementsAre(Entry{1, 4500}));
  EXPECT_DOUBLE_EQ(plant->states()[0], 6e-3);
}

// What it ended with is out with the doubled step, and what the others get in the next one.
TEST_F(CoupledRates, ASlowStepThatEndsWithinADoubledOnePutsOutItsEnd) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1}},
                      One{"a", diary(numerics::forward_euler, 1), {.every = 3}},
                      One{"b", diary(numerics::forward_euler, 2)});
  for (int n = 0; n < 2; ++n) frame(*plant, n);
  step(*plant, SimTime{} + 2_ms, 2_ms);
  EXPECT_DOUBLE_EQ(plant->states()[0], 3e-3);
  EXPECT_DOUBLE_EQ(plant->states()[1], 0.0);
  std::vector<double> u{1.0, 1.0};
  plant->models()->connect(SimTime{} + 4_ms, u);
  EXPECT_DOUBLE_EQ(u[1], 3e-3);
  std::vector<double> y(2);
  plant->outputs(4e-3, u, y);
  EXPECT_DOUBLE_EQ(y[0], 3e-3);
  frame(*plant, 4);
  EXPECT_DOUBLE_EQ(plant->states()[1], 3e-3 * 1e-3);
}

// A history is dropped between steps: not from under one that is under way.
TEST_F(CoupledRates, ASlowModelRestartsWithItsNextStep) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::ab2, 1), {.every = 4}});
  std::array<std::size_t, 4> evaluations{};
  for (int n = 0; n < 16; ++n) {
    evaluations[static_cast<std::size_t>(n) / 4] += frame(*plant, n).size();
    if (n == 5) plant->restart(model::Restart::here);
  }
  const auto starting = static_cast<std::size_t>(numerics::ab2.starter->passes);
  EXPECT_GT(starting, 1U);
  EXPECT_THAT(evaluations, ElementsAre(starting, 1, starting, 1));
  EXPECT_DOUBLE_EQ(plant->states()[0], 16e-3);
}

// A time event acts at the end of the step it lies in: the method begins anew, and no line goes
// across the jump.
TEST_F(CoupledRates, ASlowModelBeginsAnewAfterATimeEvent) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1, .degree = 1}},
                      One{"a", model::make_stepper<Jumpy>(numerics::ab2), {.every = 3}},
                      One{"b", model::make_stepper<Integral>(numerics::heun)});
  EXPECT_TRUE(plant->description().time_events) << "though its last model has none";
  std::vector<std::size_t> evaluations;
  for (int n = 0; n < 12; ++n) {
    if (n % 3 == 0) evaluations.push_back(0);
    evaluations.back() += frame(*plant, n).size();
    // Held where nothing or a jump is before, else in a line.
    if (n == 2) {
      EXPECT_EQ(plant->states()[1], 0);
    }
    if (n == 5) {
      EXPECT_NEAR(plant->states()[1], 1e-6 * (36 - 9) / 2, 1e-15);
    }
    if (n == 8) {
      EXPECT_NEAR(plant->states()[1], 1e-6 * (36 - 9) / 2 + 3e-3 * 10.006, 1e-12);
    }
  }
  const auto starting = static_cast<std::size_t>(numerics::ab2.starter->passes);
  EXPECT_THAT(evaluations, ElementsAre(starting, 1, starting, 1));
}

// What is known of a source goes on from its history also through a model that depends on it at
// once.
TEST_F(CoupledRates, WhatIsCarriedOnOfASlowModelPassesThroughAnother) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1, .degree = 1}, {.from = 1, .to = 2}},
                      One{"a", diary(numerics::forward_euler, 1), {.every = 3}},
                      One{"b", model::make_stepper<Through>(numerics::forward_euler)},
                      One{"c", model::make_stepper<Integral>(numerics::forward_euler)});
  for (int n = 0; n < 6; ++n) frame(*plant, n);
  EXPECT_NEAR(plant->states()[2], 1e-6 * (3 + 4 + 5), 1e-15);
}

// Of two that are fed by one, whichever is named first.
TEST_F(CoupledRates, AHistoryIsKeptForWhoeverTakesMoreThanTheNewest) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1, .degree = 1}, {.from = 0, .to = 2}},
                      One{"a", model::make_stepper<Integral>(numerics::heun)},
                      One{"b", model::make_stepper<Integral>(numerics::heun)},
                      One{"c", model::make_stepper<Integral>(numerics::heun)});
  for (int n = 0; n < 3; ++n) frame(*plant, n);
  EXPECT_NEAR(plant->states()[1], 1e-6 * (9 - 1) / 2, 1e-15) << "the first frame holds";
  EXPECT_NEAR(plant->states()[2], 1e-6 * (0 + 1 + 2), 1e-15);
  plant->models()->note_event(0);
  frame(*plant, 3);
  EXPECT_NEAR(plant->states()[1], 1e-6 * (4 + 3), 1e-15) << "and that after an event";
}

// States that are set begin a step of their own, which ends where slow steps end.
TEST_F(CoupledRates, ASlowStepIsAbandonedWhereStatesAreSet) {
  auto plant = couple(kilohertz, {}, One{"a", diary(numerics::forward_euler, 1), {.every = 4}});
  frame(*plant, 0);
  plant->set_states(std::array{10.0});
  EXPECT_THAT(frame(*plant, 1), ElementsAre(Entry{1, 1000}));
  EXPECT_THAT(frame(*plant, 2), IsEmpty());
  frame(*plant, 3);
  EXPECT_DOUBLE_EQ(plant->states()[0], 10 + 3e-3);
  EXPECT_THAT(frame(*plant, 4), ElementsAre(Entry{1, 4000}));
}

// Frames of 333 333 and 333 334 ns: slow steps end at ticks whatever those are.
TEST_F(CoupledRates, SlowStepsKeepToTheGrid) {
  const Grid grid = Grid::of_rate_hz(3000);
  auto plant = couple(grid, {}, One{"a", diary(numerics::forward_euler, 1), {.every = 2}});
  int steps = 0;
  for (int n = 0; n < 12; ++n) {
    const SimTime t = SimTime{} + grid.tick(n);
    const auto entries = step(*plant, t, grid.tick(n + 1) - grid.tick(n));
    EXPECT_EQ(entries.size(), n % 2 == 0 ? 1U : 0U) << n;
    steps += static_cast<int>(entries.size());
  }
  EXPECT_EQ(steps, 6);
  EXPECT_DOUBLE_EQ(plant->states()[0], 4e-3);
}

TEST_F(CoupledRates, TheWorkRepeatsWithAllOfThem) {
  EXPECT_EQ(couple(kilohertz, {}, One{"a", diary(numerics::rk4, 1), {.every = 4}},
                   One{"b", diary(numerics::rk4, 2), {.every = 6}},
                   One{"c", diary(numerics::rk4, 3), {.substeps = 5}})
                ->models()
                ->cycle(),
            12);
}

}  // namespace
}  // namespace hild::testing
