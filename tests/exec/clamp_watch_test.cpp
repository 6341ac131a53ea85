// SPDX-License-Identifier: Apache-2.0
/// Outputs that are cut to their limits are counted in stretches; where it is so configured, one
/// that lasts ends the run.
#include "exec/clamp_watch.hpp"

#include <gtest/gtest.h>

#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

struct WatchedLine {
  explicit WatchedLine(exec::Clamping settings = {})
      : watch(settings, Grid::of_rate_hz(1000), &cut, statistics) {}
  /// A write with so many values cut.
  bool write(std::int64_t frame, std::int64_t values) {
    cut.add(values);
    return watch.due() && watch.reached(frame);
  }
  exec::Statistics statistics;
  rt::Counter cut{7};  // of a time before the run
  exec::ClampWatch watch;
};

TEST(ClampWatch, CountsFramesAndStretches) {
  WatchedLine w;
  EXPECT_FALSE(w.write(0, 0));
  EXPECT_EQ(w.statistics.clamped_frames.get(), 0);
  EXPECT_EQ(w.statistics.clamped_since.get(), -1);
  for (std::int64_t frame = 1; frame <= 3; ++frame) EXPECT_FALSE(w.write(frame, 2));
  EXPECT_EQ(w.statistics.clamped_frames.get(), 3);
  EXPECT_EQ(w.statistics.clamp_stretches.get(), 1);
  EXPECT_EQ(w.statistics.clamped_since.get(), 1);
  EXPECT_FALSE(w.write(4, 0));
  EXPECT_EQ(w.statistics.clamped_since.get(), -1);
  EXPECT_FALSE(w.write(5, 1));
  EXPECT_EQ(w.statistics.clamped_frames.get(), 4);
  EXPECT_EQ(w.statistics.clamp_stretches.get(), 2);
  EXPECT_EQ(w.statistics.clamped_since.get(), 5);
}

TEST(ClampWatch, ADoubledStepIsTwoFramesOfAStretch) {
  WatchedLine w;
  for (const std::int64_t frame : {3, 5, 7, 8}) EXPECT_FALSE(w.write(frame, 1));
  EXPECT_EQ(w.statistics.clamped_frames.get(), 6) << "3 to 8";
  EXPECT_EQ(w.statistics.clamp_stretches.get(), 1);
}

TEST(ClampWatch, EndsTheRunAfterTheTimeGiven) {
  WatchedLine w({.stop = true, .after = 2500_us});  // three frames
  EXPECT_FALSE(w.write(10, 1));
  EXPECT_FALSE(w.write(11, 1));
  EXPECT_FALSE(w.write(12, 1));
  EXPECT_FALSE(w.write(13, 0)) << "a break";
  EXPECT_FALSE(w.write(14, 1));
  EXPECT_FALSE(w.write(15, 1));
  EXPECT_FALSE(w.write(16, 1));
  EXPECT_TRUE(w.write(17, 1));
}

TEST(ClampWatch, MayEndItAtOnce) {
  WatchedLine w({.stop = true, .after = {}});
  EXPECT_FALSE(w.write(0, 0));
  EXPECT_TRUE(w.write(1, 1));
}

TEST(ClampWatch, WithoutACounterThereIsNothingToWatch) {
  exec::Statistics statistics;
  exec::ClampWatch watch({.stop = true}, Grid::of_rate_hz(1000), nullptr, statistics);
  for (std::int64_t frame = 0; frame < 10; ++frame) EXPECT_FALSE(watch.due());
  EXPECT_EQ(statistics.clamped_since.get(), -1);
}

// x = 1 - 0.999^n, which is put out at tick n: above 4.5e-3 from n = 5 on.
TEST(ClampWatch, InTheLoopOnlyTellsUnlessAskedToStop) {
  Rig rig(numerics::forward_euler, [](double) { return 1.0; });
  rig.sampler.limit = 4.5e-3;
  EXPECT_EQ(rig.run(100).end, exec::End::duration);
  EXPECT_EQ(rig.statistics().clamped_frames.get(), 95);
  EXPECT_EQ(rig.statistics().clamp_stretches.get(), 1);
  EXPECT_EQ(rig.statistics().clamped_since.get(), 5);
}

TEST(ClampWatch, InTheLoopEndsARunWhoseOutputsAreCutForTooLong) {
  Rig rig(numerics::forward_euler, [](double) { return 1.0; });
  rig.sampler.limit = 4.5e-3;
  rig.settings.clamping = {.stop = true, .after = 10_ms};
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, exec::End::model_fault);
  EXPECT_EQ(outcome.fault, exec::Fault::clamped);
  EXPECT_EQ(outcome.frame, 15);
  EXPECT_EQ(outcome.t, SimTime{} + 15_ms);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.records.size(), 15U) << "no step was taken after it";
}

}  // namespace
}  // namespace hild::testing
