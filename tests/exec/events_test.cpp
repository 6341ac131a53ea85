// SPDX-License-Identifier: Apache-2.0
/// State and time events in the loop, against closed-form solutions.
#include <gtest/gtest.h>

#include <cmath>

#include "exec/crossing.hpp"
#include "exec/fakes.hpp"
#include "exec/plants.hpp"

namespace hild::testing {
namespace {

/// The ball's height at t, bounce by bounce.
double ball_height(double t) {
  double start = 0;
  double height = 1;
  double speed = 0;
  for (;;) {
    const double flight = (speed + std::sqrt(speed * speed + 2 * gravity * height)) / gravity;
    if (t < start + flight) {
      const double s = t - start;
      return height + speed * s - gravity * s * s / 2;
    }
    start += flight;
    speed = 0.5 * (gravity * flight - speed);
    height = 0;
  }
}

double ball_error(const numerics::Method& method, std::int64_t rate) {
  Rig rig(model::make_stepper<Ball>(method), [](double) { return 0.0; });
  rig.settings.grid = Grid::of_rate_hz(rate);
  rig.run(rate);  // 1 s: bounces at 0.447 and 0.894 s
  EXPECT_EQ(rig.statistics().state_events.get(), 2);
  return std::abs(rig.plant.states()[0] - ball_height(1.0));
}

// Constant acceleration is integrated exactly from second order on, and the cubic locates the
// floor exactly: what remains is the rounding of event times to nanoseconds.
TEST(StateEvents, ABallBouncesWhereItShould) {
  for (const auto* method :
       {&numerics::rk4, &numerics::rtam2, &numerics::rtrk2, &numerics::rtam4}) {
    EXPECT_LT(ball_error(*method, 100), 2e-8) << method->name;
  }
}

// Euler with one regula falsi stays of first order.
TEST(StateEvents, RegulaFalsiIsAsGoodAsTheFirstOrderMethod) {
  const double coarse = ball_error(numerics::forward_euler, 500);
  const double fine = ball_error(numerics::forward_euler, 4000);
  EXPECT_GT(coarse / fine, 5);
  EXPECT_LT(fine, 5e-3);
}

/// A ramp that starts anew whenever it has reached a tenth of a millisecond.
struct Sawtooth {
  static constexpr std::string_view name = "sawtooth";
  static constexpr std::string_view summary = "resets itself";
  static constexpr std::array states{model::State{"ramp", "s"}, model::State{"resets"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"ramp", "s"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"full", model::Crossing::rising}};
  using D = model::Data<Sawtooth>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0] - 100e-6;
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept {
    x[0] = 0;
    x[1] += 1;
  }
};

// Ten resets fit into a frame. With room for 12 all are found where they are; with room for 4 a
// fifth stays pending each frame and acts at the start of the next: counted, never lost.
TEST(StateEvents, AllAreProcessedUpToTheCap) {
  Rig rig(model::make_stepper<Sawtooth>(numerics::rk4), [](double) { return 0.0; });
  rig.settings.max_events = 12;
  rig.run(5);
  EXPECT_NEAR(rig.plant.states()[1], 50, 1);
  EXPECT_EQ(rig.statistics().state_events_deferred.get(), 0);
}

TEST(StateEvents, BeyondTheCapOneStaysPendingAndActsAtTheNextStep) {
  Rig rig(model::make_stepper<Sawtooth>(numerics::rk4), [](double) { return 0.0; });
  rig.settings.max_events = 4;
  rig.run(5);
  EXPECT_EQ(rig.statistics().state_events_deferred.get(), 5);
  EXPECT_EQ(rig.plant.states()[1], 24);  // 4 a frame in place, and 4 of the 5 pending ones
  EXPECT_EQ(rig.statistics().state_events.get(), 24);
  EXPECT_EQ(rig.records[1].state_events, 5);
}

/// The same with a time event in every frame, which does nothing, 550 us after its tick.
struct TimedSawtooth : Sawtooth {
  using D = model::Data<TimedSawtooth>;
  static constexpr std::string_view name = "timed-sawtooth";
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    const SimTime here{t.ns / 1'000'000 * 1'000'000 + 550'000};
    return here > t ? here : here + 1_ms;
  }
  static void on_time_event(double, D::NewX, D::U, D::NewP) noexcept {}
};

// The fifth reset, at 500 us, is beyond the cap, and the time event comes after it.
TEST(StateEvents, ATimeEventLeavesWhatIsPending) {
  Rig rig(model::make_stepper<TimedSawtooth>(numerics::rk4), [](double) { return 0.0; });
  rig.settings.max_events = 4;
  rig.run(5);
  EXPECT_EQ(rig.statistics().time_events.get(), 5);
  EXPECT_EQ(rig.statistics().state_events_deferred.get(), 5);
  EXPECT_EQ(rig.plant.states()[1], 24);  // 4 a frame in place, and 4 of the 5 pending ones
}

/// x' = s, where s changes sign whenever x leaves [-1, 1]: a triangle wave. The event function of
/// the relay is not changed by its action.
struct Relay {
  static constexpr std::string_view name = "relay";
  static constexpr std::string_view summary = "triangle wave";
  static constexpr std::array states{model::State{"x"}, model::State{"slope", "1/s", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"upper"}, model::Event{"lower"}};
  using D = model::Data<Relay>;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 2> g) noexcept {
    g[0] = x[0] - 1;
    g[1] = x[0] + 1;
  }
  static void on_event(std::size_t index, double, D::NewX x, D::U, D::NewP) noexcept {
    x[1] = index == 0 ? -1 : 1;
  }
};

