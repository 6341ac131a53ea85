// SPDX-License-Identifier: Apache-2.0
/// \file
/// A model in a process of its own: the same results, and nothing of what happens to it here.
#include <gmock/gmock.h>
#include <sched.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "exec/fakes.hpp"
#include "foreign/contain/gate.hpp"
#include "foreign/contain/own.hpp"
#include "foreign/fmu/load.hpp"
#include "foreign/remote/stepper.hpp"
#include "hild/model/integrated.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::testing {
namespace {

TEST(Contain, StepsToTheBitAsInThisProcess) {
  for (const numerics::Method* m : numerics::catalogue()) {
    const auto own = in_its_own("van-der-pol", m);
    const auto here = model::find_model("van-der-pol")->make(*m);
    EXPECT_EQ(own->compiled_together(), here->compiled_together());
    for (auto* plant : {own.get(), here.get()}) {
      plant->system().set_parameter(0, 1.5);
      plant->set_initial(std::array{1.0, 0.5});
    }
    SimTime t{};
    for (int n = 0; n < 20; ++n, t += 10_ms) {
      const std::array u{0.1 * n};
      if (n % 3 == 1) {  // pass by pass
        const int passes = own->begin(t, 10_ms).count();
        for (int i = 0; i < passes; ++i) own->pass(i, u);
        own->finish();
      } else {
        own->step(t, 10_ms, u);
      }
      here->step(t, 10_ms, u);
      if (n == 7) own->rewind(), here->rewind();
    }
    EXPECT_TRUE(std::ranges::equal(own->states(), here->states())) << m->name;
    std::array<double, 2> y{};
    std::array<double, 2> expected{};
    const std::array x{0.3, 0.7};
    own->system().outputs(1, x, std::array{0.1}, y);
    here->system().outputs(1, x, std::array{0.1}, expected);
    EXPECT_EQ(y, expected);
    EXPECT_NE(own->states()[0], 1.0);
    EXPECT_EQ(own->system().cap_counts()->late_answers, 0);
  }
}

// Its Jacobian is what it may be at the places that its description declares, here and there.
TEST(Contain, AnFmuOfManyStatesIsSolvedByItsDependencies) {
  constexpr std::size_t n = 2000;
  const auto source = contain::ModelSource::fmu(HILD_FMUS "/rod_2.fmu", {});
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ((*source)->sizes().jacobian, 3 * n - 2);
  const auto here = fmu::load(HILD_FMUS "/rod_2.fmu");
  ASSERT_TRUE(here);
  for (const auto* m : {&numerics::libe, &numerics::radau_iia}) {
    const auto own = contain::contained(*source, m, {.answer_within = 20_s});
    ASSERT_TRUE(own) << own.error().message;
    const auto expected = here->make(*m);
    for (auto* plant : {own->get(), expected.get()}) {
      plant->step(SimTime{}, 1_ms, std::array{0.25});
      plant->step(SimTime{} + 1_ms, 1_ms, std::array{0.5});
    }
    EXPECT_TRUE(std::ranges::equal((*own)->states(), expected->states())) << m->name;
    EXPECT_NE((*own)->states()[0], 1.0);
    std::vector<double> values(3 * n - 2);
    const numerics::Structure& s = (*own)->description().structure;
    ASSERT_EQ(s.room(n), values.size());
    const numerics::Jacobian j(values.data(), n, s);
    ASSERT_TRUE((*own)->system().jacobian(0, (*own)->states(), std::array{0.5}, j));
    EXPECT_EQ(j(999, 1000), 1e3);
    EXPECT_EQ(j(1000, 1000), -2e3);
    EXPECT_EQ(j(n - 1, n - 2), 1e3);
  }
}

// And what is asked for at its end has come with it.
TEST(Contain, AStepWithInputsThatHoldIsOneQuestion) {
  const auto plant = in_its_own("bouncing-ball", &numerics::rk4);
  const auto here = model::find_model("bouncing-ball")->make(numerics::rk4);
  const auto& link = dynamic_cast<remote::RemoteStepper&>(*plant).link();
  const std::vector<double> u(plant->description().inputs.size(), 0.25);
  const auto ends = [&](model::Stepper& one, double t, std::span<const double> with) {
    std::vector<double> seen(one.description().outputs.size() + one.description().events.size());
    const std::span all(seen);
    one.outputs(t, with, all.first(one.description().outputs.size()));
    one.system().event_functions(t, one.states(), with, all.last(one.description().events.size()));
    return seen;
  };
  SimTime t{};
  for (int n = 0; n < 3; ++n, t += 1_ms) {
    const std::uint32_t answers = link.answers();
    plant->step(t, 1_ms, u);
    here->step(t, 1_ms, u);
    EXPECT_EQ(ends(*plant, seconds(t + 1_ms), u), ends(*here, seconds(t + 1_ms), u));
    EXPECT_EQ(link.answers(), answers + 1);
  }
  const double end = seconds(t);
  const auto asked = [&](auto&& look) {
    const std::uint32_t answers = link.answers();
    look();
    return link.answers() - answers;
  };
  // Of another time, other states, or once anything else was asked for, it is asked for again.
  EXPECT_EQ(asked([&] { static_cast<void>(ends(*plant, end + 1, u)); }), 2U);
  plant->step(t, 1_ms, u);
  std::vector<double> g(plant->description().events.size());
  std::vector<double> x(plant->states().begin(), plant->states().end());
  x[0] += 1;
  EXPECT_EQ(asked([&] { plant->system().event_functions(end + 1e-3, x, u, g); }), 1U);
  plant->step(t + 1_ms, 1_ms, u);
  plant->system().set_parameter(0, 1.5);
  here->step(t, 1_ms, u);
  here->step(t + 1_ms, 1_ms, u);
  here->system().set_parameter(0, 1.5);
  EXPECT_EQ(ends(*plant, end + 2e-3, u), ends(*here, end + 2e-3, u));
}

TEST(Contain, PartitionsAreAdvancedToTheBitAsInThisProcess) {
  const auto* r = model::find_model("oscillator-line");
  const auto rates = model::by_rates({{&numerics::rk4, 10}, {&numerics::forward_euler, 1}});
  const auto here = r->make_multirate(rates);
  const auto own = in_its_own("oscillator-line", rates);
  EXPECT_EQ(own->method().name, here->method().name);
  EXPECT_EQ(own->method().passes, here->method().passes);
  const std::vector<double> u(r->description.inputs.size(), 1.0);
  for (SimTime t{}; t < SimTime{} + 20_ms; t += 1_ms) {
    own->step(t, 1_ms, u);
    here->step(t, 1_ms, u);
  }
  EXPECT_TRUE(std::ranges::equal(own->states(), here->states()));
  EXPECT_NE(here->states()[0], r->description.states[0].start);
}

TEST(Contain, EventsAreThoseOfThisProcess) {
  Rig own(in_its_own("bouncing-ball", &numerics::rk4), [](double) { return 0.0; });
  Rig here(model::find_model("bouncing-ball")->make(numerics::rk4), [](double) { return 0.0; });
  own.run(1500);
  here.run(1500);
  EXPECT_GT(here.statistics().state_events.get(), 0);
  EXPECT_EQ(own.statistics().state_events.get(), here.statistics().state_events.get());
  EXPECT_TRUE(std::ranges::equal(own.plant.states(), here.plant.states()));
}

/// x' = 1; what it does when x reaches 0.05 is its parameter.
struct Fragile {
  static constexpr std::string_view name = "fragile", summary = "breaks";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"how"}};
  using D = model::Data<Fragile>;
  enum { fine, crash, leave, hang, wait, nap };
  static void derivatives(double, D::X x, D::U, D::P p, D::DX dx) noexcept {
    dx[0] = 1;
    if (x[0] < 0.0495) return;
    const int how = static_cast<int>(p[0]);
    if (how == crash) {
      std::signal(SIGSEGV, SIG_DFL);                  // which sanitizers take for themselves
      *reinterpret_cast<volatile int*>(8 * how) = 0;  // NOLINT: no address
    }
    if (how == leave) ::_exit(3);
    if (how == hang) ::pause();
    if (how == wait) Gate::wait();
    if (how == nap) ::usleep(600'000);
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = 2 * x[0]; }
};
HILD_MODEL(Fragile);

