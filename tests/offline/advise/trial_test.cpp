// SPDX-License-Identifier: Apache-2.0
/// \file
/// Trials: that they measure what is wrong, and that what is called stable survives.
#include "offline/advise/trial.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "hild/numerics/catalogue.hpp"
#include "offline/advise/advice.hpp"
#include "offline/advise/assembled.hpp"

namespace hild::advise {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr plan::Costs cheap{.wake = 20_us, .io = 1_us, .pass = 1_us, .outputs = 2_us};

/// The advice for a model on a machine of given costs.
Advice advice_of(const std::string& text, Duration followed, Wishes wishes = {},
                 const std::function<bool(double)>& go_on = {}) {
  plan::Assembly to_follow = assembled(text);
  auto trajectory = follow(to_follow, followed);
  EXPECT_TRUE(trajectory) << trajectory.error().message;
  const plan::Assembly assembly = assembled(text);
  StepSizeAnalysis known = look_ahead(assembly, std::move(*trajectory), wishes);
  const std::vector<plan::Measured> costs(known.candidates.size(), {cheap, cheap});
  return advise(assembly, std::move(known), costs, wishes, go_on);
}

// x'' = -100 x: modes of 10 rad/s that never decay.
constexpr const char* oscillator =
    "frame: {period: 1 ms}\n"
    "model: {type: spring-mass-damper, parameters: {damping: 0 N s/m}, "
    "initial: {position: 1 m, velocity: 0 m/s}}\n"
    "integrator: {method: rtam-2, sampling: stage}\n"
    "inputs: {force: {value: 0 N}}\n"
    "outputs: {}\n";

TEST(Trials, MeasureWhatIsClaimedOfAnOscillator) {
  const Advice advice = advice_of(oscillator, 2_s);
  for (const Window& w : advice.windows) {
    const std::string& name = w.candidate.name;
    EXPECT_FALSE(w.stability_of_modes) << name << ": a linear model does as its modes do";
    ASSERT_TRUE(w.at_upper) << name;
    EXPECT_EQ(w.at_upper->h, w.upper.least()) << name;
    ASSERT_TRUE(w.at_upper->claimed && w.at_upper->measured) << name;
    EXPECT_NEAR(*w.at_upper->claimed, 1e-3, 0.1e-3) << name;
    EXPECT_LT(*w.at_upper->measured, 1.2 * *w.at_upper->claimed) << name;
    EXPECT_GT(*w.at_upper->measured, 0.6 * *w.at_upper->claimed) << name;
    ASSERT_TRUE(w.at_lower && w.at_lower->measured) << name;
    EXPECT_LT(*w.at_lower->measured, 1.2 * *w.at_lower->claimed + 1e-7) << name;
  }
}

/// A damped spring with a force of 8 rad/s, as it would have been followed.
struct DrivenSpring {
  static constexpr double omega = 8;
  plan::Assembly assembly = assembled(
      "frame: {period: 1 ms}\n"
      "model: {type: spring-mass-damper, parameters: {damping: 8 N s/m}}\n"
      "integrator: {method: rtam-2, sampling: stage}\n"
      "inputs: {force: {value: 0 N}}\n"
      "outputs: {}\n");
  Trajectory trajectory{.duration = 4_s, .between = 1_ms};
  std::vector<double> a{0, 1, -100, -8};
  std::vector<double> b{0, 1};
  std::vector<Complex> modes{Complex(-4, std::sqrt(84.0)), Complex(-4, -std::sqrt(84.0))};
  Demand demand{.accuracy = 1e-3,
                .modes = modes,
                .input = omega,
                .responses = responses_of({.a = a, .b = b, .n = 2}, omega)};