// In 10 s the wave turns at 1, 3, 5, 7 and 9 s. The function then comes back over the threshold it
// has just reached, which is a crossing too, with an action that changes nothing.
TEST(StateEvents, ARelayTurnsOnceAtEachThreshold) {
  Rig rig(model::make_stepper<Relay>(numerics::ab2), [](double) { return 0.0; });
  rig.settings.grid = Grid::of_rate_hz(30);  // no tick at a turn but the whole seconds
  rig.settings.max_events = 4;
  rig.run(300);
  EXPECT_NEAR(rig.plant.states()[0], 0, 1e-6);
  EXPECT_EQ(rig.plant.states()[1], -1);
  EXPECT_EQ(rig.statistics().state_events.get(), 10);
  EXPECT_EQ(rig.statistics().state_events_deferred.get(), 0);
}

/// x' = s; s changes sign at every multiple of 0.7 ms.
struct Metronome {
  static constexpr std::string_view name = "metronome";
  static constexpr std::string_view summary = "turns at known times";
  static constexpr std::array states{model::State{"x"}, model::State{"slope", "1/s", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Metronome>;
  static constexpr std::int64_t beat = 700'000;
  static void derivatives(double, D::X x, D::U, D::P, D::DX dx) noexcept {
    dx[0] = x[1];
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P) noexcept { return {(t.ns / beat + 1) * beat}; }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[1] = -x[1]; }
};

TEST(TimeEvents, CutTheStepWhereTheyAre) {
  Rig rig(model::make_stepper<Metronome>(numerics::rtam2), [](double) { return 0.0; });
  rig.settings.sampling = exec::Sampling::stage;
  rig.run(10);
  // Turns at 0.7, 1.4, ... 9.8 ms: after fourteen, 0.2 ms upwards.
  EXPECT_EQ(rig.statistics().time_events.get(), 14);
  EXPECT_NEAR(rig.plant.states()[0], 0.2e-3, 1e-15);
  // A record holds two passes, whatever a cut step runs.
  EXPECT_EQ(rig.statistics().passes[1].count(), 10);
  EXPECT_EQ(rig.statistics().passes[2].count(), 0);
}

// Of a method with a history: what it has of the other slope is no more use.
TEST(TimeEvents, BreakTheHistory) {
  Rig rig(model::make_stepper<Metronome>(numerics::ab3), nothing());
  rig.run(40);
  for (std::size_t n = 0; n < rig.records.size(); ++n) {
    const std::int64_t turns = rig.records[n].t.ns / Metronome::beat;
    const double since = seconds(SimTime{rig.records[n].t.ns % Metronome::beat});
    EXPECT_NEAR(rig.sampler.writes[n].y[0], turns % 2 == 0 ? since : 0.7e-3 - since, 1e-15) << n;
  }
}

/// A clock moves x over the threshold of a state event and back; between the two it rises over it
/// by itself.
struct Switched {
  static constexpr std::string_view name = "switched";
  static constexpr std::string_view summary = "moved by a clock";
  static constexpr std::array states{model::State{"x", "s", -1.0}, model::State{"crossings"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"x"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"zero"}};
  using D = model::Data<Switched>;
  static constexpr std::array<SimTime, 3> moves{SimTime{1'500'000}, {2'500'000}, {6'500'000}};
  static constexpr std::array moved_to{1.0, -2e-3, -1.0};
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[1] += 1; }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    const auto* const next = std::ranges::upper_bound(moves, t);
    return next == moves.end() ? model::never : *next;
  }
  static void on_time_event(double t, D::NewX x, D::U, D::NewP) noexcept {
    x[0] = moved_to[static_cast<std::size_t>(t > 2e-3) + static_cast<std::size_t>(t > 3e-3)];
  }
};