class Broken : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Contain, Broken,
                         ::testing::Values(Fragile::crash, Fragile::leave, Fragile::hang));

// Half the run is as it should be; then states and outputs hold, every step is counted, and where
// that is asked for the run goes on to its end, with outputs disarmed.
TEST_P(Broken, TakesNothingDown) {
  auto made = in_its_own("fragile", &numerics::rk4, 2_s);
  made->system().set_parameter(0, GetParam());
  Rig rig(std::move(made), [](double) { return 0.0; });
  rig.settings.overrun.then = exec::LimitAction::carry_on;
  rig.settings.overrun.standstill = 20_ms;
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_GE(rig.sampler.disarms, 30);
  EXPECT_NEAR(rig.plant.states()[0], 0.05, 1.1e-3);
  EXPECT_NEAR(static_cast<double>(
                  rig.statistics().capped[static_cast<std::size_t>(io::Cap::late_answers)].get()),
              50, 1);
  std::array<double, 1> y{};
  rig.plant.outputs(0.1, std::array{0.0}, y);
  EXPECT_EQ(y[0], 2 * rig.plant.states()[0]);
}

/// Waits for as long as it takes the kernel; the virtual clock does not.
void expect_gone(int how, const std::string& words) {
  auto made = in_its_own("fragile", &numerics::rk4, 100_ms);
  model::Stepper& plant = *made;
  plant.system().set_parameter(0, how);
  plant.set_initial(std::array{0.0495});
  for (int tries = 0; tries < 12'000 && !plant.system().cap_counts()->gone; ++tries) {
    plant.step({}, 1_ms, std::array{0.0});
    ::usleep(5'000);
  }
  EXPECT_TRUE(plant.system().cap_counts()->owes);
  EXPECT_TRUE(plant.system().cap_counts()->gone);
  // What it held is let go a moment before it can be waited for.
  std::string endings;
  for (int tries = 0; tries < 12'000 && endings.empty(); ++tries, ::usleep(5'000)) {
    endings = contain::endings();
  }
  EXPECT_THAT(endings, ::testing::HasSubstr(words));
}

