// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reference runs of plants: inputs that jump, time events, state events, rows.
#include "reference/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "hild/model/integrated.hpp"
#include "hild/numerics/methods.hpp"
#include "reference/problems.hpp"

namespace hild::test {
namespace {

using reference::Run;
using testing::HasSubstr;

/// Keeps all it is told.
class Kept final : public reference::Observer {
 public:
  struct Row {
    double t;
    Vector u, x, y;
  };
  struct Event {
    double t;
    std::size_t index;
    Vector x;
  };
  void row(double t, std::span<const double> u, std::span<const double> x,
           std::span<const double> y) override {
    rows.push_back({t, {u.begin(), u.end()}, {x.begin(), x.end()}, {y.begin(), y.end()}});
  }
  void state_event(double t, std::size_t index, std::span<const double> x) override {
    events.push_back({t, index, {x.begin(), x.end()}});
  }
  void time_event(double t) override { time_events.push_back(t); }
  bool go_on(double t, const reference::Counts&) override { return t < stop_at; }

  std::vector<Row> rows;
  std::vector<Event> events;
  Vector time_events;
  double stop_at = std::numeric_limits<double>::infinity();
};

/// A model's plant, a run of it, and what came out.
struct Bench {
  explicit Bench(std::unique_ptr<model::Plant> made) : plant(std::move(made)) {}

  Result<void> run(const reference::Inputs& inputs, Duration duration, Duration interval = 100_ms) {
    return reference::simulate(*plant, inputs, {duration, Grid::of_period(interval), options}, kept,
                               summary);
  }
  Result<void> run(Duration duration, Duration interval = 100_ms) {
    return run(reference::HeldInputs(Vector(plant->description().inputs.size())), duration,
               interval);
  }

