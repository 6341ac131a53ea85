// SPDX-License-Identifier: Apache-2.0
/// What coupled models see of each other, tick by tick, to the bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

using ::testing::ElementsAre;

std::unique_ptr<model::Stepper> through() {
  return model::make_stepper<Through>(numerics::forward_euler);
}

// Through has outputs y and time: y of model m is 2 m, its time 2 m + 1.
TEST(Connections, GoThroughModelsAtOnceWhateverTheirOrder) {
  // c = b + 3, b = a + 2, a = u + 1, named against the flow.
  auto plant = couple(kilohertz, {{.from = 2, .to = 0}, {.from = 4, .to = 1}}, One{"c", through()},
                      One{"b", through()}, One{"a", through()});
  plant->system().set_parameter(0, 3.0);
  plant->system().set_parameter(1, 2.0);
  plant->system().set_parameter(2, 1.0);
  std::array u{0.0, 0.0, 10.0};
  plant->models()->connect({}, u);
  EXPECT_THAT(u, ElementsAre(13.0, 11.0, 10.0));
  std::array<double, 6> y{};
  plant->outputs(0, u, y);
  EXPECT_THAT(y, ElementsAre(16.0, 0.0, 13.0, 0.0, 11.0, 0.0));
}

TEST(Connections, ConvertUnits) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1, .factor = 2, .offset = 0.5}},
                      One{"a", through()}, One{"b", through()});
  std::array u{3.0, 0.0};
  plant->models()->connect({}, u);
  EXPECT_EQ(u[1], 6.5);
}

// Also what is passed on at once, and what is put out at the end of a step.
TEST(Connections, ConvertUnitsOnTheWayThrough) {
  auto plant = couple(kilohertz,
                      {{.from = 0, .to = 1, .factor = 2, .offset = 0.5},
                       {.from = 2, .to = 2, .factor = -1, .offset = 10}},
                      One{"a", through()}, One{"b", through()}, One{"c", through()});
  std::array u{3.0, 0.0, 0.0};
  plant->models()->connect({}, u);
  EXPECT_THAT(u, ElementsAre(3.0, 6.5, 3.5));
  u[0] = 4.0;  // as sampled at the end
  std::array<double, 6> y{};
  plant->outputs(0, u, y);
  EXPECT_THAT(y, ElementsAre(4.0, 0.0, 8.5, 0.0, 1.5, 0.0));
}

struct Seen {
  std::vector<std::vector<double>> u;  // of the first pass of every frame
  std::vector<std::vector<double>> y;  // at its end
};

Seen run(model::Stepper& plant, int frames, std::vector<double> inputs = {}) {
  Seen seen;
  inputs.resize(plant.description().inputs.size());
  std::vector<double> y(plant.description().outputs.size());
  for (int n = 0; n < frames; ++n) {
    const SimTime t = SimTime{} + kilohertz.tick(n);
    std::vector<double> u = inputs;
    plant.models()->connect(t, u);
    const int passes = plant.begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
    plant.outputs(seconds(t + 1_ms), u, y);
    seen.u.push_back(u);
    seen.y.push_back(y);
  }
  return seen;
}

// time of a -> u of b, a frame late: what b gets in frame n is the time of tick n - 1; before there
// is one, the start value of its input.
TEST(Connections, ADelayIsOfOneFrame) {
  auto plant = couple(kilohertz, {{.from = 1, .to = 1, .delayed = true}}, One{"a", through()},
                      One{"b", through()});
  const Seen seen = run(*plant, 5);
  for (std::size_t n = 0; n < 5; ++n) {
    EXPECT_DOUBLE_EQ(seen.u[n][1], n < 2 ? 0.0 : static_cast<double>(n - 1) * 1e-3) << n;
    // At its end a frame later: what the next connect() will say.
    EXPECT_DOUBLE_EQ(seen.y[n][2], static_cast<double>(n) * 1e-3) << n;
  }
}

