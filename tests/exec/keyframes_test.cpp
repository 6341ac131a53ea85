// SPDX-License-Identifier: Apache-2.0
/// When keyframes are made: every so many frames, in slack that is long enough for what one has
/// cost, and never at the price of a frame.
#include "exec/keyframes.hpp"

#include <gtest/gtest.h>

#include "core/archive_problem.hpp"
#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

using exec::KeyframeView;

/// A loop over a plant of one pass, with keyframes; what it made.
struct Kept {
  explicit Kept(std::int64_t every = 10) : rig(numerics::forward_euler) {
    rig.settings.keyframes.every = every;
    rig.sampler.on_call = [this](int /*call*/) {
      if (takes) take();
    };
  }
  void run(std::int64_t frames) {
    exec::Parts parts{rig.clock,
                      rig.sampler,
                      rig.plant,
                      plain_inputs(1),
                      {0.0},
                      nullptr,
                      records ? &ring : nullptr};
    parts.first_frame = rig.first_frame;
    loop = std::make_unique<exec::FrameLoop>(rig.settings, std::move(parts));
    loop->run(Rig::start, frames, rig.stop);
    take();
  }
  void take() {
    while (const std::byte* slot = ring.front()) {
      loop->times().add(io::FrameView(layout, slot));
      ring.release();
    }
    rt::SlotRing* const keyframes = loop->keyframes();
    while (const std::byte* slot = keyframes != nullptr ? keyframes->front() : nullptr) {
      made.push_back(KeyframeView::in(slot).head);
      keyframes->release();
    }
  }
  [[nodiscard]] std::vector<std::int64_t> frames() const {
    std::vector<std::int64_t> all;
    for (const auto& head : made) all.push_back(head.frame);
    return all;
  }
  [[nodiscard]] std::int64_t left_out() const {
    return loop->statistics().keyframes_left_out.get();
  }

  Rig rig;
  io::FrameLayout layout = exec::FrameLoop::layout(rig.plant);
  rt::SlotRing ring{layout.bytes(), 8};
  bool records = true;  ///< the run is recorded
  bool takes = true;    ///< somebody takes keyframes out
  std::unique_ptr<exec::FrameLoop> loop;
  std::vector<exec::KeyframeHead> made;
};

// It is looked for every five frames, whoever asks when.
TEST(Keyframes, OneIsMadeSoonAfterItIsAskedFor) {
  Kept run(0);
  run.rig.settings.keyframes.look = 5;
  run.rig.sampler.on_call = [&](int call) {
    run.take();
    if (call == 12 || call == 13 || call == 27) run.loop->ask_keyframe();
  };
  run.run(50);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{15, 30})) << "one for two that asked";
  EXPECT_EQ(run.left_out(), 0);
}

TEST(Keyframes, OneThatIsAskedForMovesNoneThatIsDueUnasked) {
  Kept run(20);
  run.rig.settings.keyframes.look = 5;
  run.rig.sampler.on_call = [&](int call) {
    run.take();
    if (call == 12) run.loop->ask_keyframe();
  };
  run.run(60);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{15, 20, 40}));
}

TEST(Keyframes, AreMadeEverySoManyFrames) {
  Kept run;
  run.run(35);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{10, 20, 30}));
  EXPECT_EQ(run.made[1].step, 20);
  EXPECT_EQ(run.made[1].tick, frame_time(20));
  EXPECT_EQ(run.made[1].time, SimTime{} + 20_ms);
  EXPECT_GT(run.made[1].bytes, 50U);
  EXPECT_EQ(run.loop->statistics().keyframes.get(), 3);
  EXPECT_EQ(run.left_out(), 0);
}

TEST(Keyframes, AreCountedFromWhereARunBegins) {
  Kept run;
  run.rig.first_frame = 1'000'000;
  run.run(25);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{1'000'010, 1'000'020}));
}

TEST(Keyframes, AreMadeWhereARunIsRecordedAlone) {
  Kept run;
  run.records = false;
  run.run(35);
  EXPECT_EQ(run.loop->keyframes(), nullptr);
  Kept none(0);
  none.run(35);
  EXPECT_EQ(none.loop->keyframes(), nullptr);
  EXPECT_EQ(none.loop->statistics().keyframes.get(), 0);
}

