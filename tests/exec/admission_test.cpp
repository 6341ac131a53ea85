// SPDX-License-Identifier: Apache-2.0
/// Admission: what is asked for goes by its cost into slack, and never costs a frame.
#include <gtest/gtest.h>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::EventClass;
using exec::Refusal;
using exec::Reply;
using exec::SetParameter;

// 1000 us a frame, 900 of work: of the 100 left 5 guard every decision.
struct Admitted : ::testing::Test {
  Admitted() { rig.plant.pass_cost = 900_us; }
  SteeringRig rig;
};

TEST_F(Admitted, WhatFitsToTheNanosecond) {
  rig.events.seed(EventClass::parameter, {.prepare = 40_us, .commit = 55_us});
  rig.at[2] = [&] { rig.post(transaction(7, SetParameter{0, 2.0})); };
  rig.run(5);
  ASSERT_EQ(rig.replies.size(), 1U);
  EXPECT_EQ(rig.replies[0].kind, Reply::Kind::accepted);
  EXPECT_EQ(rig.replies[0].id, 7U);
  EXPECT_EQ(rig.replies[0].frame, 3);
  EXPECT_EQ(rig.replies[0].time.ns, 3'000'000);
  EXPECT_EQ(rig.counts(EventClass::parameter).served.get(), 1);
  EXPECT_EQ(rig.counts(EventClass::parameter).deferred.get(), 0);
}