// y1 = y2 + 1, y2 = y1 delayed + 1: each frame adds 2.
TEST(Connections, ADelayedLoopGoesRoundOnceAFrame) {
  auto plant = couple(kilohertz, {{.from = 2, .to = 0}, {.from = 0, .to = 1, .delayed = true}},
                      One{"a", through()}, One{"b", through()});
  plant->system().set_parameter(0, 1.0);
  plant->system().set_parameter(1, 1.0);
  const Seen seen = run(*plant, 4);
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_EQ(seen.u[n][1], 2.0 * static_cast<double>(n)) << n;
    EXPECT_EQ(seen.u[n][0], 2.0 * static_cast<double>(n) + 1) << n;
  }
}

TEST(Connections, BeginAnewAfterAReset) {
  auto plant = couple(
      kilohertz,
      {{.from = 1, .to = 1, .degree = 1}, {.from = 2, .to = 0, .degree = 2, .delayed = true}},
      One{"a", through()}, One{"b", model::make_stepper<Integral>(numerics::rk4)});
  const Seen first = run(*plant, 7);
  plant->reset();
  const Seen again = run(*plant, 7);
  EXPECT_EQ(first.u, again.u);
  EXPECT_EQ(first.y, again.y);
}

// A jump that was announced ends the line through what was before; however often a tick is looked
// at, as in a run that is frozen there.
TEST(Connections, CarryNothingAcrossARestart) {
  for (const int looks : {1, 2, 3}) {
    auto plant = couple(kilohertz, {{.from = 0, .to = 1, .degree = 1}}, One{"a", through()},
                        One{"b", model::make_stepper<Integral>(numerics::rk4)});
    run(*plant, 3, {1.0, 0.0});
    const double before = plant->states()[1];
    EXPECT_DOUBLE_EQ(before, 3e-3);
    plant->restart(model::Restart::here);
    std::vector<double> u{5.0, 0.0};
    const SimTime t = SimTime{} + 3_ms;
    for (int look = 0; look < looks; ++look) plant->models()->connect(t, u);
    const int passes = plant->begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant->pass(i, u);
    plant->finish();
    EXPECT_DOUBLE_EQ(plant->states()[1], before + 5e-3) << looks;
  }
}

// An input that jumps at 3 ms, by more than it may: the frame that begins there holds, those after
// it follow the ramp from there on.
TEST(Connections, CarryNothingAcrossAJumpThatIsWatched) {
  const std::array gained{1.0, 1.0, 1.0, 5.0, 6.5, 7.5, 8.5};
  for (const int degree : {1, 2}) {
    double before = 0;
    for (std::size_t n = 0; n < gained.size(); ++n) {
      Rig rig(couple(kilohertz, {{.from = 0, .to = 1, .degree = degree}}, One{"a", through()},
                     One{"b", model::make_stepper<Integral>(numerics::rk4)}),
              [](double t) { return t < 2.5e-3 ? 1 : 5 + (t - 3e-3) * 1e3; });
      rig.jumps = {2.0, std::numeric_limits<double>::infinity()};
      rig.run(static_cast<std::int64_t>(n) + 1);
      EXPECT_EQ(rig.statistics().jump_restarts.get(), n < 3 ? 0 : 1);
      EXPECT_NEAR((rig.plant.states()[1] - before) * 1e3, gained[n], 1e-9) << n << ' ' << degree;
      before = rig.plant.states()[1];
    }
  }
}

// One of a slow model begins anew with what it puts out when its step is over.
TEST(Connections, CarryNothingAcrossAJumpWithinASlowStep) {
  const auto x = [](std::int64_t frames) {
    Rig rig(
        couple(kilohertz, {{.from = 0, .to = 1, .degree = 1}}, One{"a", through(), {.every = 4}},
               One{"b", model::make_stepper<Integral>(numerics::rk4)}),
        [](double t) { return t < 4.5e-3 ? 1.0 : 5.0; });
    rig.jumps = {2.0, std::numeric_limits<double>::infinity()};
    rig.run(frames);
    EXPECT_EQ(rig.statistics().jump_restarts.get(), 1);
    return rig.plant.states()[1] * 1e3;
  };
  EXPECT_NEAR(x(8), 8 * 1.0, 1e-9);  // a puts out 1 until 8 ms
  EXPECT_NEAR(x(9), 8 * 1.0 + 5.0, 1e-9);
  EXPECT_NEAR(x(16), 8 * 1.0 + 8 * 5.0, 1e-9);
}

