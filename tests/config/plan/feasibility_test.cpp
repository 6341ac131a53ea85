// SPDX-License-Identifier: Apache-2.0
/// \file
/// The feasibility formula against numbers worked out by hand. A frame of 1 ms throughout.
#include "config/plan/feasibility.hpp"

#include <gtest/gtest.h>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::plan {
namespace {

using exec::Sampling;

constexpr Duration frame = 1_ms;
constexpr Costs costs{.wake = 30_us, .io = 20_us, .pass = 50_us, .outputs = 10_us};

Duration finish_of(const numerics::Method& method, Sampling sampling, Events events) {
  return finish(shape_of(method, sampling, events), costs, frame);
}

TEST(Shape, ReleasesFollowTheSampling) {
  const auto releases = [](const numerics::Method& m, Sampling s) {
    return shape_of(m, s, Events::none).releases;
  };
  EXPECT_EQ(releases(numerics::rtrk3, Sampling::frame), (std::vector{0.0, 0.0, 0.0}));
  EXPECT_EQ(releases(numerics::rtrk3, Sampling::stage), (std::vector{0.0, 1.0 / 3, 2.0 / 3}));
  EXPECT_EQ(releases(numerics::rk4, Sampling::extrapolate), (std::vector{0.0, 0.25, 0.5, 0.75}));
  EXPECT_FALSE(shape_of(numerics::rk4, Sampling::frame, Events::none).reads);
  EXPECT_TRUE(shape_of(numerics::rtam2, Sampling::stage, Events::none).reads);
  EXPECT_TRUE(shape_of(numerics::rk4, Sampling::extrapolate, Events::none).reads);
}

// wake 30 + io 20 + s passes of 50 + outputs 10.
TEST(Finish, UnderFrameSamplingIsTheSumOfTheWork) {
  EXPECT_EQ(finish_of(numerics::ab2, Sampling::frame, Events::none), Duration(110_us));
  EXPECT_EQ(finish_of(numerics::rtam2, Sampling::frame, Events::none), Duration(160_us));
  EXPECT_EQ(finish_of(numerics::rk4, Sampling::frame, Events::none), Duration(260_us));
}

// The last release (500 us, 800 us), then its read and pass: 30 + 20 + release + 20 + 50 + 10.
TEST(Finish, UnderStageSamplingIsTheLastReleaseAndWhatFollows) {
  EXPECT_EQ(finish_of(numerics::rtam2, Sampling::stage, Events::none), Duration(630_us));
  EXPECT_EQ(finish_of(numerics::rtrk4, Sampling::stage, Events::none), Duration(930_us));
  EXPECT_EQ(finish_of(numerics::ab2, Sampling::stage, Events::none), Duration(110_us));
}

// Passes of 600 us: the second cannot start at its release. 30 + 20 + (600 + 20 + 600) + 10.
TEST(Finish, APassThatIsStillBusyDelaysTheNext) {
  Costs slow = costs;
  slow.pass = 600_us;
  const Shape shape = shape_of(numerics::rtam2, Sampling::stage, Events::none);
  EXPECT_EQ(finish(shape, slow, frame), Duration(1'280_us));
  slow.pass = 479_us;  // ready before the release: 30 + 20 + 500 + 20 + 479 + 10
  EXPECT_EQ(finish(shape, slow, frame), Duration(1'059_us));
}

// A time event adds a step, 2 passes of RTRK-2, which starts RTAM-2. A state event
// adds the derivatives at the end of the step and the step again beside: 1 + 2 + 2, and 1 + 3 + 3.
TEST(Finish, EventsAddPassesWithoutWaiting) {
  EXPECT_EQ(finish_of(numerics::rtam2, Sampling::frame, Events::time), Duration(260_us));
  EXPECT_EQ(finish_of(numerics::rtam2, Sampling::stage, Events::state), Duration(880_us));
  EXPECT_EQ(finish_of(numerics::rtrk3, Sampling::frame, Events::state), Duration(560_us));
}

// The action comes once, where the model has events.
TEST(Finish, CountsTheActionOfAnEvent) {
  Costs acting = costs;
  acting.action = 300_us;
  const auto with = [&](Sampling sampling, Events events) {
    return finish(shape_of(numerics::rtam2, sampling, events), acting, frame);
  };
  EXPECT_EQ(with(Sampling::frame, Events::none), Duration(160_us));
  EXPECT_EQ(with(Sampling::frame, Events::time), Duration(560_us));
  EXPECT_EQ(with(Sampling::stage, Events::state), Duration(1'180_us));
  // Both parts at once: 30 + 20 + (50 + 20 + 50) + 300 + 2 (50 + 20) + 10.
  EXPECT_EQ(with(Sampling::stage, Events::time), Duration(620_us));
}

// RTAM-2, released at 0 and 500 us, started by RTRK-2 with the same nodes. At the tick: the second
// part's last release at 500 us, 30 + 500 + 70 + 10. At 400 us: 400 + 30 + 300 + 70 + 10. At the
// end: first all that is released there, 30 + 500 + 20 + 20 + 50 = 620, long done: h + 30 + 140
// + 10.
TEST(FinishCut, TheSecondPartWaitsForItsOwnReleases) {
  const Shape shape = shape_of(numerics::rtam2, Sampling::stage, Events::time);
  EXPECT_EQ(finish(shape, costs, frame), Duration(610_us));
  EXPECT_EQ(finish_cut(shape, costs, frame, 0), Duration(610_us));
  EXPECT_EQ(finish_cut(shape, costs, frame, 0.4), Duration(810_us));
  EXPECT_EQ(finish_cut(shape, costs, frame, 1), Duration(1'180_us));
  // 30 + 140 + 10 after it, or from half of what is left on: theta + 180 us and theta / 2 + 610 us.
  EXPECT_NEAR(latest_cut(shape, costs, frame), 0.78, 1e-6);
  EXPECT_EQ(shape_of(numerics::rtam2, Sampling::frame, Events::time).cut_waits(), false);
  EXPECT_EQ(shape_of(numerics::rtam2, Sampling::stage, Events::state).cut_waits(), false);
}

// Of several models both parts of the step that is cut come after the passes, and wait for nothing.
TEST(Feasibility, OfSeveralModelsATimeEventCutsTheStepOfOne) {
  Shape shape = shape_of(numerics::forward_euler, Sampling::stage, Events::time);
  const Costs costs{.pass = 100_us, .action = 7_us};
  ASSERT_TRUE(shape.cut_waits());
  shape.cut_alone = true;
  EXPECT_FALSE(shape.cut_waits());
  EXPECT_EQ(event_passes(shape), 2);
  EXPECT_EQ(finish(shape, costs, 1_ms), 307_us);
  EXPECT_DOUBLE_EQ(utilisation_limit(shape), 1.0 / 3);
}

TEST(FinishCut, ThatNeverFitsIsToldSo) {
  Costs slow = costs;
  slow.pass = 479_us;
  const Shape shape = shape_of(numerics::rtam2, Sampling::stage, Events::time);
  EXPECT_LT(latest_cut(shape, slow, frame), 0);
  EXPECT_GT(finish(shape, slow, frame), frame);
}

// A single pass is started by five: 1 and 5 with a time event, 1 and 1 + 1 + 5 with a state event.
TEST(Finish, AfterAnEventTheStarterCounts) {
  EXPECT_EQ(finish_of(numerics::ab4, Sampling::frame, Events::none), Duration(110_us));
  EXPECT_EQ(finish_of(numerics::ab4, Sampling::frame, Events::time), Duration(360_us));
  EXPECT_EQ(finish_of(numerics::ab4, Sampling::frame, Events::state), Duration(460_us));
}

// Work, not waiting: wake and releases take no part.
TEST(Utilisation, IsTheWorkOfAFrameWithoutEvents) {
  const auto of = [](const numerics::Method& m, Sampling s, Events e) {
    return utilisation(shape_of(m, s, e), costs, frame);
  };
  EXPECT_DOUBLE_EQ(of(numerics::rtam2, Sampling::frame, Events::none), 0.130);
  EXPECT_DOUBLE_EQ(of(numerics::rtam2, Sampling::stage, Events::none), 0.150);
  EXPECT_DOUBLE_EQ(of(numerics::rtrk4, Sampling::stage, Events::none), 0.360);
  EXPECT_DOUBLE_EQ(of(numerics::rtam2, Sampling::stage, Events::state), 0.150);
}

// Each is a device call: on time, at its part of the frame after a wake-up; a step late, between
// the passes.
TEST(Finish, CountsDenseOutputs) {
  constexpr Costs each{.wake = 20_us, .io = 10_us, .pass = 30_us, .outputs = 5_us};
  Shape shape = shape_of(numerics::ode45, Sampling::frame, Events::none);
  shape.dense_outputs = {0.1, 0.9};
  // Work ends at 185 us, past the first; the second is waited for.
  EXPECT_EQ(finish(shape, each, 1_ms), Duration(930_us));
  EXPECT_DOUBLE_EQ(utilisation(shape, each, 1_ms), 0.185);
  shape.dense_outputs = {0.1};
  EXPECT_EQ(finish(shape, each, 1_ms), Duration(195_us));
  // The last of five passes is released at 800 us: 20 + 10 + 800 + 10 + 30 + 5, and one call.
  shape = shape_of(numerics::ode45, Sampling::stage, Events::none);
  shape.dense_outputs = {0.5};
  EXPECT_EQ(finish(shape, each, 1_ms), Duration(885_us));
}

double limit(const numerics::Method& method, Sampling sampling, Events events) {
  return utilisation_limit(shape_of(method, sampling, events));
}

// s passes of the step, s up to the event, s to the end, and the derivatives at the end; of first
// order the last are not needed.
TEST(UtilisationLimit, UnderFrameSamplingIsAThirdAtMostWithStateEvents) {
  EXPECT_DOUBLE_EQ(limit(numerics::forward_euler, Sampling::frame, Events::state), 1.0 / 3);
  for (const auto* method :
       {&numerics::rtrk2, &numerics::rtrk3, &numerics::rk4, &numerics::rtrk4, &numerics::rtam2}) {
    const double s = method->passes;
    EXPECT_DOUBLE_EQ(limit(*method, Sampling::frame, Events::state), s / (3 * s + 1))
        << method->name;
    EXPECT_DOUBLE_EQ(limit(*method, Sampling::frame, Events::time), 1.0 / 2) << method->name;
    EXPECT_DOUBLE_EQ(limit(*method, Sampling::frame, Events::none), 1.0) << method->name;
  }
}

// 1 of 1 + 1 + 1 + 5, of 1 + 1 + 1 + 3, and 7 of 7 + 7 with the states of the step at hand.
TEST(UtilisationLimit, FollowsTheStarterAndTheDenseResult) {
  EXPECT_DOUBLE_EQ(limit(numerics::ab4, Sampling::frame, Events::state), 1.0 / 8);
  EXPECT_DOUBLE_EQ(limit(numerics::ab3, Sampling::frame, Events::state), 1.0 / 6);
  EXPECT_DOUBLE_EQ(limit(numerics::ab4, Sampling::frame, Events::time), 1.0 / 6);
  EXPECT_DOUBLE_EQ(limit(numerics::ode45, Sampling::frame, Events::state), 1.0 / 2);
}

// With s passes, the last released at c: (1 - c) h holds that pass and 2 s + 1 more, so that
// s p / h is at most s (1 - c) / (2 + 2 s).
TEST(UtilisationLimit, UnderStageSamplingIsWhatFitsAfterTheLastRelease) {
  EXPECT_DOUBLE_EQ(limit(numerics::rtam2, Sampling::stage, Events::state), 1.0 / 6);
  EXPECT_DOUBLE_EQ(limit(numerics::rtrk3, Sampling::stage, Events::state), 1.0 / 8);
  EXPECT_DOUBLE_EQ(limit(numerics::rtrk4, Sampling::stage, Events::state), 1.0 / 12);
  EXPECT_DOUBLE_EQ(limit(numerics::forward_euler, Sampling::stage, Events::state), 1.0 / 3);
}

TEST(UtilisationLimit, WithoutEventsAFullPassFitsBehindEachRelease) {
  EXPECT_DOUBLE_EQ(limit(numerics::rtam2, Sampling::stage, Events::none), 1.0);
  EXPECT_DOUBLE_EQ(limit(numerics::rtrk3, Sampling::stage, Events::none), 1.0);
}

// Two passes of each part at the tick, or one and a read after the last release.
TEST(UtilisationLimit, OfAStepThatIsCutAtItsBeginning) {
  EXPECT_DOUBLE_EQ(limit(numerics::rtam2, Sampling::stage, Events::time), 2.0 / 4);
  EXPECT_DOUBLE_EQ(limit(numerics::rtrk4, Sampling::stage, Events::time), 5.0 / 10);
}

// The limit and the formula agree: passes that take just this share end with the frame.
TEST(UtilisationLimit, IsWhereTheFormulaReachesTheFrame) {
  for (const auto* method : {&numerics::rtam2, &numerics::rtrk3, &numerics::rtrk4}) {
    for (const auto events : {Events::none, Events::time, Events::state}) {
      const Shape shape = shape_of(*method, Sampling::stage, events);
      const Costs only_passes{
          .wake = {},
          .io = {},
          .pass = part(frame, utilisation_limit(shape) / static_cast<double>(method->passes)),
          .outputs = {}};
      EXPECT_NEAR(microseconds(finish(shape, only_passes, frame)), 1000, 0.05) << method->name;
    }
  }
}

TEST(Budget, DependsOnTheKindOfEvents) {
  const exec::BudgetSettings budget{
      .utilisation = 0.8, .with_time_events = 0.4, .with_state_events = 0.2};
  EXPECT_EQ(budget_for(budget, Events::none), 0.8);
  EXPECT_EQ(budget_for(budget, Events::time), 0.4);
  EXPECT_EQ(budget_for(budget, Events::state), 0.2);
}

/// No more than the tables of a model: with a state event, with time events, or with neither.
template <int kind>
struct Model {
  static constexpr std::string_view name = "test";
  static constexpr std::string_view summary = "for tests";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array<model::Output, 0> outputs{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array<model::Event, kind == 2 ? 1 : 0> events{};
  using D = model::Data<Model>;
  static void derivatives(double, typename D::X, typename D::U, typename D::P,
                          typename D::DX dx) noexcept {
    dx[0] = 0;
  }
  static void outputs_of(double, typename D::X, typename D::U, typename D::P,
                         typename D::Y) noexcept {}
  static void event_functions(double, typename D::X x, typename D::U, typename D::P,
                              std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, typename D::NewX, typename D::U,
                       typename D::NewP) noexcept {}
  static SimTime next_time_event(SimTime t, typename D::P) noexcept requires(kind == 1) {
    return t + 1_s;
  }
  static void on_time_event(double, typename D::NewX, typename D::U, typename D::NewP) noexcept {}
};

TEST(Events, OfAModelAreFound) {
  EXPECT_EQ(events_of(*model::make_stepper<Model<0>>(numerics::ab2)), Events::none);
  EXPECT_EQ(events_of(*model::make_stepper<Model<1>>(numerics::ab2)), Events::time);
  EXPECT_EQ(events_of(*model::make_stepper<Model<2>>(numerics::ab2)), Events::state);
}

}  // namespace
}  // namespace hild::plan
