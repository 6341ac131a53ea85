// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reference runs of plants: inputs that jump, time events, rows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "offline/reference/simulated.hpp"

namespace hild::test {
namespace {

using testing::HasSubstr;

/// x' = u, y = x + u.
struct Integrator {
  static constexpr std::string_view name = "integrator", summary{};
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Integrator>;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept { dx[0] = u[0]; }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept { y[0] = x[0] + u[0]; }
};

// Each piece is a polynomial that the formulas integrate exactly; a step across a jump would not.
TEST(Simulation, StepsEndAtTheBreaksOfTheInputs) {
  for (const auto kind : both_formulas) {
    auto b = simulated<Integrator>();
    b.options.formula = kind;
    ASSERT_TRUE(b.run(Jumps(), 1_s, 50_ms));
    ASSERT_EQ(b.kept.rows.size(), 21U);
    const auto x = [](double t) {
      return t < 0.35 ? t : t < 0.7 ? 0.35 - 2 * (t - 0.35) : -0.35 + 2.5 * (t * t - 0.49);
    };
    for (const auto& r : b.kept.rows) EXPECT_NEAR(r.x[0], x(r.t), 1e-13) << r.t;
    EXPECT_EQ(b.kept.rows[7].t, 0.35);
    EXPECT_EQ(b.kept.rows[7].u[0], -2) << "after the jump";
    EXPECT_NEAR(b.kept.rows[7].y[0], 0.35 - 2, 1e-13);
    EXPECT_NEAR(b.kept.rows[14].u[0], 3.5, 1e-15);
    EXPECT_EQ(b.summary.counts.rejected, 0);
    EXPECT_NEAR(b.summary.states[0], x(1), 1e-13);
  }
}

TEST(Simulation, WritesARowAtEveryTickUpToTheEndAndShortensNoStepForIt) {
  auto few = simulated<Integrator>();
  ASSERT_TRUE(few.run(Jumps(), 1_s, 300_ms));
  EXPECT_EQ(few.kept.rows.size(), 4U);
  EXPECT_EQ(few.kept.rows.back().t, 0.9);
  auto many = simulated<Integrator>();
  ASSERT_TRUE(many.run(Jumps(), 1_s, 1_ms));
  EXPECT_EQ(many.kept.rows.size(), 1001U);
  EXPECT_EQ(many.summary.rows, 1001);
  EXPECT_EQ(many.kept.rows.back().t, 1);
  EXPECT_EQ(many.summary.counts.accepted, few.summary.counts.accepted);
}

TEST(Simulation, StopsWhenTold) {
  auto b = simulated<Integrator>();
  b.options.largest_step = 0.01;
  b.kept.stop_at = 0.5;
  ASSERT_TRUE(b.run(Jumps(), 1_s, 1_ms));
  EXPECT_NEAR(b.summary.end, 0.5, 0.01 + 1e-9);
  EXPECT_NEAR(b.kept.rows.back().t, 0.5, 0.011);
}

// ---- time events -------------------------------------------------------------------------------

/// x' = -x, and 1 is added every 250 ms.
struct Doses {
  static constexpr std::string_view name = "doses", summary{};
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Doses>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept { dx[0] = -x[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    return {(t.ns / 250'000'000 + 1) * 250'000'000};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] += 1; }
};

TEST(Simulation, ActsAtTimeEventsExactly) {
  auto b = simulated<Doses>();
  ASSERT_TRUE(b.run(2_s, 50_ms));
  EXPECT_THAT(b.kept.time_events, testing::ElementsAre(0.25, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2));
  EXPECT_EQ(b.summary.time_events, 8);
  for (const auto& r : b.kept.rows) {
    double x = std::exp(-r.t);
    for (double at = 0.25; at <= r.t; at += 0.25) x += std::exp(-(r.t - at));
    EXPECT_NEAR(r.x[0], x, 1e-8) << r.t;
  }
}

/// Says that its next event is now.
struct Stuck : Doses {
  using D = model::Data<Stuck>;
  static SimTime next_time_event(SimTime t, D::P) noexcept { return t; }
};

TEST(Simulation, ATimeEventThatDoesNotLieAheadIsAFault) {
  auto b = simulated<Stuck>();
  const auto done = b.run(2_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_THAT(done.error().message, HasSubstr("the next time event of doses is at 0 s"));
}

}  // namespace
}  // namespace hild::test