// Who falsifies a connected input does so for the model it enters, and for the whole step.
TEST(Connections, TakeWhatIsPutInTheirPlace) {
  auto plant = couple(kilohertz, {{.from = 1, .to = 1, .degree = 1}}, One{"a", through()},
                      One{"b", model::make_stepper<Integral>(numerics::rk4)});
  run(*plant, 3);
  const double before = plant->states()[1];
  std::vector<double> u(2);
  const SimTime t = SimTime{} + 3_ms;
  plant->models()->connect(t, u);
  EXPECT_DOUBLE_EQ(u[1], 3e-3);
  u[1] = -2.0;
  const int passes = plant->begin(t, 1_ms).count();
  for (int i = 0; i < passes; ++i) plant->pass(i, u);
  plant->finish();
  EXPECT_DOUBLE_EQ(plant->states()[1], before - 2e-3);
}

// Also for what the model puts out at the end of the step, where it follows at once.
TEST(Connections, PutOutWhatFollowsFromWhatIsPutInTheirPlace) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1}}, One{"a", through()}, One{"b", through()});
  plant->system().set_parameter(1, 0.5);
  std::array u{3.0, 0.0};
  plant->models()->connect({}, u);
  EXPECT_EQ(u[1], 3.0);
  u[1] = -2.0;
  std::array<double, 4> y{};
  plant->outputs(0, u, y);
  EXPECT_THAT(y, ElementsAre(3.0, 0.0, -1.5, 0.0));
}

// What a slow model put out when its step began was there before every frame but the first of it.
TEST(Connections, ADelayEndsWithTheFirstFrameOfASlowStep) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 1, .degree = 1, .delayed = true}},
                      One{"a", through(), {.every = 4}},
                      One{"b", model::make_stepper<Integral>(numerics::rk4)});
  // a puts out 1, 2 and 4, from 0, 4 and 8 ms on; gained is what b gets in the middle of a frame.
  auto gained = [&, x = 0.0](int n) mutable {
    std::vector<double> u{n < 4 ? 1.0 : n < 8 ? 2.0 : 4.0, 0.0};
    const SimTime t = SimTime{} + kilohertz.tick(n);
    plant->models()->connect(t, u);
    const int passes = plant->begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant->pass(i, u);
    plant->finish();
    return (plant->states()[1] - std::exchange(x, plant->states()[1])) * 1e3;
  };
  EXPECT_NEAR(gained(0), 0.0, 1e-12);                              // nothing is known
  for (int n = 1; n < 5; ++n) EXPECT_NEAR(gained(n), 1.0, 1e-12);  // one value: it holds
  // The line through (0, 1) and (4, 2), then that through (4, 2) and (8, 4).
  for (int n = 5; n < 9; ++n) EXPECT_NEAR(gained(n), 1 + (n + 0.5) / 4, 1e-12) << n;
  for (int n = 9; n < 12; ++n) EXPECT_NEAR(gained(n), 2 + (n + 0.5 - 4) / 2, 1e-12) << n;
}

// Whole steps in one call are those of the passes.
TEST(Connections, AreMadeWhereStepsAreTakenInOneCall) {
  const auto make = [] {
    return couple(kilohertz, {{.from = 1, .to = 1, .degree = 1}}, One{"a", through()},
                  One{"b", model::make_stepper<Integral>(numerics::rk4)});
  };
  const auto by_passes = make();
  run(*by_passes, 9);
  const auto at_once = make();
  at_once->advance({}, 1_ms, 9, std::array{0.0, 0.0});
  EXPECT_EQ(at_once->states()[1], by_passes->states()[1]);
}

}  // namespace
}  // namespace hild::testing
