// SPDX-License-Identifier: Apache-2.0
/// Events in one of several models: found where they are, while the others step as if there were
/// none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"

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

/// Adds 1 to its state every 2.5 ms, or as often as its parameter says.
struct Stair {
  static constexpr std::string_view name = "stair";
  static constexpr std::string_view summary = "a step up every so often";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"every", "ms", 2.5}};
  using D = model::Data<Stair>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static SimTime next_time_event(SimTime t, D::P p) noexcept {
    const std::int64_t every = std::llround(p[0] * 1e6);
    return {(t.ns / every + 1) * every};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] += 1; }
};

/// x' = 1; counts how often it passes 2.4 ms, and how often 6.4 ms.
struct Marks {
  static constexpr std::string_view name = "marks";
  static constexpr std::string_view summary = "two marks on a way";
  static constexpr std::array states{model::State{"x"}, model::State{"first"},
                                     model::State{"second"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"first"}, model::Event{"second"}};
  using D = model::Data<Marks>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = dx[2] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 2> g) noexcept {
    g[0] = x[0] - 2.4e-3;
    g[1] = x[0] - 6.4e-3;
  }
  static void on_event(std::size_t index, double, D::NewX x, D::U, D::NewP) noexcept {
    if (index < 2) x[1 + index] += 1;
  }
};

/// A lag that has cut short what it is told it has.
struct CutsShort final : CostlyPlant {
  explicit CutsShort(const model::CapCounts& count)
      : CostlyPlant(clock, model::make_stepper<Lag>(numerics::forward_euler)) {
    costs.told_cuts = &count;
  }

 private:
  static inline rt::VirtualClock clock{MonoTime{}};
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
  Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                 One{"ball", model::make_stepper<Ball>(numerics::rk4)},
                 One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
          [](double) { return 0.0; });
  rig.run(1000);
  EXPECT_EQ(rig.statistics().state_events.get(), 2);  // at 0.447 s and 0.894 s
  for (std::size_t i = 0; i < rig.sampler.writes.size() && i < rig.records.size(); ++i) {
    const double t = seconds(rig.records[i].t);
    EXPECT_NEAR(rig.sampler.writes[i].y[0], height(t), rounding) << t;
  }
  EXPECT_EQ(Counted::evaluations, 1000);  // one a frame: what the ball does again is not its own
  // It saw the height of every tick.
  double sum = 0;
  for (int n = 0; n < 1000; ++n) sum += 1e-3 * height(n * 1e-3);
  EXPECT_NEAR(rig.plant.states()[2], sum, 1e-9);
}

TEST(CoupledEvents, InTwoModelsOfOneFrameAreBothExact) {
  auto plant = couple(kilohertz, {}, One{"a", model::make_stepper<Ball>(numerics::rk4)},
                      One{"b", model::make_stepper<Ball>(numerics::rk4)});
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
  Rig rig(couple(kilohertz, {}, One{"ball", model::make_stepper<Ball>(numerics::rk4)},
                 One{"other", model::make_stepper<Counted>(numerics::ab3)}),
          [](double) { return 1.0; });
  rig.run(1000);
  EXPECT_GT(rig.statistics().state_events.get(), 0);
  int starters = 0;
  for (const auto& r : rig.records) starters += r.starter ? 1 : 0;
  EXPECT_EQ(starters, 2);  // of AB-3, at the beginning
}

TEST(CoupledEvents, AtTheirTimesCutTheStepOfTheirModelAlone) {
  Counted::evaluations = 0;
  Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                 One{"stair", model::make_stepper<Stair>(numerics::forward_euler)},
                 One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
          [](double) { return 0.0; });
  rig.run(10);
  EXPECT_EQ(rig.statistics().time_events.get(), 4);  // 2.5, 5, 7.5, 10 ms
  // The other sees 0 in frames 0 to 2, 1 from tick 3 on, 2 from tick 5, 3 from tick 8.
  EXPECT_DOUBLE_EQ(rig.plant.states()[1], 1e-3 * (2 * 1 + 3 * 2 + 2 * 3));
  EXPECT_EQ(Counted::evaluations, 10);
}

