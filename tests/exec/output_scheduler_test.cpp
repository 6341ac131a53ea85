// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is put out and when, alone: no plant is advanced.
#include "exec/output_scheduler.hpp"

#include "exec/owners.hpp"

namespace hild::testing {
namespace {

using exec::FrozenOutputs;

struct PutOut : WithoutLoop {
  using WithoutLoop::WithoutLoop;
  /// What a tick writes, and what it leaves for the next.
  std::vector<double> tick() {
    const auto due = outputs.due();
    outputs.tick_passed();
    return {due.begin(), due.end()};
  }
};

const std::vector<double> nothing_due;

TEST(OutputScheduler, PutsOutWhatIsNewestAtTheTick) {
  PutOut out;
  out.outputs.values()[0] = 3;
  EXPECT_EQ(out.tick(), std::vector{3.0});
  EXPECT_TRUE(out.outputs.write_early()) << "not asked for";
  EXPECT_EQ(out.tick(), std::vector{3.0});
  EXPECT_TRUE(out.sampler.writes.empty());
}

TEST(OutputScheduler, WritesOnceWhatIsWrittenEarly) {
  exec::Settings settings;
  settings.outputs = exec::OutputTime::early;
  PutOut out(settings);
  out.outputs.values()[0] = 3;
  EXPECT_TRUE(out.outputs.write_early());
  ASSERT_EQ(out.sampler.writes.size(), 1U);
  EXPECT_EQ(out.sampler.writes[0].y, std::vector{3.0});
  EXPECT_EQ(out.tick(), nothing_due);
  EXPECT_EQ(out.tick(), std::vector{3.0}) << "where no step was taken since";
  out.sampler.fail_at_call = 2;
  EXPECT_FALSE(out.outputs.write_early());
  EXPECT_EQ(out.run.end.outcome().end, exec::End::device_failed);
}

TEST(OutputScheduler, PutsOutNothingWhileSafeValuesStand) {
  PutOut out;
  EXPECT_TRUE(out.outputs.freeze(FrozenOutputs::safe));
  EXPECT_EQ(out.sampler.safe_calls, 1);
  EXPECT_EQ(out.outputs.mode(), FrozenOutputs::safe);
  EXPECT_EQ(out.tick(), nothing_due);
  EXPECT_EQ(out.tick(), nothing_due);
  out.outputs.follow();
  EXPECT_EQ(out.outputs.mode(), FrozenOutputs::hold);
  EXPECT_EQ(out.tick(), std::vector{0.0});
  out.sampler.safe_works = false;
  EXPECT_FALSE(out.outputs.freeze(FrozenOutputs::safe));
}

TEST(OutputScheduler, PutsOutWhatWasDeclaredInThePlantsPlace) {
  PutOut out;
  out.outputs.values()[0] = 3;
  out.outputs.declare(0, 5);
  out.outputs.apply_declared();
  EXPECT_EQ(out.tick(), std::vector{3.0}) << "the plant's own are put out";
  EXPECT_TRUE(out.outputs.freeze(FrozenOutputs::declared));
  out.outputs.apply_declared();
  EXPECT_EQ(out.outputs.mode(), FrozenOutputs::declared);
  EXPECT_EQ(out.tick(), std::vector{5.0});
  EXPECT_EQ(out.sampler.safe_calls, 0);
}

}  // namespace
}  // namespace hild::testing
