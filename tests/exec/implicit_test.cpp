// SPDX-License-Identifier: Apache-2.0
/// Implicit methods with Newton's iterations in the loop: they need their inputs at the end of the
/// step. What a step is to give can be written down: a quadratic equation for backward Euler.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/fakes.hpp"
#include "exec/steering_rig.hpp"
#include "hild/numerics/methods/stiff.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;
using numerics::backward_euler;
using numerics::radau_iia;

/// x' = u - x^2; x jumps when it falls through the level.
struct Riccati {
  static constexpr std::string_view name = "riccati", summary = "x' = u - x^2";
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array parameters{model::Parameter{"level", "1", -1e9}};
  static constexpr std::array events{model::Event{"level", model::Crossing::falling}};
  static constexpr double jump = -0.1;
  using D = model::Data<Riccati>;
  static void derivatives(double, D::X x, D::U u, D::P, D::DX dx) noexcept {
    dx[0] = u[0] - x[0] * x[0];
  }
  static void jacobian(double, D::X x, D::U, D::P, D::J j) noexcept { j(0, 0) = -2 * x[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P p, std::span<double, 1> g) noexcept {
    g[0] = x[0] - p[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[0] += jump; }
};

/// Backward Euler: the root of h z^2 + z = x + h u(t + h).
double root(double x, double h, double u) {
  return (std::sqrt(1 + 4 * h * (x + h * u)) - 1) / (2 * h);
}

double line(double t) { return 1 + 2 * t; }
double no_input(double) { return 0; }

/// What every step of the run should have come to, by the input each should have had.
void expect_roots(const Rig& rig, const std::function<double(double t, double h)>& input) {
  double x = 1;
  for (std::size_t n = 0; n + 1 < rig.sampler.writes.size(); ++n) {
    const double h = seconds(rig.plant.lengths[n]);
    x = root(x, h, input(seconds(rig.plant.starts[n]), h));
    ASSERT_NEAR(rig.sampler.writes[n + 1].y[0], x, 1e-13) << "step " << n;
  }
}

// ---- steps -------------------------------------------------------------------------------------

TEST(ImplicitInTheLoop, SolvesEveryStepForTheInputOfItsEnd) {
  Rig rig(model::make_stepper<Riccati>(backward_euler), line);
  rig.settings.sampling = Sampling::extrapolate;
  rig.settings.grid = Grid::of_rate_hz(20);
  rig.run(40);
  EXPECT_EQ(rig.sampler.calls, 40);
  // The first step knows but one sample; the others carry the line on.
  expect_roots(rig, [](double t, double h) { return t == 0 ? line(0) : line(t + h); });
}

TEST(ImplicitInTheLoop, TakesTheSampleOfTheTickUnderFrameSampling) {
  Rig rig(model::make_stepper<Riccati>(backward_euler), line);
  rig.settings.grid = Grid::of_rate_hz(20);
  rig.run(40);
  expect_roots(rig, [](double t, double) { return line(t); });
}

// Released at the end of its step, which real time has then reached.
TEST(ImplicitInTheLoop, RunsBehindOnSamplesOfTheEndOfItsStep) {
  Rig rig(model::make_stepper<Riccati>(backward_euler), line);
  rig.settings.sampling = Sampling::behind;
  rig.settings.grid = Grid::of_rate_hz(20);
  rig.settings.lag = 50_ms;
  rig.run(40);
  double x = 1;
  for (std::size_t n = 0; n < 40; ++n) {
    // In real time the step is a frame further than in simulated time.
    x = root(x, 0.05, line(0.05 * static_cast<double>(n)));
    ASSERT_EQ(rig.sampler.reads[n], Rig::start + 50_ms * static_cast<std::int64_t>(n));
  }
  EXPECT_NEAR(rig.plant.states()[0], x, 1e-13);
}

TEST(ImplicitInTheLoop, SolvesADoubledStepForItsOwnEnd) {
  Rig rig(model::make_stepper<Riccati>(backward_euler), line);
  rig.settings.sampling = Sampling::extrapolate;
  rig.settings.grid = Grid::of_rate_hz(20);
  rig.plant.extra[7] = 115_ms;
  rig.plant.extra[20] = 115_ms;
  rig.run(40);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), 2);
  EXPECT_EQ(rig.plant.lengths[8], 100_ms);
  expect_roots(rig, [](double t, double h) { return t == 0 ? line(0) : line(t + h); });
}