TEST(Contain, AProcessThatEndedIsSeenToHave) {
  expect_gone(Fragile::crash, "the model's process was ended by signal 11");
  expect_gone(Fragile::leave, "the model's process ended by itself, exit code 3");
  EXPECT_EQ(contain::endings(), "") << "those that are held no more are not told of";
}

TEST(Contain, AProcessThatOnlyOwesIsNotGone) {
  auto made = in_its_own("fragile", &numerics::rk4, 100_ms);
  model::Stepper& plant = *made;
  plant.system().set_parameter(0, Fragile::hang);
  plant.set_initial(std::array{0.0495});
  plant.step({}, 1_ms, std::array{0.0});
  EXPECT_TRUE(plant.system().cap_counts()->owes);
  EXPECT_FALSE(plant.system().cap_counts()->gone);
  EXPECT_EQ(contain::endings(), "");
}

TEST(Contain, GoesOnFromWhatWasHeldWhenTheAnswerComes) {
  Gate held;
  auto made = in_its_own("fragile", &numerics::forward_euler, 1_s);
  model::Stepper& plant = *made;
  plant.system().set_parameter(0, Fragile::wait);
  plant.set_initial(std::array{0.0495});
  plant.step({}, 1_ms, std::array{0.0});
  EXPECT_EQ(plant.states()[0], 0.0495);
  EXPECT_EQ(plant.system().cap_counts()->late_answers, 1);
  EXPECT_TRUE(plant.system().cap_counts()->owes);
  plant.system().set_parameter(0, Fragile::fine);  // while it cannot be told
  plant.step({}, 1_ms, std::array{0.0});
  EXPECT_EQ(plant.states()[0], 0.0495);
  held.open();
  // As many steps as it takes until it is back: none of them moves the state.
  while (plant.states()[0] == 0.0495) plant.step({}, 1_ms, std::array{0.0});
  EXPECT_NEAR(plant.states()[0], 0.0505, 1e-15);
  EXPECT_FALSE(plant.system().cap_counts()->owes);
  EXPECT_EQ(plant.system().parameter(0), Fragile::fine);
}

