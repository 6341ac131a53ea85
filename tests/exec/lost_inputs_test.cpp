// SPDX-License-Identifier: Apache-2.0
/// Inputs whose images stay away: what stands in for them, and that they come back.
#include "exec/lost_inputs.hpp"

#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using io::OnLoss;

/// Two inputs of groups of their own, read every millisecond; the second may be 3.5 ms old.
struct Losing {
  explicit Losing(OnLoss then, io::ImageHistory::Degrees degrees = {.within = 1, .beyond = 1})
      : inputs{{.group = 0}, {.group = 1, .loss = {3'500_us, then, 77}}},
        degrees_(degrees),
        images(inputs, 2, 10_us),
        lost(inputs) {}
  /// The image of frame n, of which the second group came last in frame `second`.
  exec::LostInputs::News frame(std::int64_t n, std::int64_t second) {
    now = MonoTime{} + 1_ms * n;
    images.instants()[0] = now;
    images.instants()[1] = MonoTime{} + 1_ms * second;
    images.incoming()[0] = static_cast<double>(n);
    images.incoming()[1] = static_cast<double>(second);
    images.accept();
    return lost.look(images, now, n);
  }
  std::vector<double> inputs_now() {
    std::vector<double> u(2);
    images.at(now, degrees_, u);
    lost.stand_in(images, u);
    return u;
  }

  std::vector<io::SampledInput> inputs;
  io::ImageHistory::Degrees degrees_;
  io::ImageHistory images;
  exec::LostInputs lost;
  MonoTime now{};
};

TEST(LostInputs, AreNoneWhereNoAgeIsTooOld) {
  EXPECT_FALSE(exec::LostInputs(plain_inputs(3)).any());
  EXPECT_TRUE(Losing(OnLoss::hold).lost.any());
}

// Lost in the frame in which the image is too old, and not before; back with the next one.
TEST(LostInputs, AreLostFromTheFrameInWhichTheirImageIsTooOld) {
  Losing run(OnLoss::hold);
  for (const std::int64_t n : {0, 1, 2}) run.frame(n, n);
  for (const std::int64_t n : {3, 4, 5}) {
    const auto news = run.frame(n, 2);
    EXPECT_EQ(news.lost, 0) << n;
    EXPECT_FALSE(news.other);
    EXPECT_TRUE(run.lost.at_present().empty());
  }
  auto news = run.frame(6, 2);
  EXPECT_EQ(news.lost, 1);
  EXPECT_TRUE(news.other);
  EXPECT_EQ(news.fatal, -1);
  ASSERT_EQ(run.lost.at_present().size(), 1U);
  EXPECT_EQ(run.lost.at_present()[0].input, 1U);
  EXPECT_EQ(run.lost.at_present()[0].since, 6);
  news = run.frame(7, 2);
  EXPECT_EQ(news.lost, 0) << "it was told";
  EXPECT_FALSE(news.other);
  news = run.frame(8, 8);
  EXPECT_TRUE(news.other);
  EXPECT_EQ(news.lost, 0);
  EXPECT_TRUE(run.lost.at_present().empty());
}

// Before it is lost it is carried on as declared, from then on as its rule says; the other input
// never notices.
TEST(LostInputs, AreStoodInForAsTheirRuleSays) {
  for (const auto& [then, expected] :
       {std::pair{OnLoss::hold, 2.0}, std::pair{OnLoss::carry_on, 6.0},
        std::pair{OnLoss::substitute, 77.0}}) {
    Losing run(then);
    for (const std::int64_t n : {0, 1, 2}) run.frame(n, n);
    for (const std::int64_t n : {3, 4, 5}) {
      run.frame(n, 2);
      EXPECT_DOUBLE_EQ(run.inputs_now()[1], static_cast<double>(n)) << "the line through 1 and 2";
    }
    run.frame(6, 2);
    EXPECT_EQ(run.inputs_now(), (std::vector<double>{6, expected}));
    run.frame(7, 7);
    EXPECT_EQ(run.inputs_now(), (std::vector<double>{7, 7}));
  }
}

// What came before the gap is no history of what comes behind it.
TEST(LostInputs, BeginTheirHistoryAnew) {
  Losing run(OnLoss::hold);
  for (const std::int64_t n : {0, 1, 2}) run.frame(n, n);
  for (std::int64_t n = 3; n < 10; ++n) run.frame(n, 2);
  run.frame(10, 10);
  run.frame(11, 10);
  EXPECT_EQ(run.inputs_now()[1], 10) << "not carried on from the image before the gap";
}

// A method does not mix derivatives of before the gap with those behind it, whatever stood in.
TEST(LostInputs, ThatAreBackAreNewsHoweverTheyWereStoodInFor) {
  for (const OnLoss then : {OnLoss::hold, OnLoss::carry_on, OnLoss::substitute}) {
    Losing run(then);
    for (const std::int64_t n : {0, 1, 2}) run.frame(n, n);
    for (std::int64_t n = 3; n < 10; ++n) run.frame(n, 2);
    EXPECT_TRUE(run.frame(10, 10).other);
  }
}

TEST(LostInputs, EndTheRunWhereNothingStandsIn) {
  Losing run(OnLoss::safe_stop);
  run.frame(0, 0);
  const auto news = run.frame(4, 0);
  EXPECT_EQ(news.fatal, 1);
  EXPECT_EQ(news.age, Duration(4_ms));
}

// Also of one that was lost before: who arms outputs meanwhile has them disarmed again.
TEST(LostInputs, DisarmOutputsAsLongAsTheyAreLost) {
  Losing run(OnLoss::disarm);
  EXPECT_FALSE(run.frame(2, 2).disarms);
  EXPECT_FALSE(run.frame(5, 2).disarms);
  EXPECT_TRUE(run.frame(6, 2).disarms);
  EXPECT_EQ(run.inputs_now()[1], 2) << "the last value";
  ASSERT_EQ(run.lost.at_present().size(), 1U);
  EXPECT_TRUE(run.lost.at_present()[0].disarms);
  const auto later = run.frame(7, 2);
  EXPECT_TRUE(later.disarms);
  EXPECT_EQ(later.lost, 0);
  EXPECT_EQ(later.fatal, -1);
  EXPECT_FALSE(run.frame(8, 8).disarms);
}
TEST(LostInputs, DisarmNothingWhereSomethingElseIsDeclared) {
  for (const OnLoss then : {OnLoss::hold, OnLoss::carry_on, OnLoss::substitute}) {
    Losing run(then);
    run.frame(0, 0);
    EXPECT_FALSE(run.frame(6, 0).disarms);
    EXPECT_FALSE(run.lost.at_present().at(0).disarms);
  }
}

TEST(LostInputs, EndTheRunForTheFirstOfThem) {
  const std::vector<io::SampledInput> inputs(3, {.loss = {2_ms, OnLoss::safe_stop, 0}});
  io::ImageHistory images(inputs, 1, 0_us);
  exec::LostInputs lost(inputs);
  images.accept();
  const auto news = lost.look(images, MonoTime{} + 3_ms, 3);
  EXPECT_EQ(news.lost, 3);
  EXPECT_EQ(news.fatal, 0);
}

// ---- in a run ----------------------------------------------------------------------------------

/// x' = u - x with images that stop at a call.
struct StoppingRun {
  explicit StoppingRun(io::LossRule rule, std::int64_t stops_at = 20, std::int64_t back_at = 1000)
      : rig(numerics::ab3, [](double t) { return 1 + t; }) {
    rig.losses = {rule};
    rig.sampler.on_call = [this, stops_at, back_at](int call) {
      if (call == stops_at) rig.sampler.stopped = true;
      if (call == back_at) rig.sampler.stopped = false;
    };
  }
  Rig rig;
};

TEST(LostInputs, AreCountedAndRestartTheHistoryOfTheMethod) {
  StoppingRun run({2_ms, OnLoss::substitute, 5}, 20, 30);
  EXPECT_EQ(run.rig.run(60).end, exec::End::duration);
  EXPECT_EQ(run.rig.statistics().lost_inputs.get(), 1);
  EXPECT_EQ(run.rig.statistics().jump_restarts.get(), 2)
      << "when it was lost, and when it was back";
  EXPECT_TRUE(run.rig.loop->lost_inputs().at_present().empty());
}

// u = 1 + t is shown as an output; 5 stands in for it, under either way of sampling.
TEST(LostInputs, AreStoodInForInEveryPass) {
  for (const auto sampling : {exec::Sampling::frame, exec::Sampling::stage}) {
    Rig rig(model::make_stepper<Tracker>(numerics::rtrk2), [](double t) { return 1 + t; });
    rig.settings.sampling = sampling;
    rig.losses = {{3_ms, OnLoss::substitute, 5}};
    rig.sampler.on_call = [&](int call) { rig.sampler.stopped = call >= 20 && call < 60; };
    rig.run(100);
    int fives = 0;
    for (const auto& write : rig.sampler.writes) fives += write.y[1] == 5 ? 1 : 0;
    EXPECT_GT(fives, 10);
    EXPECT_LT(fives, 41);
    EXPECT_NEAR(rig.sampler.writes.back().y[1], 1.099, 2e-3);
  }
}

TEST(LostInputs, DisarmOutputsInEachFrameUntilTheyAreBack) {
  StoppingRun run({2_ms, OnLoss::disarm}, 20, 30);
  EXPECT_EQ(run.rig.run(60).end, exec::End::duration);
  // As below, lost from frame 21 on; the thirtieth call, of frame 29, has an image again.
  EXPECT_EQ(run.rig.sampler.disarms, 29 - 21);
  EXPECT_EQ(run.rig.sampler.safe_calls, 1) << "in the end";
}

TEST(LostInputs, EndTheRunSafely) {
  StoppingRun run({2_ms, OnLoss::safe_stop});
  const exec::Outcome outcome = run.rig.run(60);
  EXPECT_EQ(outcome.end, exec::End::input_lost);
  // The twentieth call, which found no new image, was that of frame 19; its image is 1 ms old.
  EXPECT_EQ(outcome.frame, 21);
  EXPECT_EQ(outcome.index, 0U);
  EXPECT_EQ(outcome.age, Duration(3_ms));
  EXPECT_EQ(run.rig.sampler.safe_calls, 1);
}

}  // namespace
}  // namespace hild::testing