// x crosses at 4.5 ms alone: what the clock did counts by the value it left.
TEST(TimeEvents, ThatMoveAFunctionAcrossZeroAreNoCrossing) {
  Rig rig(model::make_stepper<Switched>(numerics::rk4), nothing());
  rig.run(10);
  EXPECT_EQ(rig.statistics().time_events.get(), 3);
  EXPECT_EQ(rig.statistics().state_events.get(), 1);
  EXPECT_EQ(rig.plant.states()[1], 1);
  EXPECT_EQ(rig.records[4].state_events, 1);
}

/// Two marks on a ramp: when each was passed is noted.
struct Marks {
  static constexpr std::string_view name = "marks";
  static constexpr std::string_view summary = "notes when it passes";
  static constexpr std::array states{model::State{"ramp", "s"}, model::State{"first", "s"},
                                     model::State{"second", "s"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"ramp", "s"}};
  static constexpr std::array parameters{model::Parameter{"first", "s", 0.0},
                                         model::Parameter{"second", "s", 0.0}};
  static constexpr std::array events{model::Event{"first"}, model::Event{"second"}};
  using D = model::Data<Marks>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = dx[2] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P p, std::span<double, 2> g) noexcept {
    g[0] = x[0] - p[0];
    g[1] = x[0] - p[1];
  }
  static void on_event(std::size_t i, double t, D::NewX x, D::U, D::NewP) noexcept { x[1 + i] = t; }
};

TEST(StateEvents, TwoOfAStepActEachWhereItLies) {
  constexpr std::array early_then_late{1.3e-3, 1.6e-3};
  constexpr std::array late_then_early{1.6e-3, 1.3e-3};
  for (const auto& marks : {early_then_late, late_then_early}) {
    for (const auto* method : {&numerics::forward_euler, &numerics::rk4}) {
      Rig rig(model::make_stepper<Marks>(*method), nothing());
      rig.plant.system().set_parameter(0, marks[0]);
      rig.plant.system().set_parameter(1, marks[1]);
      rig.run(4);
      EXPECT_EQ(rig.records[1].state_events, 2);
      EXPECT_EQ(rig.statistics().state_events.get(), 2);
      EXPECT_NEAR(rig.plant.states()[1], marks[0], 2e-9) << method->name;  // ns
      EXPECT_NEAR(rig.plant.states()[2], marks[1], 2e-9) << method->name;
    }
  }
}

TEST(Crossing, CubicRootIsThatOfTheCubic) {
  const auto g = [](double s) { return (s - 0.37) * (s * s + 0.3); };
  EXPECT_NEAR(exec::cubic_root(g(0), g(1.0 / 3), g(2.0 / 3), g(1)), 0.37, 1e-14);
}

TEST(Crossing, TheFirstOfSeveralRootsIsTaken) {
  const auto g = [](double s) { return (s - 0.2) * (s - 0.5) * (s - 0.9); };
  EXPECT_NEAR(exec::cubic_root(g(0), g(1.0 / 3), g(2.0 / 3), g(1)), 0.2, 1e-14);
}

TEST(Crossing, RegulaFalsiIsTheChord) {
  EXPECT_DOUBLE_EQ(exec::regula_falsi(1.0, -3.0), 0.25);
  EXPECT_DOUBLE_EQ(exec::regula_falsi(-2.0, 0.0), 1.0);
}

}  // namespace
}  // namespace hild::testing
