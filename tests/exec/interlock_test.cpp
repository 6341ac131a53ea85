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

/// All records of a run that is late now and then, whose images are late always, and that is
/// steered from outside; byte for byte.
std::vector<std::byte> records_of(const numerics::Method& method, exec::Sampling sampling,
                                  std::vector<exec::Interlock> interlocks, Duration& latest) {
  rt::VirtualClock clock;
  exec::ExternalEvents events;
  FakeSampler sampler(clock, {[](double t) { return std::sin(40 * t); }});
  sampler.origin = Rig::start;
  sampler.cost = 20_us;
  sampler.image_after = 7_us;
  sampler.on_call = [&](int call) {
    if (call % 17 == 0) clock.advance(call % 34 == 0 ? 2'300_us : 950_us);
    if (call != 60) return;
    const auto stuck = Override{Side::input, 0, OverrideKind::stuck, 0.25, 0, 20};
    EXPECT_EQ(events.submit(transaction(1, stuck)), exec::Refusal::none);
  };
  const auto plant = model::make_stepper<Tracker>(method);
  exec::Settings settings;
  settings.sampling = sampling;
  settings.overrun.consecutive.reset();
  settings.overrun.limit_percent.reset();
  const io::FrameLayout layout = exec::FrameLoop::layout(*plant);
  rt::SlotRing ring(layout.bytes(), 256);
  exec::FrameLoop loop(
      settings,
      {clock, sampler, *plant, plain_inputs(1), {0.0}, &events, &ring, std::move(interlocks)});
  const rt::Flag stop;
  EXPECT_EQ(loop.run(Rig::start, 200, stop).end, exec::End::duration);
  std::vector<std::byte> all;
  while (const std::byte* slot = ring.front()) {
    latest = std::max(latest, io::FrameView(layout, slot).header().lateness);
    all.insert(all.end(), slot, slot + layout.bytes());
    ring.release();
  }
  return all;
}

// A run that has none, nor anything else that most runs have not, takes a shorter way through a
// frame.
TEST(Interlock, OneThatNeverTripsChangesNothing) {
  for (const numerics::Method* method : {&numerics::rtam2, &numerics::rtrk2}) {
    for (const auto sampling : {exec::Sampling::frame, exec::Sampling::stage}) {
      Duration latest{};
      const auto without = records_of(*method, sampling, {}, latest);
      EXPECT_GT(latest, 1_ms);
      EXPECT_GT(without.size(), 100 * sizeof(io::FrameHeader));
      EXPECT_EQ(without,
                records_of(*method, sampling, {{exec::Interlock::Of::input, 0, -9, 9}}, latest));
    }
  }
}

}  // namespace
}  // namespace hild::testing