  DrivenSpring() {
    auto& force = trajectory.inputs.emplace_back();
    for (int i = 0; i <= 4000; ++i) force.push_back(1 - std::cos(omega * i * 1e-3));
  }
};

TEST(Trials, MeasureNoMoreThanIsClaimedOfADrivenModel) {
  const DrivenSpring driven;
  const auto trials = Trials::of(driven.assembly, driven.trajectory, driven.demand, 10, 0);
  ASSERT_TRUE(trials) << trials.error().message;
  for (const numerics::Method* m : numerics::catalogue()) {
    const bool future = !m->real_time();
    Window w{.candidate = {.name = std::string(m->name), .method = m}};
    w.sampling = future ? exec::Sampling::extrapolate : exec::Sampling::stage;
    w.passes = m->passes;
    const Sampled sampled{.by = w.sampling, .degree = 1};
    const double h = weigh(*m, driven.modes, driven.demand, sampled).least();
    const Outcome o = trials->run(w, h);
    EXPECT_TRUE(o.survived) << m->name;
    // The starter of a multistep method may be worse than the method, for as long as modes last.
    EXPECT_LT(o.measured, m->history > 0 ? 2e-3 : 1.2e-3) << m->name;
    EXPECT_GT(o.measured, 0.1e-3) << m->name;
  }
}

TEST(Trials, AStateThatGrowsFarBeyondTheReferenceHasNotSurvived) {
  const plan::Assembly assembly = assembled(oscillator);
  const Trajectory constant{.duration = 1_s, .inputs = {{0.0}}, .between = 1_s};
  const Demand demand{.accuracy = 1e-3, .modes = {Complex(0, 10)}};
  const auto trials = Trials::of(assembly, constant, demand, 10, 0.06);
  ASSERT_TRUE(trials) << trials.error().message;
  const auto* euler = numerics::find_method("forward-euler");
  const Window w{.candidate = {.name = "forward-euler", .method = euler}};
  // sqrt(1 + (10 h)^2) a step, 5000 steps: 54 times with h = 4 ms, 1.01 times with 0.2 ms.
  EXPECT_FALSE(trials->run(w, 4e-3).survived);
  EXPECT_TRUE(trials->run(w, 0.2e-3).survived);
}

TEST(Follow, FindsTheModesOfEachPoint) {
  plan::Assembly assembly = assembled(
      "frame: {period: 10 ms}\nmodel: {type: van-der-pol}\nintegrator: {method: ab-2}\n"
      "inputs: {drive: {value: 0 1/s2}}\noutputs: {}\n");
  const auto followed = follow(assembly, 10_s);
  ASSERT_TRUE(followed) << followed.error().message;
  for (const Point& p : followed->points) {
    const Spectrum modes = spectrum(p.jacobian);
    EXPECT_NEAR(std::abs(p.modes.lambda[0] - modes.lambda[0]), 0, 1e-4) << p.t;
  }
}

constexpr const char* van_der_pol =
    "frame: {period: 10 ms}\n"
    "model: {type: van-der-pol, parameters: {mu: 5 1/s}}\n"
    "integrator: {method: ab-2}\n"
    "inputs: {drive: {value: 0 1/s2}}\n"
    "outputs: {}\n";

// Without the frame loop: steps of a plant alone.
bool survives(const plan::Assembly& assembly, const numerics::Method& method, double h) {
  const auto plant = assembly.another_plant(&method);
  const Duration step = from_seconds(h);
  SimTime t{};
  for (; seconds(t) < 100; t += step) plant->step(t, step, std::vector<double>{0});
  return std::abs(plant->states()[0]) < 3 && std::abs(plant->states()[1]) < 30;
}

TEST(Trials, WhatIsCalledStableOfVanDerPolsOscillatorSurvives) {
  const plan::Assembly assembly = assembled(van_der_pol);
  const Advice advice = advice_of(van_der_pol, 30_s);
  std::vector<std::string> lowered;
  int bounded = 0;
  int lost = 0;
  for (const Window& w : advice.windows) {
    if (!std::isfinite(w.upper.stability)) continue;
    ++bounded;
    EXPECT_TRUE(survives(assembly, *w.candidate.method, 0.9 * w.upper.stability))
        << w.candidate.name;
    if (!w.stability_of_modes) continue;
    lowered.push_back(w.candidate.name);
    EXPECT_LT(w.upper.stability, *w.stability_of_modes);
    if (!survives(assembly, *w.candidate.method, 0.9 * *w.stability_of_modes)) ++lost;
  }
  // Beside the edge of what it can bear the last bit of a state may decide.
  EXPECT_GE(lost, 4);
  EXPECT_GT(bounded, 15);
  EXPECT_THAT(lowered,
              testing::UnorderedElementsAre("forward-euler", "rtam-4", "heun", "rk-4", "ode-45"));
}

TEST(Trials, MayBeLeftOutOrInterrupted) {
  const auto tried = [](const Advice& a) {
    return std::ranges::any_of(a.windows, [](const Window& w) { return w.at_upper.has_value(); });
  };
  EXPECT_FALSE(tried(advice_of(oscillator, 1_s, {.trials = false})));
  double last = -1;
  const auto one = [&](double part) { return std::exchange(last, part) < 0; };
  const Advice cut = advice_of(oscillator, 1_s, {}, one);
  EXPECT_TRUE(cut.windows[0].at_upper);
  EXPECT_FALSE(cut.windows[1].at_upper);
  EXPECT_THAT(cut.notes, Contains(HasSubstr("interrupted")));
}

TEST(FollowedInputs, AreLinesBetweenSamplesAndHeldAfterTheLast) {
  Trajectory t{.inputs = {{0, 1, 1, 1, 3}}, .between = 10_ms};
  const FollowedInputs inputs(t);
  const auto at = [&](double s) {
    std::array<double, 1> u{};
    inputs.at(s, SimTime{}, u);
    return u[0];
  };
  EXPECT_DOUBLE_EQ(at(0.005), 0.5);
  EXPECT_DOUBLE_EQ(at(0.015), 1);
  EXPECT_DOUBLE_EQ(at(0.0375), 2.5);
  EXPECT_DOUBLE_EQ(at(1), 3);
  EXPECT_EQ(inputs.next_break(SimTime{}), SimTime{} + 10_ms);
  EXPECT_EQ(inputs.next_break(SimTime{} + 10_ms), SimTime{} + 30_ms);
  EXPECT_EQ(inputs.next_break(SimTime{} + 30_ms), SimTime{} + 40_ms);
  EXPECT_EQ(inputs.next_break(SimTime{} + 40_ms), model::never);
}

TEST(Solution, IsThatOfAnOscillatorAtAnyTime) {
  const plan::Assembly assembly = assembled(oscillator);
  const auto system = plan::system_of(assembly.config.model);
  const Trajectory constant{.inputs = {{0.0}}, .between = 1_s};
  const auto solution = Solution::of(*system, constant, 3_s, 10);
  ASSERT_TRUE(solution) << solution.error().message;
  EXPECT_NEAR(solution->end(), 3, 0.01);
  std::array<double, 2> x{};
  for (const double t : {0.0, 0.12345, 1.0, std::numbers::e, 2.98}) {
    ASSERT_TRUE(solution->at(t, x)) << t;
    EXPECT_NEAR(x[0], std::cos(10 * t), 2e-6) << t;
    EXPECT_NEAR(x[1], -10 * std::sin(10 * t), 2e-5) << t;
  }
  EXPECT_FALSE(solution->at(3.1, x));
  EXPECT_NEAR(solution->sizes()[0], 1, 1e-4);
}

TEST(Solution, HasNoValuesWhereAnEventIsNear) {
  // From 1 m it falls to the floor in sqrt(2 / 9.80665) s, 0.4516 s.
  const plan::Assembly assembly = assembled(
      "frame: {period: 1 ms}\nmodel: {type: bouncing-ball}\nintegrator: {method: rtam-2}\n"
      "inputs: {}\noutputs: {}\n");
  const auto system = plan::system_of(assembly.config.model);
  const std::vector<double> nothing{0};
  const Trajectory none{.inputs = std::vector(system->description().inputs.size(), nothing)};
  const auto solution = Solution::of(*system, none, 600_ms, 0);
  ASSERT_TRUE(solution) << solution.error().message;
  std::vector<double> x(system->description().states.size());
  std::vector<double> gaps;
  for (int i = 0; i < 5990; ++i) {
    if (!solution->at(i * 1e-4 + 5e-5, x)) gaps.push_back(i * 1e-4);
  }
  ASSERT_FALSE(gaps.empty());
  EXPECT_LT(gaps.back() - gaps.front(), 2e-3);
}

}  // namespace
}  // namespace hild::advise
