// SPDX-License-Identifier: Apache-2.0
/// A plant that is held, stepped and resumed, and what its outputs do meanwhile.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::FrozenOutputs;

std::vector<std::int64_t> frames_run(const SteeringRig& rig) {
  std::vector<std::int64_t> frames;
  for (const auto& s : rig.steps) frames.push_back(s.header.frozen ? -1 : s.header.frame);
  return frames;
}

TEST(Frozen, IsSteppedAndResumedWhileRealTimeGoesOn) {
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::Freeze{}));
    // While nothing steps, the sampler is still called: it posts what follows.
  };
  rig.sampler.on_call = [&](int call) {
    if (call == 6) rig.post(transaction(2, exec::StepFrames{2}));
    if (call == 11) rig.post(transaction(3, exec::Resume{}));
  };
  const auto outcome = rig.run(14);
  EXPECT_EQ(outcome.end, exec::End::duration);
  EXPECT_EQ(frames_run(rig),
            (std::vector<std::int64_t>{0, 1, 2, -1, -1, -1, 3, 4, -1, -1, -1, 5, 6, 7}));
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    EXPECT_EQ(rig.steps[n].header.due, frame_time(static_cast<double>(n))) << n;
  }
  EXPECT_EQ(rig.loop->statistics().frozen_frames.get(), 6);
  EXPECT_NEAR(rig.steps.back().states[0], 8e-3, 1e-15);  // x' = 1 over eight frames
  // Outputs hold: what was written while frozen is what was last computed.
  EXPECT_NEAR(rig.sampler.writes[5].y[0], 3e-3, 1e-15);
  EXPECT_NEAR(rig.sampler.writes[10].y[0], 5e-3, 1e-15);
  ASSERT_EQ(rig.replies.size(), 3U);
  EXPECT_EQ(rig.replies[1].frame, 3);
  EXPECT_EQ(rig.replies[2].frame, 5);
}

TEST(Frozen, StepsNoFurtherThanAskedForWhenTheRunIsLate) {
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::StepFrames{1}));
    rig.clock.delay_next_wake(1'300_us);  // the step would be doubled
  };
  rig.run(8);
  EXPECT_EQ(rig.steps[3].header.span, 1);
  EXPECT_EQ(rig.steps[3].header.frame, 3);
  EXPECT_TRUE(rig.steps[4].header.frozen);
  EXPECT_EQ(rig.steps[4].header.frame, 4);
  EXPECT_EQ(rig.loop->statistics().doubled_steps.get(), 0);
}

// The call of the second held frame takes 2.5 frames. The frames after it are behind, but nothing
// is advanced in them that could be doubled.
TEST(Frozen, ALongDeviceCallDoublesNothing) {
  SteeringRig rig;
  rig.at[2] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.sampler.on_call = [&](int call) {
    rig.sampler.cost = call == 5 ? 2'500_us : Duration{};
    if (call == 9) rig.post(transaction(2, exec::Resume{}));
  };
  rig.run(14);
  EXPECT_EQ(frames_run(rig),
            (std::vector<std::int64_t>{0, 1, 2, -1, -1, -1, -1, -1, -1, 3, 4, 5, 6, 7}));
  EXPECT_EQ(rig.loop->statistics().doubled_steps.get(), 0);
  EXPECT_EQ(rig.loop->statistics().frozen_frames.get(), 6);
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    EXPECT_EQ(rig.steps[n].header.span, 1) << n;
    EXPECT_EQ(rig.steps[n].header.due, frame_time(static_cast<double>(n))) << n;
    EXPECT_EQ(rig.steps[n].header.deadline, frame_time(static_cast<double>(n + 1))) << n;
  }
}

// Whoever looks at a counter, and whenever: it counts what has happened.
TEST(Frozen, DoubledStepsAreCountedWhenTheyHaveBeenTaken) {
  SteeringRig rig;
  rig.settings.overrun.startup_grace = 100;
  std::vector<std::int64_t> seen;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::StepFrames{1}));
    rig.clock.delay_next_wake(1'300_us);  // one that would be doubled, but is cut to a frame
  };
  rig.sampler.on_call = [&](int call) {
    seen.push_back(rig.loop->statistics().doubled_steps.get());
    rig.sampler.cost = call == 6 ? 2'500_us : Duration{};  // in a frame of a plant that is held
    if (call == 10) rig.post(transaction(2, exec::Resume{}));
    if (call == 14) rig.clock.delay_next_wake(1'300_us);
  };
  rig.run(24);
  EXPECT_TRUE(std::ranges::is_sorted(seen)) << ::testing::PrintToString(seen);
  std::int64_t doubled = 0;
  for (const auto& s : rig.steps) doubled += !s.header.frozen && s.header.span > 1 ? 1 : 0;
  EXPECT_EQ(doubled, 1);
  EXPECT_EQ(rig.loop->statistics().doubled_steps.get(), doubled);
}

