// SPDX-License-Identifier: Apache-2.0
/// \file
/// How often a model in a process of its own is asked, that what came with the answer to a step is
/// what it would be asked for afterwards, and that several of them are asked at once.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "foreign/contain/gate.hpp"
#include "foreign/contain/own.hpp"
#include "foreign/fmu/load.hpp"
#include "foreign/remote/stepper.hpp"
#include "hild/numerics/catalogue.hpp"
#include "model/coupled/couple.hpp"

namespace hild::testing {
namespace {

/// Nothing of it is exact in a double; a state event, and a time event every 0.7 ms. One of its
/// outputs depends on one of its inputs at once, to the sign of a zero.
struct Clocked {
  static constexpr std::string_view name = "clocked", summary = "events of both kinds";
  static constexpr std::array states{model::State{"x"}, model::State{"v"}};
  static constexpr std::array inputs{model::Input{"u"}, model::Input{"w"}};
  static constexpr std::array outputs{model::Output{"y"}, model::Output{"z"}};
  static constexpr std::array parameters{model::Parameter{"gain", "1", 40.0}};
  static constexpr std::array events{model::Event{"turn"}};
  static constexpr std::array feedthrough{model::Feedthrough{"z", "w"}};
  using D = model::Data<Clocked>;
  static void derivatives(double t, D::X x, D::U u, D::P p, D::DX dx) noexcept {
    dx[0] = p[0] * std::sin(x[1] + u[0] + t);
    dx[1] = std::cos(x[0] + u[1]);
  }
  static void outputs_of(double t, D::X x, D::U u, D::P, D::Y y) noexcept {
    y[0] = std::sin(x[0] + t);
    y[1] = std::copysign(x[1] + 1, u[1]);
  }
  static void event_functions(double, D::X x, D::U u, D::P, std::span<double, 1> g) noexcept {
    g[0] = std::sin(9 * x[0]) + 0.1 * u[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP) noexcept { x[1] *= -0.9; }
  static SimTime next_time_event(SimTime t, std::span<const double, 1>) noexcept {
    constexpr std::int64_t every = 700'000;
    return {(t.ns / every + 1) * every};
  }
  static void on_time_event(double, std::span<double, 2> x, std::span<const double, 2>,
                            std::span<double, 1>) noexcept {
    x[0] += 0.01;
  }
};
HILD_MODEL(Clocked);

using In = model::Stepper::In;

std::uint32_t trips(const model::Stepper& plant) {
  return dynamic_cast<const remote::RemoteStepper&>(plant).link().answers();
}

std::vector<std::uint64_t> bits(std::span<const double> values) {
  std::vector<std::uint64_t> all;
  for (const double v : values) all.push_back(std::bit_cast<std::uint64_t>(v));
  return all;
}

/// All that is asked for at the end of a step from t to `end`, to the bit. `fresh`: it was just
/// taken, and its start is known.
std::vector<std::uint64_t> told(model::Stepper& plant, SimTime t, SimTime end,
                                std::span<const double> u, bool fresh = true) {
  const model::Description& d = plant.description();
  std::vector<double> all(plant.states().begin(), plant.states().end());
  const auto add = [&](std::size_t n, auto&& ask) {
    std::vector<double> values(n);
    ask(std::span(values));
    all.insert(all.end(), values.begin(), values.end());
  };
  const auto [x0, f0] = fresh ? plant.step_start() : model::Stepper::StepStart{};
  all.insert(all.end(), x0.begin(), x0.end());
  all.insert(all.end(), f0.begin(), f0.end());
  add(d.outputs.size(), [&](auto y) { plant.outputs(seconds(end), u, y); });
  if (!d.events.empty()) {
    add(d.events.size(),
        [&](auto g) { plant.system().event_functions(seconds(end), plant.states(), u, g); });
  }
  add(d.states.size(), [&](auto e) {
    if (!plant.error_estimate(e)) std::ranges::fill(e, -1.0);
  });
  if (f0.size() < x0.size()) {
    add(d.states.size(),
        [&](auto dx) { plant.system().derivatives(seconds(end), plant.states(), u, dx); });
  }
  auto seen = bits(all);
  for (const SimTime at : {t, end}) {
    seen.push_back(static_cast<std::uint64_t>(plant.system().next_time_event(at).ns));
  }
  return seen;
}

/// The n-th step of both, of one of the kinds in which it can be taken.
void take_step(int n, model::Stepper& own, model::Stepper& here, SimTime t, Duration h,
               std::span<const double> u) {
  if (n % 4 == 1) {
    const int passes = own.begin(t, h).count();
    for (int i = 0; i < passes; ++i) own.pass(i, u);
    own.finish();
    here.step(t, h, u);
  } else if (n % 4 == 2) {
    const int passes = own.begin(t, h).count();
    if (n % 3 == 0) {
      here.begin(t, h);
      ASSERT_EQ(bits(own.states()), bits(here.states())) << "an FMU may have acted";
    }
    complete_step(own, model::steps_elsewhere(own), passes, [&](int) noexcept { return In(u); });
    here.step(t, h, u);
  } else {
    own.step(t, h, u);
    const int passes = here.begin(t, h).count();
    for (int i = 0; i < passes; ++i) here.pass(i, u);
    here.finish();
  }
}

/// What may act on a plant between two steps.
void act(int n, model::Stepper& plant, SimTime end, bool due, std::span<const double> u) {
  if (due) {
    plant.system().on_time_event(seconds(end), plant.states(), u);
    plant.restart(model::Restart::here);
  }
  if (n % 7 == 3 && !plant.description().events.empty()) {
    plant.system().on_event(0, seconds(end), plant.states(), u);
    plant.restart(model::Restart::here);
  }
  if (n % 9 == 5 && !plant.states().empty()) plant.rewind();
}

/// What is told of the n-th step of both, with its own inputs and with others.
void compare_step(int n, model::Stepper& own, model::Stepper& here, SimTime t, Duration h,
                  std::vector<double>& u) {
  const std::uint32_t before = trips(own);
  ASSERT_NO_FATAL_FAILURE(take_step(n, own, here, t, h, u));
  ASSERT_EQ(told(own, t, t + h, u), told(here, t, t + h, u)) << here.method().name << " " << n;
  // Derivatives at the end come along once they were asked for.
  if (n % 4 != 1 && n % 4 != 2 && n > 2) {
    ASSERT_EQ(trips(own), before + 1) << here.method().name << " " << n;
  }
  if (n % 5 == 2) {  // what depends on inputs, with others
    for (double& one : u) one = -0.0;
    ASSERT_EQ(told(own, t, t + h, u), told(here, t, t + h, u)) << here.method().name << " " << n;
  }
}

/// Steps of both kinds, with events in between, in which two plants are the same all the time.
void compare(model::Stepper& own, model::Stepper& here) {
  const bool timed = own.description().time_events;
  SimTime t{};
  for (int n = 0; n < 24; ++n) {
    const int held = n / 2;  // for two steps
    std::vector<double> u(own.description().inputs.size(), 0.1 * held);
    const SimTime due = here.system().next_time_event(t);
    const Duration h = timed ? std::min(due - t, Duration(500_us)) : Duration(500_us);
    ASSERT_NO_FATAL_FAILURE(compare_step(n, own, here, t, h, u));
    for (auto* plant : {&own, &here}) act(n, *plant, t + h, timed && t + h == due, u);
    if (n % 9 != 5 || own.states().empty()) t += h;
    ASSERT_EQ(told(own, t, t, u, false), told(here, t, t, u, false))
        << here.method().name << " " << n;
  }
}

TEST(Trips, WhatCameWithAStepIsWhatIsAskedForUnderEveryMethod) {
  for (const char* name : {"clocked", "van-der-pol", "bouncing-ball"}) {
    for (const numerics::Method* m : numerics::catalogue()) {
      const auto own = in_its_own(name, m);
      const auto here = model::find_model(name)->make(*m);
      ASSERT_NO_FATAL_FAILURE(compare(*own, *here)) << name;
    }
  }
}

TEST(Trips, WhatCameWithAStepOfAnFmuIsWhatIsAskedFor) {
  for (const char* file : {"/van_der_pol_2.fmu", "/feedthrough_2.fmu", "/bouncing_ball_3.fmu",
                           "/stairs_3.fmu", "/van_der_pol_3.fmu"}) {
    for (const auto kind : {fmu::Kind::model_exchange, fmu::Kind::co_simulation}) {
      const auto here = fmu::load(std::string(HILD_FMUS) + file, {.kind = kind});
      if (!here) continue;  // it has but one of them
      const auto source = contain::ModelSource::fmu(std::string(HILD_FMUS) + file, {.kind = kind});
      ASSERT_TRUE(source) << source.error().message;
      const auto own = contain::contained(*source, &numerics::rk4, {.answer_within = 20_s});
      ASSERT_TRUE(own) << own.error().message;
      ASSERT_NO_FATAL_FAILURE(compare(**own, *here->make(numerics::rk4))) << file;
    }
  }
}

// An input that no output depends on may be another one; a zero of another sign may not.
TEST(Trips, OutputsAreAskedForAgainWhereAnInputTheyDependOnDiffers) {
  const auto plant = in_its_own("clocked", &numerics::rk4);
  plant->step({}, 500_us, std::array{1.0, 0.0});
  std::array<double, 2> y{};
  std::array<double, 1> g{};
  const auto asked = [&](auto&& look) {
    const std::uint32_t before = trips(*plant);
    look();
    return trips(*plant) - before;
  };
  const auto outputs = [&](double u, double w) {
    return asked([&] { plant->outputs(500e-6, std::array{u, w}, y); });
  };
  EXPECT_EQ(outputs(1, 0.0), 0U);
  EXPECT_EQ(outputs(7, 0.0), 0U);
  EXPECT_GT(y[1], 0);
  EXPECT_EQ(outputs(7, -0.0), 1U);
  EXPECT_LT(y[1], 0);
  EXPECT_EQ(outputs(1, -0.0), 0U) << "as it was asked for last";
  const auto events = [&](double u) {
    return asked([&] {
      plant->system().event_functions(500e-6, plant->states(), std::array{u, 0.0}, g);
    });
  };
  EXPECT_EQ(events(1), 0U) << "what else was asked for has changed nothing";
  EXPECT_EQ(events(2), 1U);
  plant->system().set_parameter(0, 3.0);
  EXPECT_EQ(outputs(1, -0.0), 1U);
  plant->begin(SimTime{} + 500_us, 500_us);
  EXPECT_EQ(outputs(1, -0.0), 2U) << "a step has begun, of whose states they are";
}

/// Frames of a loop over a plant that is asked for whole steps.
exec::Outcome run(model::Stepper& plant, int frames, exec::Sampling sampling) {
  rt::VirtualClock clock;
  const std::size_t inputs = plant.description().inputs.size();
  FakeSampler sampler(
      clock, std::vector<FakeSampler::Input>(inputs, [](double t) { return std::sin(300 * t); }));
  sampler.origin = Rig::start;
  exec::Settings settings;
  settings.sampling = sampling;
  exec::ExternalEvents events;
  exec::Parts parts{clock,  sampler, plant, plain_inputs(inputs), std::vector<double>(inputs),
                    &events};
  exec::FrameLoop loop(settings, std::move(parts));
  const rt::Flag stop;
  return loop.run(Rig::start, frames, stop);
}

// All that the loop asks for included: outputs, and what its estimate of the error is made of.
TEST(Trips, AFrameIsOneUnderFrameSampling) {
  for (const numerics::Method* m : {&numerics::rk4, &numerics::ode45, &numerics::ab2}) {
    const auto plant = in_its_own("van-der-pol", m);
    ASSERT_EQ(run(*plant, 10, exec::Sampling::frame).end, exec::End::duration);
    const std::uint32_t before = trips(*plant);
    run(*plant, 20, exec::Sampling::frame);
    const std::uint32_t of_twenty = trips(*plant) - before;
    run(*plant, 50, exec::Sampling::frame);
    EXPECT_EQ(trips(*plant) - before - of_twenty, of_twenty + 30) << m->name;
  }
}

// Where inputs are sampled within it, it is one for each pass: the first begins the step, the last
// ends it.
TEST(Trips, AFrameIsOneForEachPassUnderStageSampling) {
  const auto plant = in_its_own("van-der-pol", &numerics::rk4);
  const auto here = model::find_model("van-der-pol")->make(numerics::rk4);
  ASSERT_EQ(run(*plant, 10, exec::Sampling::stage).end, exec::End::duration);
  run(*here, 10, exec::Sampling::stage);
  EXPECT_EQ(bits(plant->states()), bits(here->states()));
  const std::uint32_t before = trips(*plant);
  run(*plant, 20, exec::Sampling::stage);
  const std::uint32_t of_twenty = trips(*plant) - before;
  run(*plant, 50, exec::Sampling::stage);
  EXPECT_EQ(trips(*plant) - before - of_twenty, of_twenty + 30 * 4);
  run(*here, 20, exec::Sampling::stage);
  run(*here, 50, exec::Sampling::stage);
  EXPECT_EQ(bits(plant->states()), bits(here->states()));
}

// ---- several -----------------------------------------------------------------------------------

/// x' = 1, in a step that takes until the gate is open where its parameter says so.
struct Gated {
  static constexpr std::string_view name = "gated", summary = "waits at a gate";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array parameters{model::Parameter{"waits"}};
  using D = model::Data<Gated>;
  static void derivatives(double, D::X, D::U, D::P p, D::DX dx) noexcept {
    dx[0] = 1;
    if (p[0] != 0) Gate::wait();
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};
HILD_MODEL(Gated);

/// The same in this process, which opens the gate.
struct Opener {
  static constexpr std::string_view name = "opener", summary = "opens the gate";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Feedthrough, 0> feedthrough{};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Opener>;
  static inline const Gate* gate = nullptr;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1;
    if (gate != nullptr) gate->open();
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

std::unique_ptr<model::Stepper> gated(bool waits, Duration answer_within) {
  auto made = in_its_own("gated", &numerics::rk4, answer_within);
  made->system().set_parameter(0, waits ? 1 : 0);
  return made;
}

void step_whole(coupled::CoupledStepper& plant, SimTime t, std::vector<double> u) {
  plant.models()->connect(t, u);
  static_cast<void>(plant.models()->step_connected(t, 1_ms, u));
}

// Models of this process run while those of others do: the gate that two of these wait at is opened
// by the last model of all, whose turn it would never be.
TEST(Trips, SeveralModelsAreAskedBeforeAnyIsWaitedFor) {
  for (const int substeps : {1, 3}) {
    const Gate gate;
    Opener::gate = &gate;
    const auto plant =
        couple(kilohertz, {}, One{"a", gated(true, 20_s), {.substeps = substeps}},
               One{"b", gated(true, 20_s)}, One{"c", model::make_stepper<Opener>(numerics::rk4)});
    std::array<std::uint32_t, 2> before{};
    for (std::size_t k = 0; k < 2; ++k) before[k] = trips(plant->models()->model(k));
    const MonoTime start = rt::monotonic_now();
    step_whole(*plant, {}, {0, 0, 0});
    EXPECT_LT(rt::monotonic_now() - start, 19_s);
    EXPECT_EQ(trips(plant->models()->model(0)), before[0] + static_cast<unsigned>(substeps));
    EXPECT_EQ(trips(plant->models()->model(1)), before[1] + 1);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(plant->models()->cap_counts_of(k)->late_answers, 0);
      EXPECT_NEAR(plant->models()->model(k).states()[0], 1e-3, 1e-15);
    }
    Opener::gate = nullptr;
  }
}

// The other one has taken its step, and takes those that follow.
TEST(Trips, OneThatIsLateIsLateAlone) {
  Gate gate;
  const auto plant =
      couple(kilohertz, {}, One{"late", gated(true, 500_ms)}, One{"good", gated(false, 20_s)});
  model::Composite& models = *plant->models();
  for (int n = 0; n < 3; ++n) step_whole(*plant, SimTime{} + 1_ms * n, {0, 0});
  EXPECT_EQ(models.cap_counts_of(0)->late_answers, 3);
  EXPECT_TRUE(models.cap_counts_of(0)->owes);
  EXPECT_EQ(models.model(0).states()[0], 0);
  EXPECT_EQ(models.cap_counts_of(1)->late_answers, 0);
  EXPECT_NEAR(models.model(1).states()[0], 3e-3, 1e-15);
  gate.open();
  SimTime t = SimTime{} + 3_ms;
  for (; models.cap_counts_of(0)->owes; t += 1_ms) step_whole(*plant, t, {0, 0});
  EXPECT_NEAR(models.model(0).states()[0], 1e-3, 1e-15) << "one step from where it was held";
  EXPECT_NEAR(models.model(1).states()[0], seconds(t), 1e-12);
}

/// Has each run here, as one that hands out work to threads does.
class InOrder final : public TaskRunner {
 public:
  bool run(Tasks& tasks, std::span<const std::uint16_t> list) noexcept override {
    std::for_each(list.rbegin(), list.rend(), [&](std::uint16_t task) { tasks.run(task); });
    return true;
  }
};

/// Models of any rate that feed one another, in processes of their own or in this one.
std::unique_ptr<coupled::CoupledStepper> composed(unsigned seed, bool apart) {
  Chance chance(seed);
  const auto catalogue = numerics::catalogue();
  const std::size_t n = 2 + chance.below(2);
  std::vector<coupled::Part> parts;
  std::vector<std::unique_ptr<model::Stepper>> plants;
  std::vector<coupled::Connection> connections;
  for (std::size_t i = 0; i < n; ++i) {
    const numerics::Method* method = catalogue[chance.below(catalogue.size())];
    coupled::Rate rate;
    if (chance.one_in(4)) rate.every = 2 + static_cast<int>(chance.below(2));
    if (rate.every == 1 && chance.one_in(3)) rate.substeps = 2 + static_cast<int>(chance.below(3));
    const bool other = chance.one_in(3);
    plants.push_back(apart && !other ? in_its_own("clocked", method)
                                     : model::find_model("clocked")->make(*method));
    plants.back()->system().set_parameter(0, 40.0 + 7.0 * static_cast<double>(i));
    parts.push_back({Name("m" + std::to_string(i)), plants.back()->description(), method, rate});
    // Of the first input nothing depends at once.
    const std::size_t from = chance.below(n);
    connections.push_back({.from = 2 * from,
                           .to = 2 * i,
                           .degree = chance.one_in(3) ? 1 : 0,
                           .delayed = chance.one_in(2)});
  }
  return std::make_unique<coupled::CoupledStepper>(
      std::make_shared<coupled::Composition>(std::move(parts), std::move(connections)),
      std::move(plants), kilohertz);
}

std::vector<std::uint64_t> seen(coupled::CoupledStepper& plant, bool whole) {
  std::vector<std::uint64_t> all;
  const auto keep = [&](std::span<const double> values) {
    const auto more = bits(values);
    all.insert(all.end(), more.begin(), more.end());
  };
  std::vector<double> y(plant.description().outputs.size());
  for (int n = 0; n < 12; ++n) {
    const SimTime t = SimTime{} + kilohertz.tick(n);
    std::vector<double> u(plant.description().inputs.size(), 0.1 * n);
    plant.models()->connect(t, u);
    if (whole) {
      static_cast<void>(plant.models()->step_connected(t, 1_ms, u));
    } else {
      const int passes = plant.begin(t, 1_ms).count();
      for (int i = 0; i < passes; ++i) plant.pass(i, u);
      plant.finish();
    }
    keep(plant.states());
    plant.outputs(seconds(t + 1_ms), u, y);
    keep(y);
    if (n == 6) plant.rewind();
  }
  return all;
}

TEST(Trips, SeveralModelsStepToTheBitAsInThisProcess) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const auto expected = seen(*composed(seed, false), false);
    EXPECT_EQ(seen(*composed(seed, true), true), expected) << seed;
    EXPECT_EQ(seen(*composed(seed, true), false), expected) << seed;
    InOrder runner;
    const auto shared = composed(seed, true);
    shared->models()->share_work(runner);
    EXPECT_EQ(seen(*shared, true), expected) << seed << ", by tasks";
  }
}

// Without work for anybody else it is one trip for each in a frame: none for what they exchange.
TEST(Trips, AFrameOfSeveralIsOneForEach) {
  const auto plant = couple(kilohertz, {{.from = 0, .to = 1}, {.from = 1, .to = 0}},
                            One{"a", gated(false, 20_s)}, One{"b", gated(false, 20_s)});
  run(*plant, 5, exec::Sampling::frame);
  const auto all = [&] {
    return trips(plant->models()->model(0)) + trips(plant->models()->model(1));
  };
  const std::uint32_t before = all();
  run(*plant, 20, exec::Sampling::frame);
  const std::uint32_t of_twenty = all() - before;
  run(*plant, 50, exec::Sampling::frame);
  EXPECT_EQ(all() - before - of_twenty, of_twenty + 60);
}

}  // namespace
}  // namespace hild::testing
