// SPDX-License-Identifier: Apache-2.0
/// Transactions: applied as a whole at the step asked for, and answered.
#include <gtest/gtest.h>

#include <limits>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::EventClass;
using exec::Refusal;
using exec::Reply;
using exec::SetParameter;
using exec::When;

TEST(Transactions, TakeEffectAsAWholeAtTheFrameOrTimeAskedFor) {
  SteeringRig rig;
  rig.at[0] = [&] {
    auto late = transaction(1, SetParameter{0, 3.0}, SetParameter{1, 3.0}, exec::Mark{9});
    late.when = When::at_frame(12);
    auto timed = transaction(2, SetParameter{0, 2.0}, exec::Mark{8});
    timed.when = When::at_time({6'400'000});  // the first step at or after it starts at 7 ms
    auto past = transaction(3, exec::Mark{7});
    past.when = When::at_frame(-4);
    rig.post(late);
    rig.post(timed);
    rig.post(past);
  };
  std::vector<std::pair<double, double>> seen;
  rig.every_step = [&](std::int64_t) {
    seen.emplace_back(rig.plant.system().parameter(0), rig.plant.system().parameter(1));
  };
  rig.run(15);
  for (std::int64_t n = 0; n < 15; ++n) {
    const auto& h = rig.steps[static_cast<std::size_t>(n)].header;
    EXPECT_EQ(h.mark, n == 1 ? 7U : n == 7 ? 8U : n == 12 ? 9U : 0U) << n;
    EXPECT_EQ(h.external_events, n == 1 ? 1 : n == 7 ? 2 : n == 12 ? 3 : 0) << n;
    const auto [gain, unused] = seen[static_cast<std::size_t>(n)];
    EXPECT_EQ(gain, n < 7 ? 1 : n < 12 ? 2 : 3) << n;
    EXPECT_EQ(unused, n < 12 ? 0 : 3) << n;
  }
  ASSERT_EQ(rig.replies.size(), 3U);
  const std::array<std::pair<std::uint64_t, std::int64_t>, 3> expected{{{3, 1}, {2, 7}, {1, 12}}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(rig.replies[i].id, expected[i].first);
    EXPECT_EQ(rig.replies[i].frame, expected[i].second);
  }
}

// A doubled step leaps over frame 6: what was asked for there acts at 7.
TEST(Transactions, ActAtTheFirstStepThatStartsLaterWhenTheirsIsLeaptOver) {
  SteeringRig rig;
  rig.at[0] = [&] {
    auto t = transaction(1, exec::Mark{1});
    t.when = When::at_frame(6);
    rig.post(t);
  };
  rig.every_step = [&](std::int64_t step) {
    if (step == 4) rig.clock.advance(2'100_us);  // step 5 starts at 6.1 and is doubled
  };
  rig.run(12);
  ASSERT_EQ(rig.steps[5].header.frame, 5);
  ASSERT_EQ(rig.steps[5].header.span, 2);
  EXPECT_EQ(rig.steps[5].header.mark, 0U);
  EXPECT_EQ(rig.steps[6].header.frame, 7);
  EXPECT_EQ(rig.steps[6].header.mark, 1U);
  ASSERT_EQ(rig.replies.size(), 1U);
  EXPECT_EQ(rig.replies[0].frame, 7);
}

// Every value is one more than the last: each took effect once, in order, and where its reply says.
TEST(Transactions, TenThousandTakeEffectOnceAndInOrder) {
  constexpr std::uint64_t all = 10'000;
  SteeringRig rig(numerics::forward_euler, [](double) { return 0.0; });
  std::uint64_t next = 1;
  std::vector<double> seen;
  rig.every_step = [&](std::int64_t step) {
    seen.push_back(rig.plant.system().parameter(0));
    for (std::int64_t i = 0; i < step % 7 && next <= all; ++i, ++next) {
      rig.post(transaction(next, SetParameter{0, static_cast<double>(next)}));
    }
    rig.read_replies();
  };
  rig.run(3600);
  ASSERT_EQ(rig.replies.size(), all);
  std::int64_t recorded = 0;
  double last = 1;
  for (std::size_t n = 0; n < rig.steps.size(); ++n) {
    const int changes = rig.steps[n].header.external_events;
    for (int i = 0; i < changes; ++i, ++recorded) {
      const Reply& r = rig.replies[static_cast<std::size_t>(recorded)];
      EXPECT_EQ(r.id, static_cast<std::uint64_t>(recorded) + 1);
      EXPECT_EQ(r.frame, rig.steps[n].header.frame);
      EXPECT_EQ(r.time, rig.steps[n].header.t);
    }
    if (changes > 0) last = static_cast<double>(recorded);
    EXPECT_EQ(seen[n], last) << n;
  }
  EXPECT_EQ(recorded, static_cast<std::int64_t>(all));
  EXPECT_EQ(rig.counts(EventClass::parameter).served.get(), static_cast<std::int64_t>(all));
}

TEST(Transactions, AreWithdrawnBeforeTheirFrame) {
  SteeringRig rig;
  const auto withdrawal = [](std::uint64_t id) {
    exec::Transaction t;
    t.withdraws = id;
    return t;
  };
  rig.at[0] = [&] {
    for (std::uint64_t id = 1; id <= 3; ++id) {
      rig.post(at_frame(10, transaction(id, exec::Mark{static_cast<std::uint32_t>(id)})));
    }
    rig.post(withdrawal(3));
  };
  rig.at[4] = [&] {
    rig.post(withdrawal(1));
    rig.post(withdrawal(1));
    rig.post(withdrawal(7));
  };
  rig.at[12] = [&] { rig.post(withdrawal(2)); };  // too late
  rig.run(15);
  ASSERT_EQ(rig.replies.size(), 3U);
  const std::array<std::tuple<std::uint64_t, Refusal, std::int64_t>, 3> expected{
      {{3, Refusal::withdrawn, 1}, {1, Refusal::withdrawn, 5}, {2, Refusal::none, 10}}};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(std::tuple(rig.replies[i].id, rig.replies[i].refusal, rig.replies[i].frame),
              expected[i]);
  }
  for (const auto& s : rig.steps) EXPECT_EQ(s.header.mark, s.header.frame == 10 ? 2U : 0U);
  EXPECT_EQ(rig.loop->statistics().events_refused.get(), 2);
}

