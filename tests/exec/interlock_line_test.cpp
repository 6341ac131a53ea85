// SPDX-License-Identifier: Apache-2.0
/// Lines that no plant has, read for interlocks alone: an emergency stop.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

TEST(InterlockLine, EndsTheRunAndEntersNothing) {
  SteeringRig rig;
  FakeSampler sampler(
      rig.clock, {[](double) { return 1.0; }, [](double t) { return t < 6.5e-3 ? 1.0 : 0.0; }});
  sampler.origin = Rig::start;
  rig.settings.snapshot_every = 1;
  exec::FrameLoop loop(rig.settings, {.clock = rig.clock,
                                      .sampler = sampler,
                                      .plant = rig.plant,
                                      .inputs = {{}, {.held = true}},
                                      .start_inputs = {0, 1},
                                      .events = &rig.events,
                                      .interlocks = {{exec::Interlock::Of::input, 1, 0.5, 1.5}}});
  rig.post(transaction(1, exec::Override{exec::Side::input, 0, exec::OverrideKind::gain, 2.0}));
  rig.post(transaction(2, exec::Override{exec::Side::input, 1, exec::OverrideKind::stuck, 1.0}));
  const auto outcome = loop.run(Rig::start, 100, rig.stop);
  EXPECT_EQ(outcome.end, exec::End::interlock);
  EXPECT_EQ(outcome.frame, 7);
  EXPECT_EQ(outcome.value, 0.0);
  EXPECT_EQ(sampler.safe_calls, 1);
  EXPECT_EQ(rig.clock.now(), frame_time(7));

  const exec::Image& image = loop.snapshot().newest();
  EXPECT_EQ(image.inputs, (std::vector<double>{1.0})) << "of the sample that ended the run";
  EXPECT_NEAR(image.states[0], 14e-3, 1e-15);  // x' = 2 for seven frames
  rig.read_replies();
  ASSERT_EQ(rig.replies.size(), 2U);
  EXPECT_EQ(rig.replies[0].refusal, exec::Refusal::unknown_target) << "no line can be falsified";
}

}  // namespace
}  // namespace hild::testing
