// SPDX-License-Identifier: Apache-2.0
/// State events that inputs bring about: they act at the instant of the image that shows them.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/steering_rig.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;

/// Notes when its input goes above 0.5, and counts how often it has.
struct Trigger {
  static constexpr std::string_view name = "trigger", summary = "notes when its input rises";
  static constexpr std::array states{model::State{"x"}, model::State{"when", "s", -1.0},
                                     model::State{"count"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"rise", model::Crossing::rising}};
  using D = model::Data<Trigger>;
  static void derivatives(double, D::X x, D::U u, D::P, D::DX dx) noexcept {
    dx[0] = u[0] - x[0];
    dx[1] = dx[2] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X, D::U u, D::P, std::span<double, 1> g) noexcept {
    g[0] = u[0] - 0.5;
  }
  static void on_event(std::size_t, double t, D::NewX x, D::U, D::NewP) noexcept {
    x[1] = t;
    x[2] += 1;
  }
};

struct Noted {
  double when;
  double count;
};

struct Wired {
  const numerics::Method* method;
  Sampling sampling;
  bool digital = false;
  int beyond = 0;  // degree to which inputs are carried on
};

Noted run(const Wired& as, const FakeSampler::Input& input, std::int64_t frames = 20) {
  Rig rig(model::make_stepper<Trigger>(*as.method), input);
  rig.settings.sampling = as.sampling;
  rig.settings.extrapolation = as.beyond;
  rig.held = {as.digital};
  rig.run(frames);
  return {rig.plant.states()[1], rig.plant.states()[2]};
}

constexpr double frame = 1e-3;

class InputEvents : public ::testing::TestWithParam<const numerics::Method*> {};