// Also a stiff one: lambda h is 20, and 40 in doubled steps, where the explicit methods blow up.
TEST(ImplicitInTheLoop, StaysOnAStiffSolutionThroughDoubledSteps) {
  constexpr double rate = 2000;
  for (const auto* method : {&backward_euler, &radau_iia}) {
    // x' = rate (u - x) with u = 3 t + 3 / rate is x = 3 t.
    Rig rig(*method, [](double t) { return 3 * t + 3 / rate; });
    rig.plant.system().set_parameter(0, rate);
    rig.settings.sampling = Sampling::extrapolate;
    rig.settings.grid = Grid::of_rate_hz(100);
    rig.plant.extra_of = [](std::int64_t step) { return step % 10 == 5 ? 23_ms : 0_ms; };
    rig.run(100);
    EXPECT_GT(rig.statistics().doubled_steps.get(), 8);
    for (std::size_t n = 10; n < rig.records.size(); ++n) {
      // Both methods integrate a line exactly, and the first steps' error is long gone.
      EXPECT_NEAR(rig.sampler.writes[n].y[0], 3 * seconds(rig.records[n].t), 1e-9) << n;
    }
  }
}

// ---- held and resumed --------------------------------------------------------------------------

TEST(ImplicitInTheLoop, GoesOnAfterAFreezeFromTheStateItHad) {
  SteeringRig rig(model::make_stepper<Riccati>(backward_euler), line);
  rig.settings.sampling = Sampling::extrapolate;
  rig.at[9] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.sampler.on_call = [&](int call) {
    if (call == 15) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 22) rig.post(transaction(3, exec::Resume{}));
  };
  rig.run(40);
  double x = 1;
  int frozen = 0;
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    const auto& step = rig.steps[n];
    frozen += step.header.frozen ? 1 : 0;
    // The hardware's time has gone on meanwhile.
    const double end = 1e-3 * static_cast<double>(n + 1);
    if (!step.header.frozen) x = root(x, 1e-3, n == 0 ? line(0) : line(end));
    ASSERT_NEAR(step.states[0], x, 1e-12) << n;
  }
  EXPECT_GT(frozen, 4);
  EXPECT_LT(frozen, 20);
}

// ---- state events ------------------------------------------------------------------------------

/// Without input x = 1 / (1 + t): when it falls through the level, and the state at the end.
std::array<double, 2> event_errors(const numerics::Method& method, std::int64_t rate, double level,
                                   bool doubled) {
  Rig rig(model::make_stepper<Riccati>(method), no_input);
  rig.plant.system().set_parameter(0, level);
  rig.settings.sampling = Sampling::extrapolate;
  rig.settings.grid = Grid::of_rate_hz(rate);
  const Duration frame = rig.settings.grid.period();
  const double crossing = 1 / level - 1;
  if (doubled) {
    const auto step = static_cast<std::int64_t>(crossing * static_cast<double>(rate)) - 2;
    rig.plant.extra[step] = part(frame, 2.3);
  }
  rig.run(2 * rate);
  EXPECT_EQ(rig.statistics().state_events.get(), 1);
  EXPECT_EQ(rig.statistics().doubled_steps.get(), doubled ? 1 : 0);
  const auto off_grid =
      std::ranges::find_if(rig.plant.starts, [&](SimTime t) { return t.ns % frame.ns != 0; });
  EXPECT_NE(off_grid, rig.plant.starts.end());
  if (off_grid == rig.plant.starts.end()) return {1, 1};
  const double end = 1 / (1 / (level + Riccati::jump) + 2 - crossing);
  return {std::abs(seconds(*off_grid) - crossing), std::abs(rig.plant.states()[0] - end)};
}

TEST(ImplicitInTheLoop, LocatesAndPassesEventsWithItsOrder) {
  for (const auto* method : {&backward_euler, &radau_iia}) {
    for (const bool doubled : {false, true}) {
      std::array<double, 2> coarse{};
      std::array<double, 2> fine{};
      for (const double level : {0.55, 0.58, 0.61, 0.64, 0.67, 0.7}) {
        const auto now = event_errors(*method, 40, level, doubled);
        const auto later = event_errors(*method, 160, level, doubled);
        for (const std::size_t i : {0U, 1U}) {
          coarse[i] = std::max(coarse[i], now[i]);
          fine[i] = std::max(fine[i], later[i]);
        }
      }
      for (const std::size_t i : {0U, 1U}) {
        EXPECT_GT(std::log2(coarse[i] / fine[i]) / 2, method->order - 0.4)
            << method->name << ' ' << doubled << ": " << coarse[i] << " -> " << fine[i];
      }
    }
  }
}

}  // namespace
}  // namespace hild::testing
