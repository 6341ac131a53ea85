// SPDX-License-Identifier: Apache-2.0
/// Images that are read before the first tick: inputs have a history from the first step on.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

TEST(BeforeTheRun, ImagesAreReadAFrameApartAndNothingIsWritten) {
  Rig rig(numerics::ab3, [](double t) { return t; });
  rig.settings.images_before = 2;
  rig.run(5);
  ASSERT_GE(rig.sampler.reads.size(), 3U);
  EXPECT_EQ(rig.sampler.reads[0], Rig::start - 2_ms);
  EXPECT_EQ(rig.sampler.reads[1], Rig::start - 1_ms);
  EXPECT_EQ(rig.sampler.reads[2], Rig::start);
  EXPECT_EQ(rig.sampler.writes[0].at, Rig::start);
  ASSERT_EQ(rig.records.size(), 5U);
  EXPECT_EQ(rig.records[0].images, 3) << "they are of the first step";
  EXPECT_EQ(rig.records[1].images, 1);
  Duration sum{};
  for (const auto& phase : rig.statistics().phases) sum += phase.sum();
  EXPECT_EQ(sum, rig.clock.now() - Rig::start) << "and of no frame's time";
}

// u = t is shown as an output. Every wake-up is 50 us late, that for the first tick too.
TEST(BeforeTheRun, ALateSampleOfTheFirstTickIsBroughtBack) {
  for (const int before : {0, 1}) {
    Rig rig(model::make_stepper<Tracker>(numerics::ab2), [](double t) { return t; });
    rig.settings.images_before = before;
    rig.sampler.on_call = [&](int) { rig.clock.delay_next_wake(50_us); };
    rig.clock.delay_next_wake(50_us);
    rig.run(3);
    EXPECT_NEAR(rig.sampler.writes[1].y[1], before > 0 ? 0 : 50e-6, 1e-15);
    EXPECT_NEAR(rig.sampler.writes[2].y[1], 1e-3, 1e-15);
  }
}

TEST(BeforeTheRun, ADeviceThatFailsEndsIt) {
  Rig rig(numerics::ab3);
  rig.settings.images_before = 2;
  rig.sampler.fail_at_call = 2;
  const exec::Outcome outcome = rig.run(5);
  EXPECT_EQ(outcome.end, exec::End::device_failed);
  EXPECT_EQ(outcome.frame, 0);
  EXPECT_TRUE(rig.sampler.writes.empty());
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

}  // namespace
}  // namespace hild::testing