// A step of an input between two ticks is there from the sample of the second one on, and so is its
// event: not a part of a frame later, and not before.
TEST_P(InputEvents, OfAStepActAtTheTickThatShowsIt) {
  const auto step = [](double t) { return t > 7.3 * frame ? 1.0 : 0.0; };
  for (const bool digital : {false, true}) {
    const Noted noted = run({GetParam(), Sampling::frame, digital}, step);
    EXPECT_DOUBLE_EQ(noted.when, 8 * frame) << digital;
    EXPECT_EQ(noted.count, 1) << digital;
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, InputEvents, ::testing::ValuesIn(numerics::catalogue()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           std::erase_if(name, [](char c) { return c == '-' || c == '/'; });
                           return name;
                         });

// RTRK-2 samples at the middle of a frame too: a digital line that is seen to rise there rose
// there.
TEST(InputEvents, OfADigitalLineActAtTheSampleWithinTheStepThatShowsIt) {
  for (const double at : {7.2, 7.45}) {
    const auto step = [at](double t) { return t > at * frame ? 1.0 : 0.0; };
    const Noted noted = run({&numerics::rtrk2, Sampling::stage, true}, step);
    EXPECT_NEAR(noted.when, 7.5 * frame, 2e-9) << at;
    EXPECT_EQ(noted.count, 1) << at;
  }
  const auto later = [](double t) { return t > 7.6 * frame ? 1.0 : 0.0; };
  EXPECT_DOUBLE_EQ(run({&numerics::rtrk2, Sampling::stage, true}, later).when, 8 * frame);
}

TEST(InputEvents, OfAContinuousInputAreLocatedBetweenItsSamples) {
  // u = 0.5 at 7.2 frames: between the samples at 7.0 and 7.5.
  const auto ramp = [](double t) { return 0.5 + (t - 7.2 * frame) * 100; };
  const Noted noted = run({&numerics::rtrk2, Sampling::stage}, ramp);
  EXPECT_NEAR(noted.when, 7.2 * frame, 2e-9);
  EXPECT_EQ(noted.count, 1);
}

// From 0 to 0.2, which carried on would be 0.8 at the end of the step: there was no event.
TEST(InputEvents, AreNotMadeByCarryingOnUnasked) {
  const auto step = [](double t) { return t > 7.3 * frame ? 0.2 : 0.0; };
  for (const auto* method : {&numerics::ab4, &numerics::rtrk4, &numerics::rtam2}) {
    EXPECT_EQ(run({method, Sampling::frame}, step).count, 0) << method->name;
    EXPECT_EQ(run({method, Sampling::stage}, step).count, 0) << method->name;
  }
  EXPECT_EQ(run({&numerics::ab4, Sampling::stage, false, 3}, step).count, 1)
      << "where that is declared there is one";
}

// One event a crossing, whatever brings the input back.
TEST(InputEvents, ActOnceForEachRise) {
  const auto square = [](double t) { return std::fmod(t, 4 * frame) >= 2 * frame ? 1.0 : 0.0; };
  for (const auto sampling : {Sampling::frame, Sampling::stage}) {
    for (const bool digital : {false, true}) {
      const auto shifted = [&](double t) { return square(t + 0.1 * frame); };
      EXPECT_EQ(run({&numerics::rtrk4, sampling, digital}, shifted, 40).count, 10);
    }
  }
}

// ---- between two steps -------------------------------------------------------------------------

int evaluations = 0;

/// Notes when its input is above its level; its functions are many, and only one of them ever is
/// near zero.
struct Levels {
  static constexpr std::string_view name = "levels", summary = "notes when its input is above";
  static constexpr std::array states{model::State{"when", "s", -1.0}, model::State{"which"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array<model::Output, 0> outputs{};
  static constexpr std::array parameters{model::Parameter{"level", "1", 0.5},
                                         model::Parameter{"which", "1", 0.0}};
  static constexpr std::size_t n = 19;
  static constexpr auto events = [] {
    std::array<model::Event, n> all{};
    for (std::size_t i = 0; i < n; ++i)
      all[i].name = std::string_view("abcdefghijklmnopqrs", n).substr(i, 1);
    return all;
  }();
  using D = model::Data<Levels>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = dx[1] = 0; }
  static void outputs_of(double, D::X, D::U, D::P, D::Y) noexcept {}
  static void event_functions(double, D::X, D::U u, D::P p, std::span<double, n> g) noexcept {
    ++evaluations;
    for (std::size_t i = 0; i < n; ++i)
      g[i] = i == static_cast<std::size_t>(p[1]) ? u[0] - p[0] : i % 2 == 0 ? -1.0 : 1.0;
  }
  static void on_event(std::size_t i, double t, D::NewX x, D::U, D::NewP) noexcept {
    x[0] = t;
    x[1] = static_cast<double>(i);
  }
};

// Whichever of them it is: they are looked at several at a time.
TEST(EventFunctions, EachIsSeenToCross) {
  const auto step = [](double t) { return t > 7.3 * frame ? 1.0 : 0.0; };
  for (std::size_t i = 0; i < Levels::n; ++i) {
    Rig rig(model::make_stepper<Levels>(numerics::forward_euler), step);
    rig.plant.system().set_parameter(1, static_cast<double>(i));
    rig.run(20);
    EXPECT_DOUBLE_EQ(rig.plant.states()[0], 8 * frame) << i;
    EXPECT_EQ(rig.plant.states()[1], static_cast<double>(i));
  }
}

// What a change of a parameter takes across zero acts at the tick at which it takes effect, though
// the input is what it was.
TEST(EventFunctions, SeeAParameterThatChangesBetweenTwoSteps) {
  SteeringRig rig(model::make_stepper<Levels>(numerics::forward_euler), [](double) { return 0.4; });
  rig.at[7] = [&] { rig.post(transaction(1, exec::SetParameter{0, 0.3})); };
  rig.run(20);
  EXPECT_DOUBLE_EQ(rig.plant.states()[0], 8 * frame);
  EXPECT_EQ(rig.plant.states()[1], 0);
}

// Once a step, at its end, and again at the start of the next where the input is another.
TEST(EventFunctions, AreEvaluatedAgainOnlyWhereAnInputChanged) {
  const auto evaluated = [](const FakeSampler::Input& input) {
    Rig rig(model::make_stepper<Levels>(numerics::forward_euler), input);
    evaluations = 0;
    rig.run(20);
    return evaluations;
  };
  // Before the first step, at its start, and at the ends of twenty.
  EXPECT_EQ(evaluated([](double) { return 0.1; }), 22);
  EXPECT_EQ(evaluated([](double t) { return 0.1 + t; }), 41);
}

}  // namespace
}  // namespace hild::testing
