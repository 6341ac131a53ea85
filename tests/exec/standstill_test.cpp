// SPDX-License-Identifier: Apache-2.0
/// A plant that is not there: frames that slip, a loop that stands still, a model that does not
/// answer or never will. On the virtual clock; times in the comments are in frames.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::End;
using exec::Limit;
using exec::LimitAction;
using exec::OverrunPolicy;

// max_debt 2: step 5 ends at 11.4 and is late; frame 6 slips by 4 ticks, its step is in time.
struct Slipping : Rig {
  Slipping() {
    settings.overrun.max_debt = 2;
    settings.overrun.window = 100;
    plant.pass_cost = 400_us;
    plant.extra[5] = 6'000_us;
  }
};

TEST(Slips, CountAgainstTheShareLikeLateSteps) {
  Slipping allowed;
  allowed.settings.overrun.limit_percent = 5;
  EXPECT_EQ(allowed.run(30).end, End::duration);
  EXPECT_EQ(allowed.statistics().slips.get(), 4);

  Slipping beyond;
  beyond.settings.overrun.limit_percent = 4;
  const auto outcome = beyond.run(30);
  EXPECT_EQ(outcome.end, End::overrun_limit);
  EXPECT_EQ(outcome.limit, Limit::missed);
  EXPECT_EQ(outcome.frame, 6);
  EXPECT_EQ(beyond.records.size(), 6U);
  EXPECT_EQ(beyond.sampler.writes.size(), 6U) << "nothing is put out after it";
  EXPECT_EQ(beyond.sampler.safe_calls, 1);
}

TEST(Slips, CountInARow) {
  Slipping allowed;
  allowed.settings.overrun.consecutive = 6;
  EXPECT_EQ(allowed.run(30).end, End::duration);
  Slipping beyond;
  beyond.settings.overrun.consecutive = 5;
  EXPECT_EQ(beyond.run(30).frame, 6);
}

TEST(Slips, OfAPlantThatIsFrozenAreNobodysLoss) {
  SteeringRig rig;
  rig.settings.overrun.consecutive = 1;
  rig.at[2] = [&] { rig.post(transaction(1, exec::Freeze{})); };
  rig.sampler.on_call = [&](int call) {
    if (call == 10) rig.clock.delay_next_wake(30_ms);
  };
  const auto outcome = rig.run(60);
  EXPECT_GT(rig.loop->statistics().slips.get(), 0);
  EXPECT_FALSE(outcome.limit_reached);
  EXPECT_EQ(outcome.end, End::duration);
}

// Frozen by the first, it counts anew once it goes on: two in a row are allowed, and no more come.
TEST(Slips, ThatFrozeThePlantAreForgottenWhenItGoesOn) {
  SteeringRig rig;
  rig.settings.overrun.startup_grace = 0;
  rig.settings.overrun.window = 100;
  rig.settings.overrun.limit_percent = 1;
  rig.settings.overrun.then = LimitAction::freeze;
  rig.sampler.on_call = [&](int call) {
    if (call == 5) rig.clock.delay_next_wake(30_ms);
    if (call == 20) rig.post(transaction(1, exec::Resume{}));
  };
  rig.run(100);
  EXPECT_TRUE(std::ranges::any_of(rig.steps, [](const auto& s) { return s.header.limited; }));
  EXPECT_FALSE(rig.steps.back().header.frozen);
}

// Under `slip` step 5 ends at 8.3 and frame 6 moves from 6 to 9: three are lost, the late one
// among them.
TEST(Slips, UnderTheirOwnPolicyTheLateStepIsTheFirstOfThem) {
  for (const auto& [percent, end] : {std::pair{3.0, End::duration}, {2.0, End::overrun_limit}}) {
    Rig rig;
    rig.settings.overrun.policy = OverrunPolicy::slip;
    rig.settings.overrun.window = 100;
    rig.settings.overrun.limit_percent = percent;
    rig.plant.pass_cost = 200_us;
    rig.plant.extra[5] = 3'100_us;
    const auto outcome = rig.run(30);
    EXPECT_EQ(outcome.end, end) << percent;
    EXPECT_EQ(rig.statistics().slips.get(), 3);
    EXPECT_EQ(outcome.frame, end == End::overrun_limit ? 5 : 0);
  }
}