TEST(Keyframes, OfAPlantThatCannotBeSavedAreNone) {
  Kept run;
  run.rig.plant.cannot_be_saved = "it has a secret";
  run.run(35);
  EXPECT_EQ(run.loop->keyframes(), nullptr);
  EXPECT_EQ(
      words_for(run.loop->why_no_keyframes()).find("section plant: its state cannot be saved"), 0U);
  EXPECT_NE(words_for(run.loop->why_no_keyframes()).find("it has a secret"), std::string::npos);
  EXPECT_EQ(run.loop->most_state_bytes(), 0U);
}

// An FMU, say, that fails to give its state for a while.
TEST(Keyframes, ThatCannotBeMadeAreLeftOut) {
  Kept run;
  run.rig.plant.extra_of = [&run](std::int64_t step) {
    run.rig.plant.cannot_be_saved = step > 15 && step < 35 ? "it has a secret" : nullptr;
    return Duration{};
  };
  run.run(55);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{10, 40, 50}));
  EXPECT_EQ(run.left_out(), 2);
  EXPECT_EQ(run.loop->statistics().keyframes.get(), 3);
}

// Steps 8 to 13 end at the next tick: the first one with slack behind it is 14.
TEST(Keyframes, WaitForAFrameWithSlack) {
  Kept run;
  run.rig.plant.extra_of = [](std::int64_t step) {
    return step >= 8 && step < 14 ? Duration(1_ms) : Duration{};
  };
  run.run(40);
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{15, 25, 35}));
  EXPECT_EQ(run.left_out(), 0);
}

// What a rehearsal found, and 5 us that are left over.
TEST(Keyframes, AreMadeWhereTheirCostFits) {
  for (const auto& [work, fits] : {std::pair{694_us, true}, std::pair{696_us, false}}) {
    Kept run;
    run.rig.settings.keyframes.cost = 300_us;
    run.rig.plant.pass_cost = work;
    run.run(25);
    EXPECT_EQ(run.frames().size(), fits ? 2U : 0U);
  }
}

TEST(Keyframes, AreLeftOutAfterTooManyFramesWithoutSlack) {
  Kept run;
  run.rig.settings.keyframes.cost = 300_us;
  run.rig.settings.keyframes.max_deferrals = 5;
  run.rig.plant.extra_of = [](std::int64_t step) {
    return step < 17 || step > 40 ? Duration(900_us) : Duration{};
  };
  run.run(52);
  // Due at 10, left out at 14; due at 24, 34, 44, and left out again at 48.
  EXPECT_EQ(run.frames(), (std::vector<std::int64_t>{24, 34}));
  EXPECT_EQ(run.left_out(), 2);
}

// One that took longer than was thought is not made again where that would not fit; but what was an
// outlier is forgotten in time.
TEST(Keyframes, CostWhatTheyHaveCost) {
  Kept run(5);
  run.rig.plant.save_cost = 200_us;
  run.rig.plant.pass_cost = 700_us;
  run.rig.sampler.on_call = [&run](int call) {
    run.rig.plant.save_cost = call == 5 ? 900_us : 200_us;  // after it, in the slack before tick 5
    run.take();
  };
  run.run(120);
  ASSERT_GE(run.made.size(), 3U);
  EXPECT_EQ(run.made[0].frame, 5);
  // Due at 10: 900 us (63/64)^n and the guard fit into 300 us from n = 71 on.
  EXPECT_EQ(run.made[1].frame, 10 + 71);
  EXPECT_EQ(run.made[2].frame, 10 + 71 + 5);
  EXPECT_EQ(run.left_out(), 0);
}

TEST(Keyframes, ThatNobodyTakesAreLeftOut) {
  Kept run;
  run.takes = false;
  run.run(100);
  EXPECT_EQ(run.made.size(), 2U) << "as many as there is room for";
  EXPECT_EQ(run.left_out(), 7);
  EXPECT_EQ(run.loop->statistics().keyframes.get(), 2);
}

// Its time is slack of the frame, and is not the next step's.
TEST(Keyframes, AreMeteredAsSlack) {
  Kept run;
  run.rig.plant.save_cost = 120_us;
  run.run(12);
  const auto& slack = run.loop->statistics().phases[static_cast<std::size_t>(io::Phase::slack)];
  EXPECT_EQ(slack.max(), 120_us);
  EXPECT_EQ(run.loop->statistics().late_wakes.get(), 0);
  EXPECT_EQ(run.loop->statistics().overruns.get(), 0);
}

}  // namespace
}  // namespace hild::testing
