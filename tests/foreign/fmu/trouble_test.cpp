// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs that misbehave: a run with them is bounded, or ends.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cfenv>
#include <cmath>

#include "foreign/fmu/altered.hpp"
#include "foreign/fmu/fmus.hpp"
#include "foreign/fmu/messages.hpp"
#include "hild/numerics/float_control.hpp"

namespace hild::testing {
namespace {

// As sources/trouble.h counts them.
enum Kind {
  none,
  endless_events,
  not_a_number,
  crash,
  leave,
  nap,
  allocate,
  chat,
  rounding,
  discard,
  zeno,
  wrong_slope,
  growth,
  chatter,
  hang,
  ask_event,
  end_update,
  end_step,
  share,
  exponential,
  rounding_early
};

class Trouble : public OfVersion {
 protected:
  std::unique_ptr<model::Stepper> plant(Kind kind, const fmi::Caps& caps = {}) {
    auto loaded = fmu::load(fmu_file("trouble", GetParam()), {.caps = caps});
    EXPECT_TRUE(loaded) << loaded.error().message;
    auto made = loaded->make(numerics::rk4);
    made->system().set_parameter(0, kind);
    made->set_initial(std::array{0.0});
    return made;
  }
  static std::int64_t capped(const Rig& rig, io::Cap cap) {
    return rig.statistics().capped[static_cast<std::size_t>(cap)].get();
  }
  static double nothing(double /*t*/) { return 0.0; }
};
INSTANTIATE_TEST_SUITE_P(Fmi, Trouble, ::testing::Values(2, 3));

TEST_P(Trouble, NoneGoesThrough) {
  Rig rig(plant(none), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
  EXPECT_EQ(rig.statistics().state_events.get(), 1);
}

TEST_P(Trouble, EndlessEventIterationIsCapped) {
  Rig rig(plant(endless_events), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
  // The one event, at 0.1 s, and in its step alone.
  EXPECT_EQ(capped(rig, io::Cap::event_iterations), 1);
  int steps = 0;
  for (const auto& r : rig.records) steps += r.capped != 0 ? 1 : 0;
  EXPECT_EQ(steps, 1);
}

TEST_P(Trouble, ACapMayEndTheRun) {
  fmi::Caps caps;
  caps.event_iterations.stop = true;
  Rig rig(plant(endless_events, caps), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 100, 2);
  ASSERT_NE(outcome.function, nullptr);
  EXPECT_EQ(std::string_view(outcome.function).find("update discrete states"), 0U);
  EXPECT_TRUE(outcome.safe);
}

/// x' = 1e-308, less than the smallest normal number: nothing, where such numbers are flushed to
/// zero. z' = 1/3, whose sums depend on the rounding.
struct Faint {
  static constexpr std::string_view name = "faint", summary = "small numbers";
  static constexpr std::array states{model::State{"x"}, model::State{"z"}};
  static constexpr std::array inputs{model::Input{"u"}};
  static constexpr std::array outputs{model::Output{"y"}};
  static constexpr std::array<model::Parameter, 0> parameters{};
  using D = model::Data<Faint>;
  static void derivatives(double, D::X, D::U, D::P, D::DX dx) noexcept {
    dx[0] = 1e-308;
    dx[1] = 1.0 / 3;
  }
  static void outputs_of(double, D::X x, D::U, D::P, D::Y y) noexcept { y[0] = x[0]; }
};

// Its library changes flushing when it is loaded, and from 0.05 s on it and the rounding in a call.
TEST_P(Trouble, LeavesTheFloatingPointControlAsItWas) {
  const auto alone = model::make_stepper<Faint>(numerics::forward_euler);
  for (SimTime t{}; t < SimTime{} + 100_ms; t += 1_ms) alone->step(t, 1_ms, std::array{0.0});
  EXPECT_GT(alone->states()[0], 0);

  const long loading = numerics::FloatControl::put_back_here();
  const auto made = plant(rounding);
  EXPECT_GT(numerics::FloatControl::put_back_here(), loading);
  const auto other = model::make_stepper<Faint>(numerics::forward_euler);
  const long before = numerics::FloatControl::put_back_here();
  for (SimTime t{}; t < SimTime{} + 100_ms; t += 1_ms) {
    made->step(t, 1_ms, {});
    other->step(t, 1_ms, std::array{0.0});
  }
  EXPECT_EQ(other->states()[0], alone->states()[0]);
  EXPECT_EQ(other->states()[1], alone->states()[1]);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  // In every evaluation from 0.05 s on, of which there are four a step.
  EXPECT_GE(numerics::FloatControl::put_back_here() - before, 4 * 49);
}

// From 0.05 s on it rounds upward from the first call of an evaluation on; what it computes itself
// is exact in any rounding. hild forms the states it is shown, and sums up what it says, as ever.
TEST_P(Trouble, RoundsNothingThatIsComputedForIt) {
  const auto usual = plant(exponential), early = plant(rounding_early);
  for (const auto* made : {&usual, &early}) {
    (*made)->set_initial(std::array{1.0 / 3});
    (*made)->reset();
  }
  const long before = numerics::FloatControl::put_back_here();
  for (SimTime t{}; t < SimTime{} + 100_ms; t += 1_ms) {
    usual->step(t, 1_ms, {});
    early->step(t, 1_ms, {});
    EXPECT_EQ(early->states()[0], usual->states()[0]) << seconds(t);
  }
  // x' = 512 x, so that the last digit of a state between counts: RK-4 multiplies by so much a
  // step.
  const double z = 0.512, growth = 1 + z + z * z / 2 + z * z * z / 6 + z * z * z * z / 24;
  EXPECT_NEAR(usual->states()[0] / (std::pow(growth, 100) / 3), 1, 1e-12);
  // It is told the time where that has changed, twice a step.
  EXPECT_GE(numerics::FloatControl::put_back_here() - before, 2 * 49);
}

TEST_P(Trouble, FixedParametersAreRefusedWhileRunning) {
  const auto made = plant(none);
  EXPECT_FALSE(made->description().parameters[0].tunable);
}

TEST_P(Trouble, TimeEventsThatDoNotAdvanceAreBounded) {
  Rig rig(plant(zeno), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.2, 1e-12);
  EXPECT_LE(rig.statistics().time_events.get(), 4 * 200);
  EXPECT_GT(rig.statistics().time_events.get(), 0);
  // From 0.05 s on every event asks for another at once, and every frame has more than it may.
  EXPECT_GE(capped(rig, io::Cap::zero_advance), 149);
  EXPECT_GE(capped(rig, io::Cap::time_events), 149);
}

// x' = 1 below 0.1 and -1 above: from 0.1 s on each step brings it across, and back.
TEST_P(Trouble, ChatterIsBounded) {
  Rig rig(plant(chatter), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 0.1, 1e-3);
  const auto events = rig.statistics().state_events.get();
  EXPECT_GE(events, 99);
  EXPECT_LE(events, 100 * rig.settings.max_events);
}

TEST_P(Trouble, WhatIsNoNumberEndsTheRun) {
  Rig rig(plant(not_a_number), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::model_fault);
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 50, 2);
}

TEST_P(Trouble, ACallThatFailsEndsTheRun) {
  Rig rig(plant(discard), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  ASSERT_NE(outcome.function, nullptr);
  EXPECT_STREQ(outcome.function, "get derivatives");
}

// Of 3.0 alone: sizes are those of the load.
TEST(Growth, IsAFault) {
  const auto loaded = load_fmu("trouble", 3);
  auto plant = loaded.make(numerics::rk4);
  plant->system().set_parameter(0, growth);
  plant->set_initial(std::array{0.0});
  Rig rig(std::move(plant), [](double) { return 0.0; });
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  ASSERT_NE(outcome.function, nullptr);
  EXPECT_STREQ(outcome.function, "get number of states (it is not what it was at load)");
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 100, 2);  // at its one event
}

// Its steps end with a wish for event mode from 0.05 s on, where x is raised by 1, once.
TEST_P(Trouble, EventModeIsEnteredWhereAStepAsksForIt) {
  Rig rig(plant(ask_event), nothing);
  EXPECT_EQ(rig.run(200).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 1.2, 1e-12);
}

TEST_P(Trouble, MayAskToTerminateInAnEvent) {
  Rig rig(plant(end_update), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_STREQ(outcome.function, "update discrete states (it asks to terminate)");
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 100, 2);  // at its one event
}

TEST_P(Trouble, MayAskToTerminateAtTheEndOfAStep) {
  Rig rig(plant(end_step), nothing);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_STREQ(outcome.function, "completed integrator step (it asks to terminate)");
  EXPECT_NEAR(static_cast<double>(rig.records.size()), 50, 2);
}

// Each plant has a binary of its own: this one bears one instance alone.
TEST_P(Trouble, OncePerProcessStillGivesTwoPlants) {
  const auto loaded = load_fmu("trouble", GetParam());
  const auto one = loaded.make(numerics::rk4);
  const auto two = loaded.make(numerics::rk4);
  one->step({}, 10_ms, {});
  EXPECT_NE(one->states()[0], two->states()[0]);
}

// Each in a process of its own, as under `process: own`, from what was found once: there is one in
// each, which it is opened for, and nothing to write.
TEST_P(Trouble, OncePerProcessGivesOneInEveryProcess) {
  const auto there = fmu::unpacked(fmu_file("trouble", GetParam()));
  ASSERT_TRUE(there) << there.error().message;
  const auto here = load_fmu("trouble", GetParam());
  const auto& states = here.description.states;
  const fmu::Found found{.states = {states.begin(), states.end()}, .jacobian = {}};
  std::vector<std::byte> said(fmu::Messages::bytes());
  for (int n = 0; n < 8; ++n) {
    const pid_t child = ::fork();
    if (child == 0) {
      const rlimit none{0, 0};
      ::setrlimit(RLIMIT_FSIZE, &none);
      const auto opened = fmu::open_unpacked(there->folder->path(), {}, said, &found);
      if (!opened) ::_exit(1);
      const auto plant = opened->make(numerics::rk4);
      plant->step({}, 10_ms, {});
      ::_exit(plant->states()[0] > 0.009 ? 0 : 2);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << n << ": " << status;
  }
}

// What was found belongs to its states, and to values that a state may have.
TEST(Unpacked, TakesOnlyWhatItsDescriptionHasRoomFor) {
  auto there = fmu::unpacked(fmu_file("van_der_pol", 3));
  ASSERT_TRUE(there) << there.error().message;
  EXPECT_FALSE(there->take({}));
  const std::size_t n = there->description().states.size();
  fmu::Found found;
  found.states.resize(n, model::State{.name = "", .start = 2, .nominal = 0});
  EXPECT_TRUE(there->take(found));
  EXPECT_EQ(there->description().states[0].start, 2);
  EXPECT_EQ(there->description().states[0].nominal, 1);
  found.states[0].start = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(there->take(found));
}

// An FMU that keeps to itself that it bears one.
TEST_P(Trouble, ASecondInstanceMayBeRefused) {
  const Archive archive;
  archive.copy("trouble", GetParam());
  archive.add("modelDescription.xml", with(description_of("trouble", GetParam()),
                                           "canBeInstantiatedOnlyOncePerProcess=\"true\"", ""));
  const auto loaded = fmu::load(archive.path());
  ASSERT_TRUE(loaded) << loaded.error().message;  // which took the one
  try {
    (void)loaded->make(numerics::rk4);
    ADD_FAILURE() << "there are two";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "FMU trouble: it refuses to be instantiated: one instance is there");
  }
}

}  // namespace
}  // namespace hild::testing