  std::unique_ptr<model::Plant> plant;
  reference::Options options{.tolerance = {1e-9, 1e-11}};
  Kept kept;
  reference::Summary summary;
};

template <class M>
Bench bench() {
  return Bench(model::make_plant<M>(numerics::rk4));
}

/// x' = u, y = x + u.
struct Integrator {
  static constexpr std::string_view name = "integrator", summary = "";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Integrator>;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept { dx[0] = u[0]; }
  static void outputs_of(double, D::X x, D::U u, D::P, D::Y y) noexcept { y[0] = x[0] + u[0]; }
};

/// 1 until 0.35 s, -2 from there until 0.7 s, then 5 t.
class Jumps final : public reference::Inputs {
 public:
  void at(double t, SimTime piece, std::span<double> u) const override {
    u[0] = piece < first ? 1 : piece < second ? -2 : 5 * t;
  }
  SimTime next_break(SimTime t) const override {
    return t < first ? first : t < second ? second : model::never;
  }
  static constexpr SimTime first = SimTime{} + 350_ms, second = SimTime{} + 700_ms;
};

// Each piece is a polynomial that the formulas integrate exactly; a step across a jump would not.
TEST(Simulation, StepsEndAtTheBreaksOfTheInputs) {
  for (const auto kind : both_formulas) {
    auto b = bench<Integrator>();
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
    EXPECT_NEAR(b.plant->states()[0], x(1), 1e-13);
  }
}

TEST(Simulation, WritesARowAtEveryTickUpToTheEndAndShortensNoStepForIt) {
  auto few = bench<Integrator>();
  ASSERT_TRUE(few.run(Jumps(), 1_s, 300_ms));
  EXPECT_EQ(few.kept.rows.size(), 4U);
  EXPECT_EQ(few.kept.rows.back().t, 0.9);
  auto many = bench<Integrator>();
  ASSERT_TRUE(many.run(Jumps(), 1_s, 1_ms));
  EXPECT_EQ(many.kept.rows.size(), 1001U);
  EXPECT_EQ(many.summary.rows, 1001);
  EXPECT_EQ(many.kept.rows.back().t, 1);
  EXPECT_EQ(many.summary.counts.accepted, few.summary.counts.accepted);
}

TEST(Simulation, StopsWhenTold) {
  auto b = bench<Integrator>();
  b.options.largest_step = 0.01;
  b.kept.stop_at = 0.5;
  ASSERT_TRUE(b.run(Jumps(), 1_s, 1_ms));
  EXPECT_NEAR(b.summary.end, 0.5, 0.01 + 1e-9);
  EXPECT_NEAR(b.kept.rows.back().t, 0.5, 0.011);
}

// ---- time events -------------------------------------------------------------------------------

/// x' = -x, and 1 is added every 250 ms.
struct Doses {
  static constexpr std::string_view name = "doses", summary = "";
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
  auto b = bench<Doses>();
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
  auto b = bench<Stuck>();
  const auto done = b.run(2_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_THAT(done.error().message, HasSubstr("the next time event of doses is at 0 s"));
}

// ---- state events ------------------------------------------------------------------------------

std::unique_ptr<model::Plant> ball(double drag, double restitution, double height) {
  auto plant = model::find_model("bouncing-ball")->make(numerics::rk4);
  plant->set_parameter(1, 9.81);
  plant->set_parameter(2, drag);
  plant->set_parameter(3, restitution);
  plant->set_initial(Vector{height, 0});
  return plant;
}

// From rest at H: sqrt(2 H / g), then twice the speed over g, each e times the one before. A
// parabola is exact for the formulas, so that only rounding is left.
TEST(BouncingBall, HitsTheFloorWhereItsParabolasEnd) {
  constexpr double g = 9.81, e = 0.7, height = 1.3;
  for (const auto kind : both_formulas) {
    Bench b(ball(0, e, height));
    b.options.formula = kind;
    ASSERT_TRUE(b.run(3_s));
    double t = std::sqrt(2 * height / g);
    double v = g * t;
    ASSERT_GE(b.kept.events.size(), 15U);
    for (std::size_t i = 0; i < 15; ++i) {
      v *= e;
      EXPECT_NEAR(b.kept.events[i].t, t, 1e-12) << i;
      EXPECT_NEAR(b.kept.events[i].x[1], v, 1e-11) << i;
      t += 2 * v / g;
    }
  }
}

// m = 1: falling v = -w tanh(g t / w), w^2 = g / d; rising v = w tan(atan(v0 / w) - g t / w).
struct Drag {
  double g, w;
  [[nodiscard]] double fall_time(double height) const {
    return w / g * std::acosh(std::exp(g * height / (w * w)));
  }
  [[nodiscard]] double fall_speed(double height) const {
    return w * std::sqrt(-std::expm1(-2 * g * height / (w * w)));
  }
  [[nodiscard]] double rise_time(double v) const { return w / g * std::atan(v / w); }
  [[nodiscard]] double rise(double v) const {
    return w * w / (2 * g) * std::log1p(v * v / (w * w));
  }
};

TEST(BouncingBall, WithDragHitsTheFloorWhenItShouldWithinTheTolerance) {
  constexpr double e = 0.8, height = 4;
  const Drag drag{9.81, std::sqrt(9.81 / 0.2)};
  for (const auto kind : both_formulas) {
    double before = 1;
    for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-11}) {
      Bench b(ball(0.2, e, height));
      b.options.formula = kind;
      b.options.tolerance = {tolerance, tolerance};
      ASSERT_TRUE(b.run(6_s));
      ASSERT_GE(b.kept.events.size(), 6U);
      double t = drag.fall_time(height);
      double v = drag.fall_speed(height);
      double worst = 0;
      for (std::size_t i = 0; i < 6; ++i) {
        v *= e;
        worst = std::max(
            {worst, std::abs(b.kept.events[i].t - t), std::abs(b.kept.events[i].x[1] - v)});
        t += drag.rise_time(v) + drag.fall_time(drag.rise(v));
        v = drag.fall_speed(drag.rise(v));
      }
      EXPECT_LT(worst, 100 * tolerance);
      EXPECT_LT(worst, before / 5) << "a smaller tolerance must tell";
      before = worst;
    }
  }
}

// Thrown up from the floor at 1 cm/s it is back after 2 ms, long before the first step has ended.
TEST(BouncingBall, ThatLeavesTheFloorForAMomentIsSeenToComeBack) {
  Bench b(ball(0, 0.5, 0));
  b.plant->set_initial(Vector{0, 0.01});
  b.options.first_step = 1;
  ASSERT_TRUE(b.run(3_s));
  ASSERT_FALSE(b.kept.events.empty());
  EXPECT_NEAR(b.kept.events[0].t, 2 * 0.01 / 9.81, 1e-12);
}

TEST(BouncingBall, ComesToRestAndStaysThere) {
  Bench b(ball(0, 0.5, 1));
  ASSERT_TRUE(b.run(100_s, 10_s));
  EXPECT_EQ(b.kept.rows.back().x[0], 0);
  EXPECT_EQ(b.kept.rows.back().x[1], 0);
  // 4.43 m/s halved at each impact: below 1 mm/s with the thirteenth.
  EXPECT_EQ(b.kept.events.size(), 13U);
}

// Without a rest speed the bounces pile up at sqrt(2 H / g) (1 + e) / (1 - e), and never end.
TEST(BouncingBall, ThatMayNotRestIsAFaultThatSaysWhere) {
  Bench b(ball(0, 0.5, 1));
  b.plant->set_parameter(4, 0);
  const auto done = b.run(10_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_NEAR(b.summary.end, std::sqrt(2 / 9.81) * 3, 1e-6);
}

/// A relay with hysteresis: x' = rate, which turns around at 1 and at -1; counts to the third
/// state.
struct Relay {
  static constexpr std::string_view name = "relay", summary = "";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"rate", "1/s", 1.0}};
  static constexpr std::array events{model::Event{"top", model::Crossing::rising},
                                     model::Event{"bottom", model::Crossing::falling}};
  using D = model::Data<Relay>;
  static void derivatives(double, D::X, D::U, D::P p, D::DX dx) noexcept { dx[0] = p[0]; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 2> g) noexcept {
    g[0] = x[0] - 1;
    g[1] = x[0] + 1;
  }
  static void on_event(std::size_t index, double, D::NewX, D::U, D::NewP p) noexcept {
    p[0] = index == 0 ? -1 : 1;
  }
};