TEST(Frozen, APlantThatRunsIsNotFrozenByAStepThatMayNot) {
  const exec::StepFrames step{.frames = 2, .freezes = false};
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, step));
    rig.post(transaction(2, exec::Mark{3}, step));
  };
  rig.at[5] = [&] { rig.post(transaction(3, exec::Freeze{}, step)); };
  rig.sampler.on_call = [&](int call) {
    if (call == 12) rig.post(transaction(4, step));
    if (call == 16) rig.post(transaction(5, exec::Resume{}, step));
  };
  rig.run(20);
  ASSERT_EQ(rig.replies.size(), 5U);
  EXPECT_EQ(rig.replies[0].refusal, exec::Refusal::not_frozen);
  EXPECT_EQ(rig.replies[1].refusal, exec::Refusal::not_frozen);
  EXPECT_EQ(rig.replies[1].change, 1U);
  EXPECT_EQ(rig.steps[3].header.mark, 0U) << "nothing of what was refused is done";
  EXPECT_FALSE(rig.steps[4].header.frozen);
  EXPECT_EQ(rig.replies[2].kind, exec::Reply::Kind::accepted) << "frozen by the change before it";
  EXPECT_EQ(rig.replies[3].kind, exec::Reply::Kind::accepted) << "frozen";
  EXPECT_EQ(rig.replies[4].refusal, exec::Refusal::not_frozen) << "resumed by the change before it";
  EXPECT_EQ(to_string(exec::Refusal::not_frozen), "not_frozen");
  EXPECT_TRUE(rig.steps.back().header.frozen);
}

TEST(Frozen, OutputsGoSafeAndComeBack) {
  for (const auto outputs : {exec::OutputTime::at_tick, exec::OutputTime::early}) {
    SteeringRig rig;
    rig.settings.outputs = outputs;
    rig.at[2] = [&] { rig.post(transaction(1, exec::Freeze{FrozenOutputs::safe})); };
    std::vector<std::size_t> written(30);
    int safe_calls = 0;
    rig.sampler.on_call = [&](int) {
      const auto now = static_cast<std::size_t>((rig.clock.now() - Rig::start).ns / 1'000'000);
      written[now] = rig.sampler.writes.size();
      if (now == 6) rig.post(transaction(2, exec::StepFrames{1}));
      if (now == 9) rig.post(transaction(3, exec::Resume{}));
      if (now == 5) safe_calls = rig.sampler.safe_calls;
    };
    rig.run(14);
    // The step frozen at 3 ms; nothing is written then until the first step after the resumption
    // at 10 ms.
    EXPECT_EQ(written[10], written[4]);
    EXPECT_EQ(written[13] - written[10], outputs == exec::OutputTime::early ? 3U : 2U);
    EXPECT_EQ(safe_calls, 1);
    EXPECT_EQ(rig.sampler.safe_calls, 2);  // and at the end
  }
}

TEST(Frozen, OutputsThatDoNotGoSafeEndTheRun) {
  SteeringRig rig;
  rig.sampler.safe_works = false;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::Mark{3}, exec::Freeze{FrozenOutputs::safe}));
    rig.post(transaction(2, exec::Mark{4}));
  };
  const auto outcome = rig.run(14);
  EXPECT_EQ(outcome.end, exec::End::device_failed);
  EXPECT_EQ(outcome.frame, 3);
  EXPECT_FALSE(outcome.safe);
  ASSERT_EQ(rig.replies.size(), 2U);
  EXPECT_EQ(rig.replies[0].refusal, exec::Refusal::device_failed);
  EXPECT_EQ(rig.replies[0].change, 1U);
  EXPECT_EQ(rig.replies[1].refusal, exec::Refusal::run_ended);
}

TEST(Frozen, OutputsFollowWhatIsDeclared) {
  for (const auto outputs : {exec::OutputTime::at_tick, exec::OutputTime::early}) {
    SteeringRig rig;
    rig.settings.outputs = outputs;
    rig.at[2] = [&] {
      rig.post(transaction(1, exec::DeclareOutput{1, 42}, exec::Freeze{FrozenOutputs::declared}));
    };
    int resumed = 0;
    rig.sampler.on_call = [&](int) {
      const auto now = (rig.clock.now() - Rig::start).ns / 1'000'000;
      if (now == 6) rig.post(transaction(2, exec::DeclareOutput{1, 43}, exec::StepFrames{1}));
      if (now == 9 && resumed++ == 0) rig.post(transaction(3, exec::Resume{}));
    };
    rig.run(14);
    std::map<std::int64_t, std::pair<double, double>> at;  // the last written in each millisecond
    for (const auto& w : rig.sampler.writes) {
      at[(w.at - Rig::start).ns / 1'000'000] = {w.y[0], w.y[1]};
    }
    EXPECT_EQ(at[4].second, 42);
    EXPECT_EQ(at[7].second, 42);
    for (std::int64_t ms = 8; ms <= 9; ++ms) EXPECT_EQ(at[ms].second, 43) << ms;
    EXPECT_NEAR(at[9].first, 4e-3, 1e-15);  // never declared: that of the frame stepped
    EXPECT_EQ(at[13].second, 1);
  }
}

}  // namespace
}  // namespace hild::testing
