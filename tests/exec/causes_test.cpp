// SPDX-License-Identifier: Apache-2.0
/// \file
/// An overrun of each cause that one clock can tell, brought about by scripted costs, and its name.
/// Those that only the kernel knows: tests/recording/record/attribution_test.cpp.
#include <gtest/gtest.h>

#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using io::Cause;

/// The late steps of a run, each with its cause.
template <class Records>
std::map<std::int64_t, Cause> late_in(const Records& records) {
  std::map<std::int64_t, Cause> late;
  for (const io::FrameHeader& h : records) {
    if (h.lateness.ns > 0) late[h.step] = h.cause;
  }
  return late;
}
using Late = std::map<std::int64_t, Cause>;

TEST(Causes, APassThatTakesLong) {
  Rig rig;
  rig.plant.extra[5] = 1'100_us;
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::pass}}));
}

TEST(Causes, ADeviceCallThatTakesLong) {
  Rig rig;
  rig.sampler.on_call = [&](int call) { rig.sampler.cost = call == 6 ? 1'100_us : Duration{}; };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::device}}));
}

// Dropped from 1 m under 10 m/s2 the ball meets the floor after sqrt(0.2) s: in frame 447.
TEST(Causes, AStateEventWhoseActionTakesLong) {
  Rig rig(model::make_stepper<Ball>(numerics::rk4), [](double) { return 0.0; });
  rig.plant.costs.event_cost = 1'100_us;
  rig.run(460);
  EXPECT_EQ(late_in(rig.records), (Late{{447, Cause::state_event}}));
}

// Posted in step 2, prepared in the slack after it, committed at the start of step 3: nobody could
// know that it would take so long.
TEST(Causes, AnExternalEventWhoseCommitTakesLong) {
  Rig rig;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 2) {
      rig.plant.costs.set_cost = 1'100_us;
      exec::Transaction t;
      t.add(exec::SetParameter{0, 5.0});
      EXPECT_EQ(rig.events.submit(t), exec::Refusal::none);
    }
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{3, Cause::external_event}}));
}

// Passes of 70 us; under rtrk-2 two, the second at half of the step, each after a device call:
// calls 2 n + 1 and 2 n + 2 are those of step n.
struct Releases : Rig {
  explicit Releases(const numerics::Method& method = numerics::rtrk2) : Rig(method) {
    settings.sampling = exec::Sampling::stage;
    plant.pass_cost = 70_us;
  }
  Duration phase(std::size_t step, io::Phase p) const {
    return records[step].phases[static_cast<std::size_t>(p)];
  }
};
constexpr int at_tick_of_5 = 11;
constexpr int at_release_of_5 = 12;

// Woken at 6.2 instead of 5.5.
TEST(Causes, ALateWakeAtARelease) {
  Releases rig;
  rig.sampler.on_call = [&](int call) {
    if (call == at_tick_of_5) rig.clock.delay_next_wake(700_us);
  };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::late_wake}}));
  EXPECT_EQ(rig.phase(5, io::Phase::wait), 430_us) << "from 5.07 to the release";
  EXPECT_EQ(rig.phase(5, io::Phase::wake), 700_us) << "and on to when it woke";
  EXPECT_TRUE(rig.records[5].late_wake);
}

TEST(Causes, ALateWakeForAnOutputWithinTheStep) {
  Rig rig(numerics::ode45);
  rig.settings.dense_outputs = {0.5};
  rig.plant.pass_cost = 70_us;
  rig.plant.extra_of = [&](std::int64_t step) {
    if (step == 5) rig.clock.delay_next_wake(700_us);
    return Duration{};
  };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::late_wake}}));
}

// Woken 0.3 late for tick 5, which the release at 5.5 makes good; the device call there does not
// end before 6.2, late by less than the wake-up was.
TEST(Causes, ALateWakeThatAReleaseMadeGoodIsNotBlamed) {
  Releases rig;
  rig.sampler.on_call = [&](int call) {
    if (call == at_tick_of_5 - 1) rig.clock.delay_next_wake(300_us);
    rig.sampler.cost = call == at_release_of_5 ? 700_us : Duration{};
  };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::device}}));
  EXPECT_LT(rig.records[5].lateness, 300_us);
}

// Three passes of 70 us, with releases at a third and at two thirds of the step: calls 16, 17 and
// 18 are those of step 5. What took 0.25 more before each of the two was waited for all the same;
// what takes some 0.3 more after the second ends at 6.067, or at 6.087.
TEST(Causes, WorkThatAReleaseWaitedForIsNotBlamed) {
  Releases first(numerics::rtrk3);
  first.sampler.on_call = [&](int call) {
    first.sampler.cost = call == 16 || call == 17 ? 250_us : Duration{};
    first.plant.pass_cost = call == 18 ? 400_us : 70_us;
  };
  first.run(10);
  EXPECT_EQ(late_in(first.records), (Late{{5, Cause::pass}}));
  Releases second(numerics::rtrk3);
  second.sampler.on_call = [&](int call) {
    second.plant.pass_cost = call == 16 || call == 17 ? 320_us : 70_us;
    second.sampler.cost = call == 18 ? 350_us : Duration{};
  };
  second.run(10);
  EXPECT_EQ(late_in(second.records), (Late{{5, Cause::device}}));
}

// Two phases beyond what is usual: the one that took more of it.
TEST(Causes, TheLargestExcessIsBlamed) {
  Rig rig;
  rig.plant.pass_cost = 500_us;
  rig.plant.extra[5] = 200_us;
  rig.sampler.on_call = [&](int call) { rig.sampler.cost = call == 6 ? 600_us : 100_us; };
  rig.run(10);
  EXPECT_EQ(late_in(rig.records), (Late{{5, Cause::device}}));
}

}  // namespace
}  // namespace hild::testing