TEST_F(Admitted, ANanosecondMoreWaitsAndIsRefusedInTheEnd) {
  rig.events.seed(EventClass::parameter, {.prepare = 40_us, .commit = 55'001_ns});
  rig.at[2] = [&] {
    rig.post(transaction(7, SetParameter{0, 2.0}));
    rig.post(transaction(8, exec::Mark{3}));  // of another class, waits behind it
  };
  rig.run(1100);
  ASSERT_EQ(rig.replies.size(), 2U);
  EXPECT_EQ(rig.replies[0].kind, Reply::Kind::refused);
  EXPECT_EQ(rig.replies[0].refusal, Refusal::no_slack);
  EXPECT_EQ(rig.replies[0].frame, 2 + 1000);  // the step to come when it had waited 1000 frames
  EXPECT_EQ(rig.counts(EventClass::parameter).deferred.get(), 999);
  EXPECT_EQ(rig.counts(EventClass::parameter).refused.get(), 1);
  EXPECT_EQ(rig.replies[1].kind, Reply::Kind::accepted);
  EXPECT_EQ(rig.replies[1].frame, 2 + 1001);
  EXPECT_EQ(rig.counts(EventClass::mark).served.get(), 1);
  EXPECT_EQ(rig.loop->statistics().events_served.get(), 1);
  EXPECT_EQ(rig.loop->statistics().overruns.get(), 0);
  EXPECT_EQ(rig.plant.system().parameter(0), 1.0);
}

TEST_F(Admitted, WhatIsPreparedCountsUntilItIsCommitted) {
  rig.events.seed(EventClass::parameter, {.prepare = 0_us, .commit = 30_us});
  rig.at[2] = [&] {
    for (std::uint64_t id = 1; id <= 5; ++id) rig.post(transaction(id, SetParameter{0, 2.0}));
  };
  rig.run(10);
  std::vector<std::int64_t> frames;
  for (const auto& r : rig.replies) frames.push_back(r.frame);
  EXPECT_EQ(frames, (std::vector<std::int64_t>{3, 3, 3, 4, 4}));  // 95 us: three of 30
}

// The cost of setting a parameter is scripted, and learnt: from the second on none is admitted
// that would not fit. The first was admitted by its seed.
TEST_F(Admitted, ByWhatWasMeasured) {
  rig.plant.costs.set_cost = 60_us;
  rig.events.seed(EventClass::parameter, {.prepare = 0_us, .commit = 60_us});
  rig.every_step = [&](std::int64_t step) {
    // Work grows so that only 64 us are left: with the guard not enough.
    if (step == 20) rig.plant.pass_cost = 936_us;
    if (step < 40) rig.post(transaction(1, SetParameter{0, 2.0}));
  };
  rig.run(60);
  EXPECT_EQ(rig.loop->statistics().overruns.get(), 0);
  EXPECT_EQ(rig.loop->statistics().events_served.get(),
            11);  // every other step: each slows its own
  EXPECT_GE(rig.events.admission().cost(EventClass::parameter).commit, 60_us);
}

// Unseeded, one long outlier is forgotten: the estimate comes down to what is usual.
TEST_F(Admitted, AfterAnOutlierWasForgotten) {
  rig.at[2] = [&] { rig.post(transaction(1, SetParameter{0, 2.0})); };
  rig.at[3] = [&] { rig.plant.costs.set_cost = 99_us; };
  rig.at[4] = [&] { rig.post(transaction(2, SetParameter{0, 2.0})); };
  rig.at[5] = [&] { rig.plant.costs.set_cost = {}; };
  rig.at[6] = [&] { rig.post(transaction(3, SetParameter{0, 2.0})); };
  rig.run(100);
  ASSERT_EQ(rig.replies.size(), 3U);
  EXPECT_EQ(rig.replies[2].kind, Reply::Kind::accepted);
  // 99 us less a sixty-fourth each time: at most 95 after three.
  EXPECT_EQ(rig.replies[2].frame, 10);
  EXPECT_EQ(rig.counts(EventClass::parameter).deferred.get(), 3);
}

TEST(Admission, NeverCausesAnOverrunWhenSlackIsShort) {
  SteeringRig rig;
  rig.plant.costs.set_cost = 20_us;
  rig.events.seed(EventClass::parameter, {.prepare = 1_us, .commit = 20_us});
  rig.every_step = [&](std::int64_t step) {
    // 0 to 126 us of slack, slowly changing: what a frame has is what the next one will have.
    rig.plant.pass_cost = 1_ms - Duration(2_us) * (std::abs(step / 8 % 64 - 32) * 2);
    for (int i = 0; i < 3; ++i) {
      static_cast<void>(rig.events.submit(transaction(0, SetParameter{0, 2.0})));
    }
  };
  rig.run(5000);
  const auto& s = rig.loop->statistics();
  EXPECT_GT(s.events_served.get(), 2000);
  EXPECT_GT(s.events_deferred.get(), 1000);
  EXPECT_EQ(s.overruns.get(), 0);
}

/// A microsecond goes by with every look at it.
class TickingClock final : public rt::Clock {
 public:
  MonoTime now() noexcept override { return now_ += 1_us; }
  void sleep_until(MonoTime due) noexcept override { now_ = std::max(now_, due); }
  [[nodiscard]] bool virtual_time() const noexcept override { return true; }

 private:
  MonoTime now_{Rig::start};
};

// Nothing was seeded: what is known of them then is what was measured, of what was served alone.
TEST(Admission, LearnsWhatPreparingAndCommittingTook) {
  TickingClock clock;
  rt::VirtualClock still;
  FakeSampler sampler(still, {[](double) { return 0.0; }});
  const auto plant = model::make_stepper<Tracker>(numerics::forward_euler);
  exec::ExternalEvents events;
  exec::FrameLoop loop({}, {clock, sampler, *plant, plain_inputs(1), {0.0}, &events, nullptr});
  ASSERT_EQ(events.submit(transaction(1, SetParameter{0, 2.0})), Refusal::none);
  const rt::Flag stop;
  loop.run(Rig::start + 1_ms, 5, stop);
  EXPECT_EQ(plant->system().parameter(0), 2.0);
  EXPECT_EQ(events.admission().cost(EventClass::parameter).prepare, 1_us);
  EXPECT_EQ(events.admission().cost(EventClass::parameter).commit, 1_us);
  EXPECT_EQ(events.admission().cost(EventClass::mark).prepare, 0_us);
  EXPECT_EQ(events.admission().cost(EventClass::mark).commit, 0_us);
}

constexpr auto parameter_class = static_cast<std::size_t>(EventClass::parameter);
constexpr auto mark_class = static_cast<std::size_t>(EventClass::mark);

TEST(Admission, SharesWhatPreparingTookAmongTheChanges) {
  exec::Admission admission({});
  exec::ClassCounts changes{};
  changes[parameter_class] = 2;
  changes[mark_class] = 1;
  admission.prepared(changes, 90'001_ns);
  EXPECT_EQ(admission.cost(EventClass::parameter).prepare, 30'001_ns) << "rounded up";
  EXPECT_EQ(admission.cost(EventClass::mark).prepare, 30'001_ns);
  EXPECT_EQ(admission.cost(EventClass::stimulus).prepare, 0_ns);
  EXPECT_EQ(admission.cost(changes).prepare, 90'003_ns);
}

// A sixty-fourth a time, rounded up, down to the larger of what was seeded and the least measured.
TEST(Admission, ForgetsAnOutlierDownToWhatIsKnown) {
  exec::ClassCounts changes{};
  changes[parameter_class] = 1;
  for (const Duration seeded : {Duration(20_us), Duration(50_us)}) {
    exec::Admission admission({});
    admission.seed(EventClass::parameter, {.prepare = 7_us, .commit = seeded});
    EXPECT_EQ(admission.cost(EventClass::parameter).commit, seeded);
    admission.committed(EventClass::parameter, 84_us);
    EXPECT_EQ(admission.cost(EventClass::parameter).commit, 84_us);
    admission.committed(EventClass::parameter, 30_us);
    EXPECT_EQ(admission.cost(EventClass::parameter).commit, 82'687_ns);
    admission.waited(changes);
    EXPECT_EQ(admission.cost(EventClass::parameter).commit, 81'395_ns);
    admission.prepared(changes, 9_us);
    admission.prepared(changes, 90_us);
    for (int frame = 0; frame < 1000; ++frame) admission.waited(changes);
    EXPECT_EQ(admission.cost(EventClass::parameter).commit, std::max(Duration(30_us), seeded));
    EXPECT_EQ(admission.cost(EventClass::parameter).prepare, 9_us);
  }
}

TEST(Admission, AFullQueueIsToldAtOnce) {
  exec::ExternalEvents events;
  for (std::size_t i = 0; i < exec::ExternalEvents::capacity; ++i) {
    ASSERT_EQ(events.submit(transaction(1, exec::Resume{})), Refusal::none);
  }
  EXPECT_EQ(events.submit(transaction(1, exec::Resume{})), Refusal::queue_full);
}

TEST(Admission, TooManyThatWaitForTheirFrameAreRefused) {
  SteeringRig rig;
  rig.at[0] = [&] {
    for (std::uint64_t id = 1; id <= exec::PendingChanges::capacity_ahead + 1; ++id) {
      rig.post(at_frame(5000, transaction(id, exec::Mark{1})));
    }
  };
  rig.run(10);
  ASSERT_EQ(rig.replies.size(), exec::PendingChanges::capacity_ahead + 1);
  EXPECT_EQ(rig.replies[0].id, exec::PendingChanges::capacity_ahead + 1);
  EXPECT_EQ(rig.replies[0].refusal, Refusal::queue_full);
  EXPECT_EQ(rig.replies[0].frame, 1) << "it does not wait, or those behind it would";
  EXPECT_EQ(rig.replies[1].refusal, Refusal::run_ended);
}

// However many wait for a frame that a frozen run never comes to.
TEST(Admission, WhatWaitsForAFrameFarAheadKeepsNothingElseWaiting) {
  SteeringRig rig;
  rig.at[2] = [&] {
    rig.post(transaction(1, exec::Freeze{}));
    for (std::uint64_t id = 100; id < 164; ++id) {
      rig.post(at_frame(5000, transaction(id, exec::Mark{1})));
    }
    for (std::uint64_t id = 2; id <= 11; ++id) rig.post(transaction(id, SetParameter{0, 2.0}));
    rig.post(transaction(12, exec::Resume{}));
  };
  rig.run(20);
  std::map<std::uint64_t, Reply> of;
  for (const Reply& r : rig.replies) of[r.id] = r;
  for (std::uint64_t id = 1; id <= 12; ++id) {
    EXPECT_EQ(of[id].kind, Reply::Kind::accepted) << id;
    EXPECT_EQ(of[id].frame, 3) << id;
  }
  EXPECT_EQ(rig.steps.back().header.frame, 19);
}

TEST_F(Admitted, WhatWaitsForAFrameCountsWithWhatSharesIt) {
  rig.events.seed(EventClass::parameter, {.prepare = 0_us, .commit = 30_us});
  rig.at[2] = [&] {
    for (std::uint64_t id = 1; id <= 4; ++id) {
      rig.post(at_frame(8, transaction(id, SetParameter{0, 2.0})));
    }
    for (std::uint64_t id = 5; id <= 8; ++id) rig.post(transaction(id, SetParameter{0, 2.0}));
  };
  rig.at[7] = [&] { rig.post(transaction(9, SetParameter{0, 2.0})); };
  rig.run(12);
  std::vector<std::pair<std::uint64_t, std::int64_t>> accepted;
  for (const Reply& r : rig.replies) {
    if (r.kind == Reply::Kind::accepted) accepted.emplace_back(r.id, r.frame);
  }
  // 95 us: three of 30 in a frame, whichever it is; the ninth finds three at frame 8 already.
  const decltype(accepted) expected{{5, 3}, {6, 3}, {7, 3}, {8, 4}, {1, 8}, {2, 8}, {3, 8}, {9, 9}};
  EXPECT_EQ(accepted, expected);
  ASSERT_FALSE(rig.replies.empty());
  EXPECT_EQ(rig.replies[0].id, 4U) << "no slack to come makes room at frame 8";
  EXPECT_EQ(rig.replies[0].refusal, Refusal::no_slack);
  EXPECT_EQ(rig.replies[0].frame, 3);
}

// Three looks a frame: in the slack before the tick, and at two releases within the step.
TEST(Admission, CountsFramesAndNotLooks) {
  SteeringRig rig(numerics::rtrk3);
  rig.settings.sampling = exec::Sampling::stage;
  rig.events.seed(EventClass::parameter, {.prepare = 1_ms, .commit = 1_ms});
  rig.at[2] = [&] { rig.post(transaction(1, SetParameter{0, 2.0})); };
  rig.run(1100);
  ASSERT_EQ(rig.replies.size(), 1U);
  EXPECT_EQ(rig.replies[0].refusal, Refusal::no_slack);
  EXPECT_EQ(rig.replies[0].frame, 1001) << "it waited from within frame 2, a thousand frames";
  EXPECT_EQ(rig.counts(EventClass::parameter).deferred.get(), 999);
}

}  // namespace
}  // namespace hild::testing
