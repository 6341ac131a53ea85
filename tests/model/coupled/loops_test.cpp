// SPDX-License-Identifier: Apache-2.0
/// Algebraic loops of models that are solved in every frame: against solutions written down.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"
#include "model/coupled/system.hpp"
#include "support/saved.hpp"

namespace hild::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// y = offset + gain u + square u^2 + cube u^3, at once; its state counts the time. Counts how
/// often it is evaluated.
struct Curve {
  static constexpr std::string_view name = "curve", summary = "its input, bent";
  static constexpr std::array states{model::State{"time", "s"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  enum { offset, gain, square, cube };
  static constexpr std::array parameters{model::Parameter{"offset"}, model::Parameter{"gain"},
                                         model::Parameter{"square"}, model::Parameter{"cube"}};
  using D = model::Data<Curve>;
  static inline int evaluations = 0;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X, D::U u, D::P p, D::Y y) noexcept {
    ++evaluations;
    y[0] = p[offset] + u[0] * (p[gain] + u[0] * (p[square] + u[0] * p[cube]));
  }
};

constexpr coupled::Connection there{.from = 0, .to = 1};
constexpr coupled::Connection back{.from = 1, .to = 0, .solved = true};

std::unique_ptr<coupled::CoupledStepper> ring(std::array<double, 4> a, std::array<double, 4> b) {
  auto plant = couple(kilohertz, {there, back}, One{"a", model::make_stepper<Curve>(numerics::rk4)},
                      One{"b", model::make_stepper<Curve>(numerics::rk4)});
  for (std::size_t i = 0; i < 4; ++i) {
    plant->system().set_parameter(i, a[i]);
    plant->system().set_parameter(4 + i, b[i]);
  }
  return plant;
}

// What reaches the devices in each frame.
std::vector<std::vector<double>> outputs_of(std::unique_ptr<model::Stepper> plant, int frames) {
  Rig rig(std::move(plant), [](double) { return 99.0; });  // what nobody is to see
  EXPECT_EQ(rig.run(frames).end, exec::End::duration);
  std::vector<std::vector<double>> all;
  for (const auto& write : rig.sampler.writes) all.emplace_back(write.y.begin(), write.y.end());
  return all;
}

TEST(Loops, AreOrderedFromWhereTheyAreClosed) {
  const model::Description d = model::describe<Curve>();
  const auto closed = coupled::order_of(std::array{&d, &d}, std::array{there, back});
  EXPECT_THAT(closed.loop, IsEmpty());
  EXPECT_THAT(closed.sources, ElementsAre(0, 1));
  EXPECT_THAT(closed.loops, ElementsAre(0, 1));
  EXPECT_THAT(closed.solved, ElementsAre(1));
  // One that closes none, before a model that is in none.
  constexpr coupled::Connection forth{.from = 1, .to = 2, .solved = true};
  const auto chain = coupled::order_of(std::array{&d, &d, &d}, std::array{there, back, forth});
  EXPECT_THAT(chain.solved, ElementsAre(1));
  EXPECT_THAT(chain.loops, ElementsAre(0, 1));
}

// a = 1 + b / 2, b = 3 - a / 4: 9/8 a = 5/2, so that a = 20/9 and b = 22/9.
TEST(Loops, OfLinesAreSolved) {
  for (const auto& y : outputs_of(ring({1, 0.5, 0, 0}, {3, -0.25, 0, 0}), 20)) {
    ASSERT_EQ(y.size(), 2);
    EXPECT_NEAR(y[0], 20.0 / 9, 1e-12);
    EXPECT_NEAR(y[1], 22.0 / 9, 1e-12);
  }
}

// a = -b^3, b = a + 2: b^3 + b = 2, so that b = 1 and a = -1.
TEST(Loops, OfCurvesAreSolved) {
  for (const auto& y : outputs_of(ring({0, 0, 0, -1}, {2, 1, 0, 0}), 20)) {
    EXPECT_NEAR(y[0], -1, 1e-12);
    EXPECT_NEAR(y[1], 1, 1e-12);
  }
}

TEST(Loops, AreSolvedForReferencesToo) {
  const std::vector<coupled::Part> parts{{Name("a"), model::describe<Curve>(), &numerics::rk4},
                                         {Name("b"), model::describe<Curve>(), &numerics::rk4}};
  std::vector<std::unique_ptr<model::System>> systems;
  systems.push_back(std::make_unique<model::SystemOf<Curve>>());
  systems.push_back(std::make_unique<model::SystemOf<Curve>>());
  coupled::ContinuousSystem system(
      std::make_shared<coupled::Composition>(parts, std::vector{there, back}), std::move(systems));
  system.set_parameter(Curve::cube, -1);
  system.set_parameter(4 + Curve::offset, 2);
  system.set_parameter(4 + Curve::gain, 1);
  std::array<double, 2> y{};
  system.outputs(0, std::array{0.0, 0.0}, std::array{99.0, 99.0}, y);
  EXPECT_NEAR(y[0], -1, 1e-12);
  EXPECT_NEAR(y[1], 1, 1e-12);
  std::array<double, 2> u{99, 99};
  system.connect(0, std::array{0.0, 0.0}, u);
  EXPECT_NEAR(u[0], 1, 1e-12);
  EXPECT_NEAR(u[1], -1, 1e-12);
}

// Three iterations of two evaluations each, and one before and after, of each of the models; twice
// a frame, for the inputs and for the outputs. The first frame alone searches on.
TEST(Loops, TakeTheSameWorkInEveryFrame) {
  const auto plant = ring({0, 0, 0, -1}, {2, 1, 0, 0});
  std::array<double, 2> u{};
  std::array<double, 2> y{};
  std::vector<int> work;
  for (SimTime t{}; t < SimTime{} + Duration(20_ms); t += 1_ms) {
    Curve::evaluations = 0;
    plant->models()->connect(t, u);
    const int passes = plant->begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant->pass(i, u);
    plant->finish();
    plant->outputs(seconds(t + Duration(1_ms)), u, y);
    work.push_back(Curve::evaluations);
  }
  EXPECT_GT(work.front(), 32);
  for (std::size_t n = 1; n < work.size(); ++n) EXPECT_EQ(work[n], 32) << n;
}

// One that is loaded goes on by the same bits, also right after an event, when the search goes on.
TEST(Loops, AreTheSameBitForBit) {
  const auto once = ring({0, 0, 0, -1}, {2, 1, 0, 0});
  const auto again = ring({0, 0, 0, -1}, {2, 1, 0, 0});
  SimTime t{};
  const auto step = [&](model::Stepper& plant) {
    std::array<double, 2> u{};
    std::array<double, 2> y{};
    plant.models()->connect(t, u);
    const int passes = plant.begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant.pass(i, u);
    plant.finish();
    plant.outputs(seconds(t + Duration(1_ms)), u, y);
    return std::array{u[0], u[1], y[0], y[1]};
  };
  for (int n = 0; n < 30; ++n, t += 1_ms) {
    once->system().set_parameter(Curve::gain, 0.01 * n);
    if (n == 10) once->restart(model::Restart::here);
    if (n % 5 == 0) {
      ASSERT_EQ(load(*again, save(*once, t), t), "");
    }
    again->system().set_parameter(Curve::gain, 0.01 * n);
    ASSERT_EQ(step(*once), step(*again)) << n;
  }
}

// a = b^2, b = a + 1: a^2 + a + 1 = 0.
TEST(Loops, ThatHaveNoSolutionAreCounted) {
  auto plant = ring({0, 0, 1, 0}, {1, 1, 0, 0});
  Rig rig(std::move(plant), [](double) { return 0.0; });
  EXPECT_EQ(rig.run(5).end, exec::End::duration);
  const auto cap = static_cast<std::size_t>(io::Cap::algebraic_iterations);
  EXPECT_GT(rig.statistics().capped[cap].get(), 3);
}

}  // namespace
}  // namespace hild::testing