// The state stays where it is: the function must be taken to have crossed, once.
TEST(StateEvents, ThatChangeAParameterOnlyFireOnceACrossing) {
  auto b = bench<Relay>();
  ASSERT_TRUE(b.run(10_s));
  ASSERT_EQ(b.kept.events.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(b.kept.events[i].t, 1.0 + 2.0 * static_cast<double>(i), 1e-12);
    EXPECT_EQ(b.kept.events[i].index, i % 2);
  }
}

/// Watches x' = u cross 1: each way, and both.
struct Gates {
  static constexpr std::string_view name = "gates", summary = "";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"rising", model::Crossing::rising},
                                     model::Event{"falling", model::Crossing::falling},
                                     model::Event{"both"}, model::Event{"input"}};
  using D = model::Data<Gates>;
  static void derivatives(double t, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = std::cos(t); }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U u, D::P, std::span<double, 4> g) noexcept {
    g[0] = g[1] = g[2] = x[0] - 0.5;
    g[3] = u[0] - 3;
  }
  static void on_event(std::size_t, double, D::NewX, D::U, D::NewP) noexcept {}
};

// x = sin t crosses 1/2 at pi/6 and 5 pi/6 in every turn; the input jumps over 3 at 0.7 s.
TEST(StateEvents, MindTheirDirectionAndActTogether) {
  auto b = bench<Gates>();
  ASSERT_TRUE(b.run(Jumps(), 7_s));
  std::vector<std::pair<double, std::size_t>> found;
  for (const auto& e : b.kept.events) found.emplace_back(e.t, e.index);
  const std::vector<std::pair<double, std::size_t>> expected{
      {M_PI / 6, 0},     {M_PI / 6, 2},      {0.7, 3},          {5 * M_PI / 6, 1},
      {5 * M_PI / 6, 2}, {13 * M_PI / 6, 0}, {13 * M_PI / 6, 2}};
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i].first, expected[i].first, 1e-8) << i;
    EXPECT_EQ(found[i].second, expected[i].second) << i;
  }
  EXPECT_EQ(found[2].first, 0.7) << "at the jump, to the bit";
}

