// SPDX-License-Identifier: Apache-2.0
/// \file
/// The verdict on a plan: refused on the median, warned about on the p99, and what else a machine
/// gives reason to warn about. The costs and the machine are made up.
#include "config/plan/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hild/numerics/methods.hpp"

namespace hild::plan {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr Costs light{.wake = 20_us, .io = 10_us, .pass = 30_us, .outputs = 5_us};
constexpr Machine unthrottled{.rt_share = 1, .preempt_rt = false};
constexpr Machine usual{.rt_share = 0.95, .preempt_rt = false};
constexpr Machine fair_served{.rt_share = 0.975, .fair_server = true, .preempt_rt = false};

/// RTAM-2 under stage sampling at 1 kHz, with more settings.
Assembly motor(const std::vector<config::Setting>& settings = {}) {
  auto config = config::load_text(
      "frame: {period: 1 ms}\n"
      "model: {type: dc-motor}\n"
      "integrator: {method: rtam-2, sampling: stage}\n",
      "motor.yaml", settings);
  EXPECT_TRUE(config) << config.error().message;
  return assemble(std::move(*config));
}

Plan plan_of(const Assembly& assembly, Measured measured, Machine machine = unthrottled) {
  return make_plan(assembly, measured, machine);
}

TEST(Plan, ThatFitsHasNothingToSay) {
  const Assembly a = motor();
  const Plan plan = plan_of(a, {light, light});
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(plan.warnings, IsEmpty());
  EXPECT_EQ(plan.model, "dc-motor");
  EXPECT_TRUE(plan.compiled_together);
  EXPECT_EQ(plan.nodes, (std::vector{0.0, 0.5}));
  EXPECT_EQ(plan.frame(), Duration(1_ms));
  EXPECT_THAT(to_text(plan), HasSubstr("The plan fits."));
}

// The last pass of ODE45 is released at 4/5 of the step, its only sample taken at the tick.
TEST(Plan, TellsWhichDenseOutputsAreAStepLate) {
  const auto words = [](const char* sampling) {
    const Assembly a = motor({{"integrator.method", "ode-45"},
                              {"integrator.sampling", sampling},
                              {"integrator.dense_outputs", "[0.5, 0.9]"}});
    return to_text(plan_of(a, {light, light}));
  };
  EXPECT_THAT(words("stage"), HasSubstr("at t + 0.5 h (a step late), 0.9 h\n"));
  EXPECT_THAT(words("frame"), HasSubstr("at t + 0.5 h, 0.9 h\n"));
}

// A pass at a later node wants another input than that of the tick. AB-4 has none, but RK-4 begins
// for it.
TEST(Plan, TellsWhatHeldInputsCostTheMethod) {
  const auto words = [](const char* method, const char* sampling, const char* input) {
    const Assembly a = motor({{"integrator.method", method},
                              {"integrator.sampling", sampling},
                              {"devices.d.driver", "sim"},
                              {"inputs.armature_voltage", input}});
    return to_text(plan_of(a, {light, light}));
  };
  const char* const sampled = "{device: d, channel: 0}";
  const std::string first = "an error of first order: see sampling: ";
  EXPECT_THAT(words("rtrk-4", "frame", sampled), HasSubstr(first + "stage\n"));
  EXPECT_THAT(words("rk-4", "frame", sampled), HasSubstr(first + "extrapolate\n"));
  EXPECT_THAT(words("ab-4", "frame", sampled),
              AllOf(HasSubstr("held in the first 3 steps, "), Not(HasSubstr(first))));
  EXPECT_THAT(words("ab-2", "stage", sampled), Not(HasSubstr("leave an error")));
  EXPECT_THAT(words("rtrk-4", "stage", sampled), Not(HasSubstr("leave an error")));
  EXPECT_THAT(words("rtrk-4", "frame", "{value: 1 V}"), Not(HasSubstr("leave an error")));
  EXPECT_THAT(words("forward-euler", "frame", sampled), Not(HasSubstr("leave an error")));
}

// Work ends 20 + 10 + 500 + 10 + 30 + 5 = 575 us after the tick; 425 us less a guard of 5.
TEST(Plan, WarnsOfExternalEventsThatNeverFit) {
  Measured m{light, light};
  m.events[static_cast<std::size_t>(exec::EventClass::restore)] = {300_us, 121_us};
  m.events[static_cast<std::size_t>(exec::EventClass::mark)] = {300_us, 120_us};
  const Plan plan = plan_of(motor(), m);
  EXPECT_THAT(plan.warnings, ElementsAre(AllOf(HasSubstr("class restore take 421.0 us"),
                                               HasSubstr("the 420.0 us of slack"))));
}

// At the median the work ends at 20 + 10 + 500 + 10 + 460 + 5 = 1005 us, at the p99 where it
// should.
TEST(Plan, IsRefusedOnTheMedianWithTheNumbers) {
  Costs slow = light;
  slow.pass = 460_us;
  const Assembly a = motor();
  const Plan plan = plan_of(a, {slow, light});
  ASSERT_TRUE(plan.refusal);
  EXPECT_EQ(plan.refusal->code, ExitCode::fault) << "another time it may fit";
  EXPECT_THAT(
      plan.refusal->message,
      AllOf(HasSubstr("at the median"), HasSubstr("wake 20.0 us"), HasSubstr("device 10.0 us"),
            HasSubstr("2 passes of 460.0 us"), HasSubstr("1005.0 us"),
            HasSubstr("a frame of 1000.0 us"), HasSubstr("frame.period")));
  EXPECT_THAT(to_text(plan), HasSubstr("REFUSED: "));
  EXPECT_THAT(to_json(plan), AllOf(HasSubstr("\"feasible\":false"), HasSubstr("\"refusal\":")));
}

TEST(Plan, ThatEndsExactlyWithTheFrameFits) {
  Costs exact = light;
  exact.pass = 455_us;
  const Assembly a = motor();
  const Plan plan = plan_of(a, {exact, exact});
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(plan.warnings, Not(Contains(HasSubstr("p99"))));
}

TEST(Plan, IsWarnedAboutOnTheP99) {
  Costs rare = light;
  rare.wake = 600_us;
  const Assembly a = motor();
  const Plan plan = plan_of(a, {light, rare});
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(plan.warnings, ElementsAre(AllOf(HasSubstr("one frame in a hundred"),
                                               HasSubstr("at the p99, wake 600.0 us"))));
}

// 2 * 420 + 2 * 10 + 5 = 865 us of work: it fits, and is beyond 80 %.
TEST(Plan, BeyondTheBudgetIsWarnedAbout) {
  Costs busy = light;
  busy.pass = 420_us;
  const Assembly a = motor();
  EXPECT_THAT(plan_of(a, {busy, busy}).warnings,
              ElementsAre(HasSubstr("utilisation 86.5 % exceeds the budget of 80 %")));
  const Assembly generous = motor({{"budget.utilisation", "90 %"}});
  EXPECT_THAT(plan_of(generous, {busy, busy}).warnings, IsEmpty());
}

// RTAM-4 starts with RTRK-4, whose fifth pass is released at 800 us.
TEST(Plan, WarnsOfAStarterThatDoesNotFit) {
  const Assembly a = motor({{"integrator.method", "rtam-4"}});
  Costs slow = light;
  slow.pass = 180_us;
  const Plan plan = plan_of(a, {slow, slow});
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(plan.warnings, ElementsAre(AllOf(HasSubstr("the first 3 steps"), HasSubstr("rtrk-4"),
                                               HasSubstr("will overrun"), HasSubstr("1025.0 us"))));
}

TEST(Plan, WithoutMeasurementIsOnlyValidated) {
  const Assembly a = motor({{"frame.period", "1 us"}});
  const Plan plan = make_plan(a, std::nullopt, unthrottled);
  EXPECT_FALSE(plan.refusal);
  EXPECT_THAT(to_text(plan),
              AllOf(HasSubstr("not measured"), HasSubstr("The configuration is valid.")));
  EXPECT_THAT(to_json(plan), Not(HasSubstr("measured")));
}

const auto throttling = HasSubstr("sched_rt_runtime_us");

TEST(Plan, WarnsWhenTheKernelWouldThrottleASpinningThread) {
  const Assembly spin = motor({{"frame.clock", "spin"}});
  EXPECT_THAT(plan_of(spin, {light, light}, usual).warnings,
              ElementsAre(AllOf(throttling, HasSubstr("clock spin"), HasSubstr("100 %"),
                                HasSubstr("beyond 95 %"))));
  EXPECT_THAT(plan_of(spin, {light, light}, unthrottled).warnings, IsEmpty());
  const Assembly ordinary = motor({{"frame.clock", "spin"}, {"frame.priority", "0"}});
  EXPECT_THAT(plan_of(ordinary, {light, light}, usual).warnings, IsEmpty());
  EXPECT_THAT(plan_of(motor(), {light, light}, usual).warnings, IsEmpty());
}

TEST(Plan, NamesTheFairServerThatTakesTimeFromASpinningThread) {
  const Assembly bound = motor({{"frame.clock", "spin"}, {"frame.cpu", "0"}});
  EXPECT_THAT(plan_of(bound, {light, light}, fair_served).warnings,
              ElementsAre(AllOf(HasSubstr("ordinary threads that wait 2.5 % of the time"),
                                HasSubstr("fair_server/cpu0/runtime"), Not(throttling))));
  const Assembly anywhere = motor({{"frame.clock", "spin"}});
  EXPECT_THAT(plan_of(anywhere, {light, light}, fair_served).warnings,
              ElementsAre(HasSubstr("fair_server/cpuN/runtime")));
  EXPECT_THAT(plan_of(motor(), {light, light}, fair_served).warnings, IsEmpty());
  Machine unread = fair_served;
  unread.share_known = false;
  EXPECT_THAT(
      plan_of(bound, {light, light}, unread).warnings,
      ElementsAre(AllOf(HasSubstr("may give ordinary threads"), HasSubstr("only root can read"),
                        HasSubstr("overrun whenever one waits"))));
}

// Work 85 us of 1000 and a margin: 940 us make 102.5 %, 800 us make 88.5 %.
TEST(Plan, WarnsOfAMarginThatSpinsTooLong) {
  const auto with_margin = [](const char* margin) {
    const Assembly a = motor({{"frame.clock", "sleep+spin"}, {"frame.margin", margin}});
    return plan_of(a, {light, light}, usual).warnings;
  };
  EXPECT_THAT(with_margin("940 us"), ElementsAre(throttling));
  EXPECT_THAT(with_margin("800 us"), IsEmpty());
}

TEST(Plan, WarnsOfWorkAloneBeyondTheShare) {
  const Assembly a = motor({{"integrator.sampling", "frame"}, {"budget.utilisation", "100 %"}});
  Costs busy = light;
  busy.pass = 475_us;  // 2 * 475 + 10 + 5 = 965 us
  EXPECT_THAT(plan_of(a, {busy, busy}, usual).warnings, ElementsAre(throttling));
  busy.pass = 460_us;  // 935 us
  EXPECT_THAT(plan_of(a, {busy, busy}, usual).warnings, IsEmpty());
}

TEST(Plan, WarnsOfTimerfdOnPreemptRt) {
  constexpr Machine realtime{.rt_share = 1, .preempt_rt = true};
  const Assembly a = motor({{"frame.clock", "timerfd"}});
  EXPECT_THAT(plan_of(a, {light, light}, realtime).warnings,
              ElementsAre(AllOf(HasSubstr("timerfd"), HasSubstr("ktimers"))));
  EXPECT_THAT(plan_of(a, {light, light}, unthrottled).warnings, IsEmpty());
  EXPECT_THAT(plan_of(motor(), {light, light}, realtime).warnings, IsEmpty());
}

// The second plant is like the first: parameters and initial states of the configuration.
TEST(Assembly, MakesAnotherPlantLikeTheFirst) {
  const Assembly a =
      motor({{"model.parameters.inertia", "0.5 kg m2"}, {"model.initial.speed", "7 rad/s"}});
  const auto other = a.another_plant();
  ASSERT_NE(other.get(), a.plant.get());
  EXPECT_EQ(a.plant->system().parameter(3), 0.5);
  EXPECT_EQ(other->system().parameter(3), 0.5);
  EXPECT_EQ(other->states()[1], 7);
  EXPECT_EQ(&other->method(), &numerics::rtam2);
}

TEST(Assembly, TellsTheLoopOfEveryInput) {
  const Assembly a = motor({{"inputs.load_torque.value", "0.25 N m"}});
  rt::VirtualClock clock;
  exec::ExternalEvents events;
  rt::SlotRing ring(64, 2);
  const exec::Parts parts = a.parts(clock, *a.bus, events, ring);
  EXPECT_EQ(&parts.plant, a.plant.get());
  EXPECT_EQ(parts.start_inputs, (std::vector{0.0, 0.25}));
  EXPECT_EQ(parts.inputs.size(), 2U);
}

// On a virtual clock that only sleeping moves, all work is free and every wake is in time.
TEST(Rehearsal, MeasuresByTheClockItIsGiven) {
  const Assembly a = motor();
  rt::VirtualClock clock;
  const Measured m = rehearse(*a.another_plant(), nullptr, clock, 1_ms, false);
  for (const Costs& c : {m.median, m.p99}) {
    EXPECT_EQ(c.wake, Duration{});
    EXPECT_EQ(c.pass, Duration{});
    EXPECT_EQ(c.io, Duration{});
    EXPECT_EQ(c.outputs, Duration{});
  }
  EXPECT_EQ(clock.sleeps(), 100);
}

// Whoever may read a run may have an image of it made in the worst of frames.
TEST(Plan, CountsAnImageForReadersInEveryFrame) {
  Measured m;
  m.median.pass = m.p99.pass = 10_us;
  m.median.images = m.p99.images = 30_us;
  const Assembly served = motor({{"control.http", "127.0.0.1:0"}});
  const Plan plan = make_plan(served, m, {});
  Measured free = m;
  free.median.images = {};
  EXPECT_EQ(finish(plan.shape, m.median, 1_ms),
            finish(plan.shape, free.median, 1_ms) + Duration(30_us));
  EXPECT_NEAR(utilisation(plan.shape, m.median, 1_ms),
              utilisation(plan.shape, free.median, 1_ms) + 0.03, 1e-12);
  EXPECT_THAT(to_text(plan), HasSubstr("images, at most"));
  EXPECT_THAT(to_json(plan), HasSubstr("\"images_us\""));
  EXPECT_THAT(to_text(make_plan(motor(), m, {})), Not(HasSubstr("images, at most")));
}

TEST(Rehearsal, LeavesThePlantAsItWas) {
  const Assembly a = motor({{"model.initial.speed", "7 rad/s"}});
  rt::VirtualClock clock;
  const auto plant = a.another_plant();
  static_cast<void>(rehearse(*plant, nullptr, clock, 1_ms, false));
  EXPECT_EQ(plant->states()[0], 0);
  EXPECT_EQ(plant->states()[1], 7);
}

}  // namespace
}  // namespace hild::plan
