// SPDX-License-Identifier: Apache-2.0
/// Interlocks end a run before what they forbid is written.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::Override;
using exec::OverrideKind;
using exec::Side;

TEST(Interlock, OfAnInputEndsTheRunInItsFrame) {
  SteeringRig rig(numerics::forward_euler, [](double t) { return t < 4.5e-3 ? 0.0 : 1.0; });
  rig.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}, {exec::Interlock::Of::input, 0}};
  // A falsified signal does not hide the button.
  rig.at[0] = [&] { rig.post(transaction(1, Override{Side::input, 0, OverrideKind::stuck, 0})); };
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::interlock);
  EXPECT_EQ(outcome.frame, 5);
  EXPECT_EQ(outcome.index, 1U);
  EXPECT_EQ(outcome.value, 1.0);
  EXPECT_TRUE(outcome.safe);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.clock.now(), frame_time(5));  // no later than the tick that saw it
  EXPECT_EQ(rig.steps.size(), 5U);
}

// Whoever reads how a run ended must learn that a line may still carry what it should not.
TEST(Interlock, TellsOfOutputsThatDidNotGoSafe) {
  for (const bool works : {false, true}) {
    SteeringRig rig(numerics::forward_euler, [](double t) { return t < 4.5e-3 ? 0.0 : 9.0; });
    rig.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}};
    rig.sampler.safe_works = works;
    EXPECT_EQ(rig.run(100).safe, works);
    SteeringRig whole;
    whole.sampler.safe_works = works;
    const auto outcome = whole.run(10);
    EXPECT_EQ(outcome.end, exec::End::duration);
    EXPECT_EQ(outcome.safe, works) << "at the end of every run";
  }
}

TEST(Interlock, ActsWhileThePlantIsHeldAndBetweenTicks) {
  SteeringRig rig(numerics::rtrk2, [](double t) { return t < 4.2e-3 ? 0.0 : NAN; });
  rig.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}};
  rig.settings.sampling = exec::Sampling::stage;
  EXPECT_EQ(rig.run(100).end, exec::End::interlock);
  EXPECT_EQ(rig.clock.now(), frame_time(4.5));

  SteeringRig held(numerics::forward_euler, [](double t) { return t < 8.5e-3 ? 0.0 : 9.0; });
  held.interlocks = {{exec::Interlock::Of::input, 0, -5, 5}};
  held.at[2] = [&] { held.post(transaction(1, exec::Freeze{})); };
  EXPECT_EQ(held.run(100).end, exec::End::interlock);
  EXPECT_EQ(held.clock.now(), frame_time(9));
}

TEST(Interlock, OfAResultEndsTheRunBeforeItIsWritten) {
  for (const auto of : {exec::Interlock::Of::output, exec::Interlock::Of::state}) {
    SteeringRig rig;  // x = n thousandths after n steps
    rig.interlocks = {{of, 0, -1, 6.5e-3}};
    const auto outcome = rig.run(100);
    EXPECT_EQ(outcome.end, exec::End::interlock);
    EXPECT_EQ(outcome.frame, 6);
    EXPECT_NEAR(outcome.value, 7e-3, 1e-15);
    for (const auto& w : rig.sampler.writes) EXPECT_LT(w.y[0], 6.5e-3);
    EXPECT_EQ(rig.sampler.safe_calls, 1);
  }
}

}  // namespace
}  // namespace hild::testing