// As at the start of a run on a busy machine: what was set before is in force only after a reset.
TEST(Contain, AResetThatCouldNotBeToldIsMadeUpFor) {
  Gate held;
  auto made = in_its_own("fragile", &numerics::forward_euler, 1_s);
  model::Stepper& plant = *made;
  plant.system().set_parameter(0, Fragile::wait);
  plant.set_initial(std::array{0.01});
  plant.set_states(std::array{0.0495});
  plant.step({}, 1_ms, std::array{0.0});
  ASSERT_TRUE(plant.system().cap_counts()->owes);
  plant.system().set_parameter(0, Fragile::fine);
  plant.reset();
  held.open();
  while (plant.system().cap_counts()->owes) plant.step({}, 1_ms, std::array{0.0});
  EXPECT_NEAR(plant.states()[0], 0.011, 1e-15) << "one step from the start";
}

// Four passes of 600 ms, each in time by itself.
TEST(Contain, AStepWaitsForOneTimeInAll) {
  auto made = in_its_own("fragile", &numerics::rk4, 1000_ms);
  model::Stepper& plant = *made;
  plant.system().set_parameter(0, Fragile::nap);
  plant.set_initial(std::array{0.0495});
  plant.step({}, 1_ms, std::array{0.0});
  EXPECT_EQ(plant.system().cap_counts()->late_answers, 1);
  EXPECT_EQ(plant.states()[0], 0.0495);
}

/// Its output is what the kernel is told of its process, for when memory runs out.
struct Score {
  static constexpr std::string_view name = "score", summary = "oom_score_adj";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Score>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X, D::U, D::P, D::Y y) noexcept {
    std::ifstream("/proc/self/oom_score_adj") >> y[0];
  }
};

HILD_MODEL(Score);

// A leak ends the model's process and no other: not hild, from which it would inherit -900.
TEST(Contain, TheModelsProcessGoesFirstWhenMemoryRunsOut) {
  std::array<double, 1> there{};
  std::array<double, 1> here{};
  in_its_own("score", &numerics::rk4)->outputs(0, std::array{0.0}, there);
  model::make_stepper<Score>(numerics::rk4)->outputs(0, std::array{0.0}, here);
  EXPECT_EQ(there[0], 1000);
  EXPECT_LT(here[0], 1000);
}

/// How its process is scheduled.
struct Rank {
  static constexpr std::string_view name = "rank", summary = "its own policy and priority";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"policy"}, model::Output{"priority"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Rank>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 0; }
  static void outputs_of(double, D::X, D::U, D::P, D::Y y) noexcept {
    sched_param has{};
    y[0] = ::sched_getscheduler(0);
    y[1] = ::sched_getparam(0, &has) == 0 ? has.sched_priority : -1;
  }
};

HILD_MODEL(Rank);