// Where a model runs, and beside what, is no part of what it computes: to the bit, with events of
// every kind, late frames and doubled steps.
TEST(CoupledEvents, OfOthersChangeNothing) {
  const auto ball = [] { return model::make_stepper<Ball>(numerics::ab3); };
  const auto run = [](std::unique_ptr<model::Stepper> plant, exec::Sampling sampling) {
    Rig rig(std::move(plant), [](double) { return 0.0; });
    rig.settings.sampling = sampling;
    rig.plant.extra = {{3, 2200_us}, {446, 2200_us}, {700, 2500_us}};
    rig.run(1000);
    EXPECT_GT(rig.statistics().doubled_steps.get(), 0);
    std::vector<double> heights;
    for (const auto& write : rig.sampler.writes) {
      if (!write.y.empty()) heights.push_back(write.y[0]);
    }
    return std::pair{heights, rig.statistics().state_events.get()};
  };
  for (const exec::Sampling sampling : {exec::Sampling::frame, exec::Sampling::stage}) {
    const auto [alone, events_alone] = run(couple(kilohertz, {}, One{"ball", ball()}), sampling);
    const auto [beside, events_beside] =
        run(couple(kilohertz, {}, One{"ball", ball()},
                   One{"stair", model::make_stepper<Stair>(numerics::forward_euler)},
                   One{"marks", model::make_stepper<Marks>(numerics::rk4)}),
            sampling);
    EXPECT_EQ(events_beside, events_alone + 2);
    ASSERT_EQ(beside.size(), alone.size());
    for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_EQ(beside[i], alone[i]) << i;
  }
}

/// x' = 1, and its event counts how often x passes 2.4 ms; every 3.7 ms it begins at 0 again.
struct Sawtooth {
  static constexpr std::string_view name = "sawtooth";
  static constexpr std::string_view summary = "a way that begins anew, with a mark on it";
  static constexpr std::array states{model::State{"x"}, model::State{"passed"}};
  static constexpr std::array<model::Input, 0> inputs{};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  static constexpr std::array events{model::Event{"mark"}};
  using D = model::Data<Sawtooth>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    dx[1] = 0;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = x[0] - 2.4e-3;
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept {
    if (x[0] > 2e-3) x[1] += 1;
  }
  static SimTime next_time_event(SimTime t, D::P) noexcept {
    return {(t.ns / 3'700'000 + 1) * 3'700'000};
  }
  static void on_time_event(double, D::NewX x, D::U, D::NewP) noexcept { x[0] = 0; }
};

// Marks at 2.4, 6.1, 9.8, ... ms, beginnings at 3.7, 7.4, ... ms, of which some share a frame.
TEST(CoupledEvents, OfBothKindsActInTheirOrder) {
  for (const int frames : {37, 370}) {
    Rig rig(couple(kilohertz, {}, One{"saw", model::make_stepper<Sawtooth>(numerics::rk4)},
                   One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
            [](double) { return 0.0; });
    rig.run(frames);
    const int cycles = frames * 10 / 37;
    EXPECT_EQ(rig.statistics().time_events.get(), cycles);
    EXPECT_EQ(rig.plant.states()[1], cycles);
    EXPECT_NEAR(rig.plant.states()[0], 0, 1e-9);  // the last begins at the last tick
  }
}

// Each part of a step that an event cuts is divided as the whole is.
TEST(CoupledEvents, AtTheirTimesCutSubsteps) {
  Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                 One{"stair", model::make_stepper<Stair>(numerics::forward_euler), {.substeps = 4}},
                 One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
          [](double) { return 0.0; });
  rig.run(10);
  EXPECT_EQ(rig.statistics().time_events.get(), 4);
  EXPECT_DOUBLE_EQ(rig.plant.states()[1], 1e-3 * (2 * 1 + 3 * 2 + 2 * 3));
}