TEST(Transactions, WithOneBadChangeDoNothingAtAll) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const SetParameter good{1, 5.0};
  using exec::Override;
  using exec::OverrideKind;
  using exec::Side;
  const std::vector<std::pair<exec::Transaction, Refusal>> cases{
      {transaction(1, good, SetParameter{0, nan}), Refusal::not_finite},
      {transaction(2, good, SetParameter{0, 1.1e6}), Refusal::out_of_limits},
      {transaction(3, good, SetParameter{2, 1.0}), Refusal::unknown_target},
      {transaction(4, good, SetParameter{UINT32_MAX, 1.0}), Refusal::unknown_target},
      {transaction(5, good, Override{Side::input, 1, OverrideKind::stuck, 1}),
       Refusal::unknown_target},
      {transaction(6, good, Override{Side::output, 2, OverrideKind::stuck, 1}),
       Refusal::unknown_target},
      {transaction(7, good, Override{Side::output, 1, OverrideKind::gain, INFINITY}),
       Refusal::not_finite},
      {transaction(8, good, Override{Side::output, 1, OverrideKind::noise, -1}),
       Refusal::out_of_limits},
      {transaction(9, good, exec::Stimulus{.input = 0, .amplitude = nan}), Refusal::not_finite},
      {transaction(10, good, exec::StepFrames{0}), Refusal::out_of_limits},
      {transaction(11, good, exec::RestoreStates{8, false}), Refusal::unknown_target},
      {transaction(12, good, exec::RestoreStates{3, false}), Refusal::empty_slot},
      {transaction(13), Refusal::unknown_target},
      {transaction(14, good, exec::DeclareOutput{0, nan}), Refusal::not_finite},
  };
  SteeringRig rig;
  rig.at[1] = [&] {
    for (const auto& c : cases) rig.post(c.first);
  };
  rig.run(6);
  ASSERT_EQ(rig.replies.size(), cases.size());
  for (const Reply& r : rig.replies) {
    EXPECT_EQ(r.kind, Reply::Kind::refused) << r.id;
    EXPECT_EQ(r.refusal, cases[r.id - 1].second) << r.id;
    EXPECT_EQ(r.change, r.id == 13 ? 0U : 1U) << r.id;
  }
  EXPECT_EQ(rig.plant.system().parameter(1), 0.0);
  EXPECT_EQ(rig.loop->statistics().events_served.get(), 0);
  EXPECT_EQ(rig.loop->statistics().events_refused.get(), 13 * 2 + 1);
  EXPECT_EQ(rig.inputs(), std::vector<double>(6, 1.0));
}

TEST(Transactions, AreRefusedWhenTheRunEndsBeforeThem) {
  SteeringRig rig;
  rig.at[1] = [&] {
    auto t = transaction(1, exec::Mark{1});
    t.when = When::at_frame(100);
    rig.post(t);
  };
  rig.at[9] = [&] { rig.post(transaction(2, exec::Mark{1})); };  // no slack comes any more
  rig.run(10);
  ASSERT_EQ(rig.replies.size(), 2U);
  for (const Reply& r : rig.replies) EXPECT_EQ(r.refusal, Refusal::run_ended) << r.id;
}

// Nobody reads: what wants a reply waits until there is room, and none is lost.
TEST(Transactions, WaitForRoomForTheirReplies) {
  SteeringRig rig;
  std::uint64_t next = 1;
  rig.every_step = [&](std::int64_t step) {
    for (int i = 0; i < 4; ++i) {
      if (rig.events.submit(transaction(next, exec::Mark{1})) == Refusal::none) ++next;
    }
    if (step > 500) rig.read_replies();
  };
  rig.run(1000);
  ASSERT_GT(rig.replies.size(), 1500U);
  for (std::size_t i = 0; i < rig.replies.size(); ++i) ASSERT_EQ(rig.replies[i].id, i + 1);
}

}  // namespace
}  // namespace hild::testing