// Also where this process may give a priority and not raise the limit of another.
TEST(Contain, TheModelsProcessHasThePriorityThatItIsGiven) {
  const sched_param low{.sched_priority = 1};
  if (::sched_setscheduler(0, SCHED_FIFO, &low) != 0) GTEST_SKIP() << "no right to SCHED_FIFO";
  const sched_param ordinary{.sched_priority = 0};
  ::sched_setscheduler(0, SCHED_OTHER, &ordinary);
  std::array<double, 2> is{};
  auto plant = try_own("rank", &numerics::rk4, {.answer_within = 20_s, .priority = 2});
  ASSERT_TRUE(plant) << plant.error().message;
  (*plant)->outputs(0, std::array{0.0}, is);
  EXPECT_EQ(is[0], SCHED_FIFO);
  EXPECT_EQ(is[1], 2);
  auto without = try_own("rank", &numerics::rk4, {.answer_within = 20_s});
  ASSERT_TRUE(without) << without.error().message;
  (*without)->outputs(0, std::array{0.0}, is);
  EXPECT_EQ(is[0], SCHED_OTHER);
}

/// Wears with every event, which is what one of its parameters tells.
struct Worn {
  static constexpr std::string_view name = "worn", summary = "an event changes a parameter";
  static constexpr std::array states{model::State{"x"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array parameters{model::Parameter{"wear", "1", 0.5},
                                         model::Parameter{"other", "1", 7}};
  static constexpr std::array events{model::Event{"turn"}};
  using D = model::Data<Worn>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept { dx[0] = 1; }
  static void outputs_of(double, D::X, D::U, D::P p, D::Y y) noexcept { y[0] = p[0]; }
  static void event_functions(double, D::X x, D::U, D::P, std::span<double, 1> g) noexcept {
    g[0] = 1 - x[0];
  }
  static void on_event(std::size_t, double, D::NewX x, D::U, D::NewP p) noexcept {
    x[0] = 0;
    p[0] += 1;
  }
};

HILD_MODEL(Worn);

// What is told of a parameter is what the model has, and what is saved with it.
TEST(Contain, ParametersThatAnEventChangesAreKnown) {
  const auto plant = in_its_own("worn", &numerics::rk4);
  model::System& system = plant->system();
  EXPECT_EQ(system.parameter(0), 0.5);
  std::array<double, 1> x{1};
  system.on_event(0, 1, x, std::array{0.0});
  EXPECT_EQ(x[0], 0);
  EXPECT_EQ(system.parameter(0), 1.5);
  EXPECT_EQ(system.parameter(1), 7);
  system.set_parameter(0, 3);
  system.on_event(0, 2, x, std::array{0.0});
  EXPECT_EQ(system.parameter(0), 4);
}

/// What becomes of a model that does not come up.
template <int how>
std::unique_ptr<model::Stepper> stillborn(const numerics::Method&) {
  if (how == 0) ::_exit(5);
  if (how == 1) std::abort();
  throw std::runtime_error("not today");
}
template <int how>
const model::Registration& registration_of_stillborn(const char* name) {
  static model::Registration r{model::describe<Fragile>(), nullptr, &stillborn<how>};
  r.description.name = name;
  model::register_model(r);
  return r;
}
const auto& born_exit = registration_of_stillborn<0>("stillborn-exit");
const auto& born_abort = registration_of_stillborn<1>("stillborn-abort");
const auto& born_throw = registration_of_stillborn<2>("stillborn-throw");

TEST(Contain, AModelThatDoesNotComeUpIsAnError) {
  for (const auto& [r, why] :
       {std::pair{&born_exit, "it ended, exit code 5"},
        std::pair{&born_abort, "it was ended by signal 6"}, std::pair{&born_throw, "not today"}}) {
    const auto made = contain::contained(contain::ModelSource::built_in(*r), &numerics::rk4, {});
    ASSERT_FALSE(made);
    EXPECT_THAT(made.error().message, ::testing::HasSubstr("did not come up"));
    EXPECT_THAT(made.error().message, ::testing::HasSubstr(why));
  }
}

}  // namespace
}  // namespace hild::testing