// Steps of three frames beside late frames: an event acts at the end of the step it lies in, also
// where that is in the midst of a doubled one.
TEST(CoupledEvents, OfASlowModelActWithinADoubledStep) {
  Rig rig(couple(kilohertz, {},
                 One{"stair", model::make_stepper<Stair>(numerics::forward_euler), {.every = 3}},
                 One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
          [](double) { return 0.0; });
  rig.plant.extra = {{1, 2200_us}};
  rig.run(12);
  EXPECT_THAT(rig.spans(), ::testing::ElementsAre(1, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1));
  // Steps end at 3, 6, 9, 12 ms; events are due at 2.5, 5, 7.5, 10 ms.
  EXPECT_EQ(rig.statistics().time_events.get(), 4);
  EXPECT_EQ(rig.plant.states()[0], 4);
}

// Two that come at their own times, and together at 20 ms.
TEST(CoupledEvents, AtTheirTimesActInTheModelsWhoseTimeItIs) {
  for (const bool often_first : {true, false}) {
    auto plant =
        couple(kilohertz, {}, One{"a", model::make_stepper<Stair>(numerics::forward_euler)},
               One{"b", model::make_stepper<Stair>(numerics::forward_euler)});
    plant->system().set_parameter(often_first ? 1 : 0, 4.0);
    Rig rig(std::move(plant), [](double) { return 0.0; });
    rig.run(20);
    EXPECT_EQ(rig.plant.states()[often_first ? 0 : 1], 8);  // 2.5, 5, ..., 20 ms
    EXPECT_EQ(rig.plant.states()[often_first ? 1 : 0], 5);  // 4, 8, ..., 20 ms
    EXPECT_EQ(rig.statistics().time_events.get(), 8 + 5);
  }
}

/// Cuts something short in the steps it is told; any count of times.
struct CutAt final : CostlyPlant {
  CutAt(std::int64_t step, std::int64_t model::CapCounts::*count)
      : CostlyPlant(clock, model::make_stepper<Lag>(numerics::forward_euler)) {
    costs.cuts_of = [step, count](std::int64_t now, model::CapCounts& cut) {
      if (now == step) cut.*count += 3;
    };
  }

 private:
  static inline rt::VirtualClock clock{MonoTime{}};
};

// Two models reach caps, one of them a third one; each step is counted for those that did.
TEST(CoupledEvents, CapsAreToldOfTheModelThatReachedThem) {
  using model::CapCounts;
  Rig rig(couple(kilohertz, {}, One{"a", std::make_unique<CutAt>(3, &CapCounts::step_parts)},
                 One{"b", model::make_stepper<Lag>(numerics::forward_euler)},
                 One{"c", std::make_unique<CutAt>(5, &CapCounts::late_answers)}),
          [](double) { return 0.0; });
  rig.run(8);
  const auto& s = rig.statistics();
  const auto of = [&](std::size_t model, io::Cap cap) {
    return s.capped_by[model][static_cast<std::size_t>(cap)].get();
  };
  EXPECT_EQ(s.capped[static_cast<std::size_t>(io::Cap::step_parts)].get(), 1);
  EXPECT_EQ(of(0, io::Cap::step_parts), 1);
  EXPECT_EQ(of(0, io::Cap::late_answers), 0);
  EXPECT_EQ(of(1, io::Cap::step_parts), 0);
  EXPECT_EQ(of(2, io::Cap::late_answers), 1);
  EXPECT_EQ(rig.records[3].capped_by, 1U);
  EXPECT_EQ(rig.records[4].capped_by, 0U);
  EXPECT_EQ(rig.records[5].capped_by, 4U);
}

// Events of the second model alone: more in a frame than may act.
TEST(CoupledEvents, PutOffAreToldOfTheModelThatHasThem) {
  auto plant = couple(kilohertz, {}, One{"a", model::make_stepper<Lag>(numerics::forward_euler)},
                      One{"b", model::make_stepper<Stair>(numerics::forward_euler)},
                      One{"c", model::make_stepper<Stair>(numerics::forward_euler)});
  plant->system().set_parameter(plant->description().parameters.size() - 2, 0.1);
  Rig rig(std::move(plant), [](double) { return 0.0; });
  rig.settings.max_events = 2;
  rig.run(2);
  const auto put_off = static_cast<std::size_t>(io::Cap::time_events);
  EXPECT_EQ(rig.statistics().capped[put_off].get(), 2);
  EXPECT_EQ(rig.statistics().capped_by[1][put_off].get(), 2);
  EXPECT_EQ(rig.statistics().capped_by[2][put_off].get(), 0);
}

// After 300 days a double tells 4 ns: every event acts all the same, once.
TEST(CoupledEvents, AtTheirTimesActAfterDays) {
  constexpr std::int64_t first = 300LL * 86'400 * 1'000;
  auto plant = couple(kilohertz, {}, One{"a", model::make_stepper<Stair>(numerics::forward_euler)},
                      One{"b", model::make_stepper<Stair>(numerics::forward_euler)});
  plant->system().set_parameter(0, 2.500'001);
  plant->system().set_parameter(1, 3.141'593);
  Rig rig(std::move(plant), [](double) { return 0.0; });
  rig.first_frame = first;
  rig.run(500);
  const auto passed = [](std::int64_t every) {
    return (first + 500) * 1'000'000 / every - first * 1'000'000 / every;
  };
  EXPECT_EQ(rig.plant.states()[0], static_cast<double>(passed(2'500'001)));
  EXPECT_EQ(rig.plant.states()[1], static_cast<double>(passed(3'141'593)));
}

// However many events the models before it have.
TEST(CoupledEvents, ActAsTheirModelNumbersThem) {
  for (const int frames : {5, 10}) {
    Rig rig(couple(kilohertz, {}, One{"ball", model::make_stepper<Ball>(numerics::rk4)},
                   One{"marks", model::make_stepper<Marks>(numerics::rk4)}),
            [](double) { return 0.0; });
    rig.run(frames);
    EXPECT_EQ(rig.plant.states()[3], 1) << frames;
    EXPECT_EQ(rig.plant.states()[4], frames == 10 ? 1 : 0) << frames;
    EXPECT_NEAR(rig.plant.states()[1], -gravity * frames * 1e-3, 1e-12);  // in the air
  }
}

// One that acts at a tick, after models were connected there, ends the line with the next tick.
TEST(CoupledEvents, AtATickAreSeenAtTheNextOne) {
  auto plant = couple(kilohertz, {{.from = 0, .to = 0, .degree = 1}},
                      One{"ball", model::make_stepper<Ball>(numerics::rk4)},
                      One{"other", model::make_stepper<Counted>(numerics::rk4)});
  std::array u{0.0};
  std::vector<double> heights;
  std::vector<double> gained;
  for (int n = 0; n < 6; ++n) {
    const SimTime t = SimTime{} + kilohertz.tick(n);
    plant->models()->connect(t, u);
    heights.push_back(plant->states()[0]);
    const double before = plant->states()[2];
    if (n == 3) {
      plant->system().on_event(0, seconds(t), plant->states(), u);
      plant->restart(model::Restart::here);
    }
    const int passes = plant->begin(t, 1_ms).count();
    for (int i = 0; i < passes; ++i) plant->pass(i, u);
    plant->finish();
    gained.push_back((plant->states()[2] - before) * 1e3);
  }
  // It falls for 3 ms, then rises with half its speed.
  for (int n = 0; n < 6; ++n) {
    const double tau = (n - 3) * 1e-3;
    const double fall = 3e-3 + std::min(tau, 0.0);
    const double rise = tau > 0 ? gravity * 3e-3 / 2 * tau - gravity * tau * tau / 2 : 0.0;
    EXPECT_NEAR(heights[static_cast<std::size_t>(n)], 1 - gravity * fall * fall / 2 + rise, 1e-12);
  }
  const auto line = [&](std::size_t n) { return heights[n] + (heights[n] - heights[n - 1]) / 2; };
  EXPECT_NEAR(gained[2], line(2), 1e-12);
  EXPECT_NEAR(gained[3], line(3), 1e-12);
  EXPECT_NEAR(gained[4], heights[4], 1e-12);
  EXPECT_NEAR(gained[5], line(5), 1e-12);
}

// A report says of the whole what its models did not complete.
TEST(CoupledEvents, CutShortAreThoseOfAllModels) {
  model::CapCounts a{1, 2, 3, 4};
  model::CapCounts b{10, 20, 30, 40};
  auto plant = couple(kilohertz, {}, One{"a", std::make_unique<CutsShort>(a)},
                      One{"none", model::make_stepper<Ball>(numerics::rk4)},
                      One{"b", std::make_unique<CutsShort>(b)});
  const model::CapCounts* all = nullptr;
  const auto expect = [&](std::int64_t events, std::int64_t ahead, std::int64_t parts,
                          std::int64_t late) {
    all = plant->system().cap_counts();
    ASSERT_NE(all, nullptr);
    EXPECT_EQ(all->event_iterations, events);
    EXPECT_EQ(all->zero_advance, ahead);
    EXPECT_EQ(all->step_parts, parts);
    EXPECT_EQ(all->late_answers, late);
  };
  expect(11, 22, 33, 44);
  a.step_parts = 5;
  b.late_answers = 41;
  expect(11, 22, 35, 45);
  EXPECT_EQ(all->algebraic_iterations, 0);
  a.algebraic_iterations = 7;
  b.algebraic_iterations = 2;
  expect(11, 22, 35, 45);
  EXPECT_EQ(all->algebraic_iterations, 9);
  EXPECT_FALSE(all->owes || all->gone);
  b.owes = true;
  expect(11, 22, 35, 45);
  EXPECT_TRUE(all->owes);
  EXPECT_FALSE(all->gone);
  b.owes = false;
  a.gone = true;
  expect(11, 22, 35, 45);
  EXPECT_FALSE(all->owes);
  EXPECT_TRUE(all->gone);
  EXPECT_EQ(couple(kilohertz, {}, One{"none", model::make_stepper<Ball>(numerics::rk4)})
                ->system()
                .cap_counts(),
            nullptr);
}

// Steps of four frames: what is due at 2.5 ms acts at 4 ms, and so on.
TEST(CoupledEvents, OfASlowModelActAtTheEndOfItsStep) {
  for (const int frames : {3, 8}) {
    Rig rig(couple(kilohertz, {{.from = 0, .to = 0}},
                   One{"stair", model::make_stepper<Stair>(numerics::forward_euler), {.every = 4}},
                   One{"other", model::make_stepper<Counted>(numerics::forward_euler)}),
            [](double) { return 0.0; });
    const int counted = frames / 4;
    rig.run(frames);
    EXPECT_EQ(rig.statistics().time_events.get(), counted);
    EXPECT_EQ(rig.plant.states()[0], counted);
    EXPECT_DOUBLE_EQ(rig.plant.states()[1], frames == 8 ? 1e-3 * 4 : 0);  // 1 for four frames
  }
}

}  // namespace
}  // namespace hild::testing