/// A function that its own action keeps moving back across.
struct Endless {
  static constexpr std::string_view name = "endless", summary = "";
  static constexpr std::array states{model::State{"x", "1", 1.0}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"stuck", model::Crossing::falling}};
  using D = model::Data<Endless>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = -1; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 1e-14; }
};

TEST(StateEvents, WithoutEndAreAFaultThatNamesThem) {
  auto b = bench<Endless>();
  const auto done = b.run(2_s);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ExitCode::fault);
  EXPECT_THAT(done.error().message, HasSubstr("event `stuck` of endless fires again and again at "
                                              "t = 1 s"));
}

// ---- two-link-arm ------------------------------------------------------------------------------

std::unique_ptr<model::Plant> arm() {
  auto plant = model::find_model("two-link-arm")->make(numerics::rk4);
  plant->set_initial(Vector{0.2, 1.0, 0, 0});
  plant->set_parameter(11, -1e3);  // no stops
  plant->set_parameter(12, 1e3);
  return plant;
}

/// Of the arm with its default parameters: rods of 1 kg and 1 m.
double arm_energy(std::span<const double> x) {
  const double a = x[0], b = x[0] + x[1], wa = x[2], wb = x[2] + x[3], g = 9.80665;
  const double vx = -std::sin(a) * wa - 0.5 * std::sin(b) * wb;
  const double vy = std::cos(a) * wa + 0.5 * std::cos(b) * wb;
  return wa * wa / 6 + 0.5 * (vx * vx + vy * vy) + wb * wb / 24 +
         g * (0.5 * std::sin(a) + std::sin(a) + 0.5 * std::sin(b));
}

TEST(TwoLinkArm, WithoutTorqueAndFrictionKeepsItsEnergy) {
  for (const auto kind : both_formulas) {
    Bench b(arm());
    b.options.formula = kind;
    b.options.tolerance = {1e-10, 1e-12};
    ASSERT_TRUE(b.run(5_s, 10_ms));
    const double start = arm_energy(b.kept.rows.front().x);
    for (const auto& r : b.kept.rows) EXPECT_NEAR(arm_energy(r.x), start, 2e-7) << r.t;
  }
}

// The paper's use of the method: torques that hold over the time of integration.
TEST(TwoLinkArm, WithHeldTorqueFollowsMuchFinerFixedSteps) {
  const Vector torque{12, -3};
  auto plant = arm();
  Problem fine(4, [&](double t, auto x, auto dx) { plant->derivatives(t, x, torque, dx); });
  const Vector exact = fixed_rk4(fine, 0, {0.2, 1.0, 0, 0}, 1e-5, 200'000);
  for (const auto kind : both_formulas) {
    Bench b(arm());
    b.options.formula = kind;
    b.options.tolerance = {1e-10, 1e-12};
    ASSERT_TRUE(b.run(reference::HeldInputs(torque), 2_s));
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(b.plant->states()[i], exact[i], 1e-7) << i;
  }
}

// Against the stops energy is lost at impacts only, and the elbow never leaves its range.
TEST(TwoLinkArm, BetweenItsStopsLosesEnergyAtImpactsOnly) {
  Bench b(arm());
  b.plant->set_parameter(11, -0.4);
  b.plant->set_parameter(12, 1.2);
  ASSERT_TRUE(b.run(3_s, 1_ms));
  ASSERT_GT(b.kept.events.size(), 3U);
  std::size_t next = 0;
  double energy = arm_energy(b.kept.rows.front().x);
  for (const auto& r : b.kept.rows) {
    for (; next < b.kept.events.size() && b.kept.events[next].t <= r.t; ++next) {
      const double after = arm_energy(b.kept.events[next].x);
      EXPECT_LE(after, energy + 1e-9);
      energy = after;
    }
    EXPECT_NEAR(arm_energy(r.x), energy, 1e-6) << r.t;
    EXPECT_GE(r.x[1], -0.4 - 1e-9);
    EXPECT_LE(r.x[1], 1.2 + 1e-9);
  }
}

}  // namespace
}  // namespace hild::test