TEST(OverrunLimits, CountWhatSlipped) {
  exec::OverrunSettings settings;
  settings.startup_grace = 1;
  settings.window = 10;
  settings.limit_percent = 50;
  exec::OverrunLimits share(settings);
  EXPECT_FALSE(share.slipped(1'000)) << "within the grace";
  EXPECT_FALSE(share.reached(false));
  EXPECT_FALSE(share.slipped(0));
  EXPECT_FALSE(share.slipped(5));
  EXPECT_TRUE(share.slipped(1));
  share.forget();
  EXPECT_FALSE(share.slipped(5));
  EXPECT_TRUE(share.reached(true));

  settings.limit_percent = {};
  settings.consecutive = 1'001;
  exec::OverrunLimits row(settings);
  EXPECT_FALSE(row.reached(false));
  EXPECT_FALSE(row.slipped(1'000));
  EXPECT_TRUE(row.reached(true));
}

// ---- a loop that stands still ------------------------------------------------------------------

// Frame 3 samples at 3; frame 4 is woken `late`, so that nothing was put out for 1 ms more.
struct Stalled : Rig {
  explicit Stalled(Duration late, LimitAction then = LimitAction::safe_stop) {
    settings.overrun.standstill = 50_ms;
    settings.overrun.then = then;
    plant.extra_of = [this, late](std::int64_t step) {
      if (step == 3) clock.delay_next_wake(late);
      return Duration{};
    };
  }
};

TEST(Standstill, EndsTheRunBeforeAnythingIsPutOut) {
  Stalled rig(49'001_us);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::overrun_limit);
  EXPECT_EQ(outcome.limit, Limit::standstill);
  EXPECT_EQ(outcome.frame, 4);
  EXPECT_EQ(outcome.stood, 50'001_us);
  EXPECT_EQ(rig.sampler.writes.size(), 4U);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.statistics().standstills.get(), 1);
  EXPECT_EQ(rig.statistics().stood_frame.get(), 4);
  EXPECT_EQ(rig.statistics().stood_ns.get(), 50'001'000);
}

TEST(Standstill, IsLongerThanWhatIsAllowed) {
  Stalled rig(49'000_us);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_FALSE(outcome.limit_reached);
  EXPECT_EQ(rig.sampler.disarms, 0);
  EXPECT_EQ(rig.statistics().standstills.get(), 0);
  EXPECT_EQ(rig.statistics().slips.get(), 41);  // frame 4, at 53, may lag 8: its tick is at 45
}

TEST(Standstill, WithinAStepIsOneToo) {
  Rig rig;
  rig.settings.overrun.standstill = 50_ms;
  rig.plant.extra[5] = 60_ms;
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.limit, Limit::standstill);
  EXPECT_EQ(outcome.frame, 6);
  EXPECT_EQ(outcome.stood, 60_ms);
  EXPECT_EQ(rig.sampler.writes.size(), 6U);
}

// A device that has nothing new, as one whose peer is silent, is called all the same.
TEST(Standstill, IsNoneWhereImagesAreOld) {
  Rig rig;
  rig.settings.overrun.standstill = 50_ms;
  rig.sampler.on_call = [&](int call) { rig.sampler.stopped = call > 3; };
  rig.plant.extra[150] = 5_ms;  // the step after it is behind
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_FALSE(outcome.limit_reached);
  EXPECT_EQ(rig.statistics().standstills.get(), 0);
}

// 1 s of debt may add up; each frame in it puts something out.
TEST(Standstill, IsNoDebt) {
  Rig rig;
  rig.settings.overrun.standstill = 50_ms;
  rig.settings.overrun.max_debt = 1'000;
  rig.plant.pass_cost = 4_ms;  // steps of two frames
  const auto outcome = rig.run(500);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_EQ(rig.statistics().standstills.get(), 0);
}

TEST(Standstill, ThatIsContinuedLeavesOutputsDisarmed) {
  Stalled rig(60_ms, LimitAction::carry_on);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(outcome.limit, Limit::standstill);
  EXPECT_EQ(outcome.limit_frame, 4);
  EXPECT_EQ(rig.sampler.disarms, 1);
  EXPECT_EQ(rig.statistics().frozen_frames.get(), 0);
  EXPECT_EQ(rig.statistics().frames.get(), 200);
}

TEST(Standstill, ThatFreezesLeavesOutputsDisarmed) {
  Stalled rig(60_ms, LimitAction::freeze);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(rig.sampler.disarms, 1);
  EXPECT_EQ(rig.statistics().sim_time_ns.get(), 4'000'000);
  ASSERT_GT(rig.records.size(), 4U);
  EXPECT_TRUE(rig.records[4].frozen);
  EXPECT_TRUE(rig.records[4].limited);
}

TEST(Standstill, BeforeTheFirstFrameIsNone) {
  Rig rig;
  rig.settings.overrun.standstill = 50_ms;
  rig.clock.sleep_until(frame_time(100));
  EXPECT_EQ(rig.run(200).end, End::duration);
}

// ---- a model that does not answer --------------------------------------------------------------

// It owes an answer at the end of step 10 and of those that follow, up to `until`.
struct Silent : Rig {
  explicit Silent(std::int64_t until, LimitAction then = LimitAction::safe_stop) {
    settings.overrun.standstill = 50_ms;
    settings.overrun.then = then;
    plant.costs.cuts_of = [until](std::int64_t step, model::CapCounts& cuts) {
      cuts.owes = step >= 10 && step < until;
    };
  }
};

// Step 59 ends at 60: its result is the fiftieth that is missing.
TEST(SilentModel, StandsStillAfterTheSameTime) {
  Silent rig(1'000);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::overrun_limit);
  EXPECT_EQ(outcome.limit, Limit::silent);
  EXPECT_EQ(outcome.frame, 59);
  EXPECT_EQ(outcome.stood, 50_ms);
  EXPECT_EQ(rig.records.size(), 60U);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.statistics().unanswered_since.get(), 10);
}

TEST(SilentModel, ThatAnswersAgainInTimeGoesOn) {
  Silent rig(59);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_FALSE(outcome.limit_reached);
  EXPECT_EQ(rig.statistics().unanswered_since.get(), -1);
}

TEST(SilentModel, KeepsOutputsDisarmedForAsLongAsItIs) {
  Silent rig(80, LimitAction::carry_on);
  const auto outcome = rig.run(200);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(outcome.limit, Limit::silent);
  EXPECT_EQ(rig.sampler.disarms, 80 - 59);
  EXPECT_EQ(rig.statistics().standstills.get(), 1);
}

TEST(SilentModel, CountsAgainstTheLimits) {
  for (const auto& [percent, consecutive, end_frame] :
       {std::tuple<std::optional<double>, std::optional<int>, std::int64_t>{2.0, {}, 12},
        {{}, 3, 12},
        {{}, 4, 13}}) {
    Silent rig(1'000);
    rig.settings.overrun.window = 100;
    rig.settings.overrun.limit_percent = percent;
    rig.settings.overrun.consecutive = consecutive;
    const auto outcome = rig.run(200);
    EXPECT_EQ(outcome.end, End::overrun_limit);
    EXPECT_EQ(outcome.limit, Limit::missed);
    EXPECT_EQ(outcome.frame, end_frame);
  }
}

TEST(SilentModel, IsLateUnderThePolicyOfStopping) {
  Silent rig(1'000);
  rig.settings.overrun.policy = OverrunPolicy::stop;
  EXPECT_EQ(rig.run(200).frame, 10);
}

TEST(SilentModel, CountsOnlyWhatIsUnanswered) {
  Rig rig;
  rig.settings.overrun.window = 100;
  rig.settings.overrun.limit_percent = 2;
  rig.plant.costs.cuts_of = [](std::int64_t step, model::CapCounts& cuts) {
    cuts.owes = step == 10 || step == 20 || step == 30;
  };
  EXPECT_EQ(rig.run(200).frame, 30);
}

// ---- a model whose process has ended -----------------------------------------------------------

struct Gone : Rig {
  explicit Gone(LimitAction then) {
    settings.overrun.then = then;
    plant.costs.cuts_of = [](std::int64_t step, model::CapCounts& cuts) {
      cuts.owes = cuts.gone = step >= 10;
    };
  }
};

TEST(GoneModel, EndsTheRunInThatStep) {
  Gone rig(LimitAction::safe_stop);
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, End::overrun_limit);
  EXPECT_EQ(outcome.limit, Limit::gone);
  EXPECT_EQ(outcome.frame, 10);
  EXPECT_EQ(rig.records.size(), 11U);
  EXPECT_EQ(rig.sampler.writes.size(), 11U) << "the result of step 10 is not put out";
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(rig.statistics().model_gone.get(), 1);
}

TEST(GoneModel, ThatIsContinuedIsNeverArmedAgain) {
  Gone rig(LimitAction::carry_on);
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(outcome.limit, Limit::gone);
  EXPECT_EQ(rig.sampler.disarms, 90);
  EXPECT_EQ(rig.statistics().standstills.get(), 1);
}

TEST(GoneModel, FreezesWhereThatIsAskedFor) {
  Gone rig(LimitAction::freeze);
  const auto outcome = rig.run(100);
  EXPECT_EQ(outcome.end, End::duration);
  EXPECT_TRUE(outcome.limit_reached);
  EXPECT_EQ(rig.sampler.disarms, 1);
  EXPECT_EQ(rig.statistics().frozen_frames.get(), 89);
}

}  // namespace
}  // namespace hild::testing
