// SPDX-License-Identifier: Apache-2.0
/// Events in one of several models: found where they are, while the others step as if there were
/// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coupled/couple.hpp"

namespace hild::testing {
namespace {

/// x' = 1 + u; counts its passes. Its time is in its name for nobody: it only counts.
struct Counted {
  static constexpr std::string_view name = "counted";
  static constexpr std::string_view summary = "counts its evaluations";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u", "m"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Counted>;
  static inline int evaluations = 0;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept {
    ++evaluations;
    dx[0] = u[0];
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

/// Adds 1 to its state every 2.5 ms.
struct Stair {
  static constexpr std::string_view name = "stair";
  static constexpr std::string_view summary = "a step up every 2.5 ms";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Stair>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    constexpr std::int64_t every = 2'500'000;
    return {(t.ns / every + 1) * every};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] += 1; }
};

/// Of the ball dropped from 1 m that keeps half its speed, at t.
double height(double t) {
  const double fall = std::sqrt(2 / gravity);
  double start = fall;
  double speed = gravity * fall / 2;
  if (t < fall) return 1 - gravity * t * t / 2;
  while (t > start + 2 * speed / gravity) {
    start += 2 * speed / gravity;
    speed /= 2;
  }
  const double tau = t - start;
  return speed * tau - gravity * tau * tau / 2;
}

// An event acts at a whole nanosecond, half a one off at most, where speed turns from 4.5 to 2.2
// m/s.
constexpr double rounding = 7e-9;

TEST(CoupledEvents, AreFoundInTheModelThatHasThem) {
  Counted::evaluations = 0;
  Rig rig(
      couple(kilohertz, {{.from = 0, .to = 0}}, One{"ball", model::make_plant<Ball>(numerics::rk4)},
             One{"other", model::make_plant<Counted>(numerics::forward_euler)}),
      [](double) { return 0.0; });
  rig.run(1000);
  EXPECT_EQ(rig.statistics().state_events.get(), 2);  // at 0.447 s and 0.894 s
  for (std::size_t i = 0; i < rig.sampler.writes.size() && i < rig.records.size(); ++i) {
    const double t = seconds(rig.records[i].t);
    EXPECT_NEAR(rig.sampler.writes[i].y[0], height(t), rounding) << t;
  }
  // One evaluation a frame, and one to locate each event: steps taken again are not its own.
  EXPECT_EQ(Counted::evaluations, 1000 + 2);
  // It saw the height of every tick.
  double sum = 0;
  for (int n = 0; n < 1000; ++n) sum += 1e-3 * height(n * 1e-3);
  EXPECT_NEAR(rig.plant.states()[2], sum, 1e-9);
}

TEST(CoupledEvents, InTwoModelsOfOneFrameAreBothExact) {
  auto plant = couple(kilohertz, {}, One{"a", model::make_plant<Ball>(numerics::rk4)},
                      One{"b", model::make_plant<Ball>(numerics::rk4)});
  plant->set_initial(std::array{1.0, 0.0, 1.0 - 2e-4, 0.0});  // falls 0.045 ms earlier
  Rig rig(std::move(plant), [](double) { return 0.0; });
  rig.run(600);
  EXPECT_EQ(rig.statistics().state_events.get(), 2);
  const double fall = std::sqrt(2 * (1 - 2e-4) / gravity);
  const double tau = 0.6 - fall;
  EXPECT_NEAR(rig.plant.states()[0], height(0.6), rounding);
  EXPECT_NEAR(rig.plant.states()[2], gravity * fall / 2 * tau - gravity * tau * tau / 2, rounding);
}

TEST(CoupledEvents, KeepTheOtherModelsHistories) {
  Rig rig(couple(kilohertz, {}, One{"ball", model::make_plant<Ball>(numerics::rk4)},
                 One{"other", model::make_plant<Counted>(numerics::ab3)}),
          [](double) { return 1.0; });
  rig.run(1000);
  EXPECT_GT(rig.statistics().state_events.get(), 0);
  int starters = 0;
  for (const auto& r : rig.records) starters += r.starter ? 1 : 0;
  EXPECT_EQ(starters, 2);  // of AB-3, at the beginning
}

TEST(CoupledEvents, AtTheirTimesCutTheStep) {
  Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                 One{"stair", model::make_plant<Stair>(numerics::forward_euler)},
                 One{"other", model::make_plant<Counted>(numerics::forward_euler)}),
          [](double) { return 0.0; });
  rig.run(10);
  EXPECT_EQ(rig.statistics().time_events.get(), 4);  // 2.5, 5, 7.5, 10 ms
  // The other sees 0 in frames 0 to 2, 1 from tick 3 on, 2 from tick 5, 3 from tick 8.
  EXPECT_DOUBLE_EQ(rig.plant.states()[1], 1e-3 * (2 * 1 + 3 * 2 + 2 * 3));
}

// Steps of four frames: what is due at 2.5 ms acts at 4 ms, and so on.
TEST(CoupledEvents, OfASlowModelActAtTheEndOfItsStep) {
  for (const int frames : {3, 8}) {
    Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                   One{"stair", model::make_plant<Stair>(numerics::forward_euler), {.every = 4}},
                   One{"other", model::make_plant<Counted>(numerics::forward_euler)}),
            [](double) { return 0.0; });
    rig.run(frames);
    EXPECT_EQ(rig.statistics().time_events.get(), frames / 4);
    EXPECT_DOUBLE_EQ(rig.plant.states()[0], frames / 4);
    EXPECT_DOUBLE_EQ(rig.plant.states()[1], frames == 8 ? 1e-3 * 4 : 0);  // 1 for four frames
  }
}

}  // namespace
}  // namespace hild::testing
