// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a gateway takes of a node, without DDS: runs, plans, order, units, instants.
#include "drivers/dds/inbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hild::dds {
namespace {

using namespace std::literals;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t behind = 37;
constexpr std::uint64_t the_writer = 11;
constexpr std::uint64_t another_writer = 12;
constexpr Arrival noon{
    .now = {1'000'000'000}, .tai_ahead = {5'000'000'000}, .utc_behind_tai = behind};

PeerPlan plan_of_run(std::uint64_t run, std::vector<SignalName> signals) {
  PeerPlan plan{.run = run, .utc_behind_tai = behind, .signals = std::move(signals)};
  plan.plan = plan_number(plan.signals);
  return plan;
}

class InboxOfEngine : public testing::Test {
 protected:
  /// Samples of run `run` with the signals "flow" (1) and "torque" (kN m).
  PeerPlan plan(std::uint64_t run = 7) const {
    return plan_of_run(run, {{"flow"sv, "1"sv}, {"torque"sv, "kN m"sv}});
  }
  void take(std::uint64_t number, std::vector<double> values, std::uint64_t run = 7,
            std::int64_t origin = 5'900'000'000) {
    inbox_.take_sample(
        {.run = run, .plan = plan().plan, .number = number, .origin = origin, .values = values},
        noon);
  }
  /// The image in the page: torque, flow.
  [[nodiscard]] std::vector<double> image() const {
    std::vector<double> words(stamps + 2);
    EXPECT_TRUE(slot_.image(slot_.writes()).read(words, 1));
    made_ = MonoTime{as_number(words[1])};
    number_ = as_number(words[0]);
    return {words.begin() + stamps, words.end()};
  }

  Descriptor file_;
  Page page_ = Page::make(file_).value();
  TwoImages slot_ = page_.images(std::array<std::size_t, 1>{2}).front();
  const GatewayCounts& counts_ = page_.head().counts;
  Inbox inbox_{
      {"engine"sv, {{"torque"sv, "N m"sv}, {"flow"sv, "1"sv}}}, slot_, page_.head().counts};
  mutable MonoTime made_{};
  mutable std::int64_t number_ = 0;
};

TEST_F(InboxOfEngine, TakesValuesByNameInTheUnitThatIsWanted) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(3, {0.5, 0.25});
  EXPECT_EQ(image(), (std::vector{250.0, 0.5}));
  EXPECT_EQ(number_, 3);
  EXPECT_EQ(made_.ns, 900'000'000);
  EXPECT_EQ(counts_.received.get(), 1);
}

TEST_F(InboxOfEngine, AUnitMayHaveAnOffset) {
  Inbox inbox({"engine"sv, {{"heat"sv, "K"sv}}}, slot_, page_.head().counts);
  const PeerPlan celsius = plan_of_run(1, {{"heat"sv, "degC"sv}});
  EXPECT_THAT(inbox.take_plan(celsius, the_writer, behind), IsEmpty());
  inbox.take_sample({1, celsius.plan, 1, 0, std::array{20.0}}, noon);
  EXPECT_DOUBLE_EQ(image()[0], 293.15);
}

TEST_F(InboxOfEngine, TakesNothingBeforeThePlanIsKnown) {
  take(1, {1, 1});
  EXPECT_EQ(slot_.writes(), 0U);
  EXPECT_EQ(counts_.early.get(), 1);
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(1, {1, 1}, 8);
  EXPECT_EQ(counts_.early.get(), 2) << "of a run whose plan is on its way";
  EXPECT_EQ(counts_.wrong_run.get(), 0);
  EXPECT_EQ(slot_.writes(), 0U);
}

TEST_F(InboxOfEngine, ALaterRunReplacesAnEarlierOneWhoseSamplesAreRefusedThen) {
  EXPECT_THAT(inbox_.take_plan(plan(7), the_writer, behind), IsEmpty());
  take(100, {1, 1}, 7);
  EXPECT_THAT(inbox_.take_plan(plan(8), the_writer, behind), IsEmpty());
  take(1, {2, 0.002}, 8);
  EXPECT_EQ(image(), (std::vector{2.0, 2.0}));
  take(101, {3, 3}, 7);
  EXPECT_EQ(counts_.wrong_run.get(), 1);
  EXPECT_THAT(inbox_.take_plan(plan(7), another_writer, behind), IsEmpty());
  EXPECT_EQ(counts_.wrong_run.get(), 2) << "a plan of the earlier run";
  EXPECT_EQ(image(), (std::vector{2.0, 2.0}));
  EXPECT_EQ(counts_.lost.get(), 0) << "a run begins to count anew";
}

TEST_F(InboxOfEngine, WithoutAWriterOfItsPlanARunIsForgotten) {
  EXPECT_THAT(inbox_.take_plan(plan(7), the_writer, behind), IsEmpty());
  EXPECT_THAT(inbox_.lose_writer(another_writer, behind), IsEmpty());
  take(1, {1, 1}, 7);
  EXPECT_EQ(slot_.writes(), 1U) << "that was another one";
  EXPECT_THAT(inbox_.lose_writer(the_writer, behind), IsEmpty());
  take(2, {1, 1}, 7);
  EXPECT_EQ(slot_.writes(), 1U);
  EXPECT_THAT(inbox_.take_plan(plan(3), another_writer, behind), IsEmpty())
      << "on a machine whose clock was set back";
  take(1, {1, 1}, 3);
  EXPECT_EQ(slot_.writes(), 2U);
}

// A later run in the name of the node that ends leaves the earlier one, which never says its plan
// again.
TEST_F(InboxOfEngine, AnEarlierRunThatGoesOnIsHeardAgainOnceTheLaterOneHasEnded) {
  EXPECT_THAT(inbox_.take_plan(plan(7), the_writer, behind), IsEmpty());
  EXPECT_THAT(inbox_.take_plan(plan(8), another_writer, behind), IsEmpty());
  take(5, {1, 1}, 7);
  EXPECT_EQ(counts_.wrong_run.get(), 1);
  EXPECT_THAT(inbox_.lose_writer(another_writer, behind), IsEmpty());
  take(6, {2, 0.004}, 7);
  EXPECT_EQ(image(), (std::vector{4.0, 2.0}));
}

TEST_F(InboxOfEngine, AnEarlierRunThatEndsChangesNothing) {
  EXPECT_THAT(inbox_.take_plan(plan(7), the_writer, behind), IsEmpty());
  EXPECT_THAT(inbox_.take_plan(plan(8), another_writer, behind), IsEmpty());
  take(5, {1, 1}, 8);
  EXPECT_THAT(inbox_.lose_writer(the_writer, behind), IsEmpty());
  take(4, {2, 2}, 8);
  EXPECT_EQ(counts_.reordered.get(), 1) << "it goes on counting";
}

TEST_F(InboxOfEngine, OfManyRunsInOneNameTheLatestEightAreKept) {
  for (std::uint64_t run = 1; run <= 20; ++run) {
    EXPECT_THAT(inbox_.take_plan(plan(run), run, behind), IsEmpty());
  }
  EXPECT_THAT(inbox_.take_plan(plan(1), 1, behind), IsEmpty()) << "for which there is no room";
  for (std::uint64_t run = 20; run > 13; --run) {
    EXPECT_THAT(inbox_.lose_writer(run, behind), IsEmpty());
  }
  take(1, {1, 1}, 13);
  EXPECT_EQ(slot_.writes(), 1U);
  EXPECT_THAT(inbox_.lose_writer(13, behind), IsEmpty());
  for (std::uint64_t run = 1; run <= 12; ++run) take(1, {1, 1}, run);
  EXPECT_EQ(slot_.writes(), 1U) << "nobody is left";
  EXPECT_THAT(inbox_.take_plan(plan(2), 2, behind), IsEmpty());
  take(1, {1, 1}, 2);
  EXPECT_EQ(slot_.writes(), 2U);
}

TEST_F(InboxOfEngine, WhatAnEarlierRunSendsIsToldWhereItDoesNotFit) {
  EXPECT_THAT(inbox_.take_plan(plan_of_run(6, {}), the_writer, behind),
              HasSubstr("it sends nothing"));
  EXPECT_THAT(inbox_.take_plan(plan(7), another_writer, behind), IsEmpty());
  EXPECT_THAT(inbox_.lose_writer(another_writer, behind), HasSubstr("it sends nothing"));
}

TEST_F(InboxOfEngine, ThePlanOnceMoreChangesNothing) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(5, {1, 1});
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(4, {2, 2});
  EXPECT_EQ(counts_.reordered.get(), 1);
}

TEST_F(InboxOfEngine, CountsWhatIsMissingLateOrTwice) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  for (const std::uint64_t number : {10U, 11U, 14U, 12U, 14U, 15U}) take(number, {1, 1});
  EXPECT_EQ(counts_.lost.get(), 2);
  EXPECT_EQ(counts_.reordered.get(), 1);
  EXPECT_EQ(counts_.received.get(), 6);
  EXPECT_EQ(slot_.writes(), 4U) << "the newest once more is not written again";
  take(std::numeric_limits<std::uint64_t>::max(), {1, 1});
  EXPECT_EQ(counts_.lost.get(), 2 + 1'000'000'000) << "bounded";
}

TEST_F(InboxOfEngine, ASampleOfAnotherLengthOrOfNoNumbersIsNotTaken) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(1, {1});
  take(2, {1, 1, 1});
  EXPECT_EQ(counts_.wrong_length.get(), 2);
  take(3, {1, NAN});
  take(4, {INFINITY, 1});
  take(5, {1, 1e306});  // in N m no number any more
  EXPECT_EQ(counts_.not_finite.get(), 3);
  EXPECT_EQ(slot_.writes(), 0U);
}

TEST_F(InboxOfEngine, NothingIsOfTheFuture) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  take(1, {1, 1}, 7, 6'000'000'001);
  static_cast<void>(image());
  EXPECT_EQ(made_.ns, noon.now.ns);
  take(2, {1, 1}, 7, std::numeric_limits<std::int64_t>::min());  // beyond 64 bits
  static_cast<void>(image());
  EXPECT_EQ(made_.ns, noon.now.ns);
  EXPECT_EQ(counts_.future.get(), 2);
}

TEST_F(InboxOfEngine, WhatDoesNotFitIsToldAtOnceAndNothingIsTaken) {
  const std::string words =
      inbox_.take_plan(plan_of_run(7, {{"torque"sv, "rad/s"sv}}), the_writer, behind);
  EXPECT_THAT(words,
              HasSubstr("node engine sends the signal torque in rad/s, and N m was expected"));
  EXPECT_THAT(words, HasSubstr("node engine sends no signal flow; it sends torque (rad/s)"));
  EXPECT_EQ(counts_.unmatched.get(), 1);
  const PeerPlan unfit = plan_of_run(7, {{"torque"sv, "rad/s"sv}});
  inbox_.take_sample({7, unfit.plan, 1, 0, std::array{1.0}}, noon);
  EXPECT_EQ(slot_.writes(), 0U);
  EXPECT_THAT(inbox_.take_plan(plan_of_run(7, {}), the_writer, behind),
              HasSubstr("it sends nothing"));
}

TEST_F(InboxOfEngine, AMachineWithAnotherTaiIsRefusedUntilBothAreTheSame) {
  PeerPlan unset = plan();
  unset.utc_behind_tai = 0;
  EXPECT_THAT(inbox_.take_plan(unset, the_writer, behind),
              HasSubstr("takes UTC to be 0 s behind TAI, and this machine 37 s"));
  EXPECT_EQ(counts_.unmatched.get(), 1);
  take(1, {1, 1});
  EXPECT_EQ(slot_.writes(), 0U);
  EXPECT_EQ(counts_.unmatched.get(), 2);
  Arrival unset_here = noon;
  unset_here.utc_behind_tai = 0;
  const std::array values{1.0, 1.0};
  inbox_.take_sample({7, plan().plan, 2, 0, values}, unset_here);
  EXPECT_EQ(slot_.writes(), 1U) << "this machine is as the other one now";
}

// Whose kernel is told of TAI while the run goes on: ages would be wrong by that much.
TEST_F(InboxOfEngine, ATaiThatChangesIsNoticedAtBothEnds) {
  EXPECT_THAT(inbox_.take_plan(plan(), the_writer, behind), IsEmpty());
  Arrival later = noon;
  later.utc_behind_tai = behind + 1;
  const std::array values{1.0, 1.0};
  const PeerSample sample{
      .run = 7, .plan = plan().plan, .number = 1, .origin = 0, .values = values};
  inbox_.take_sample(sample, later);
  EXPECT_EQ(slot_.writes(), 0U);
  EXPECT_EQ(counts_.unmatched.get(), 1);
  PeerPlan told = plan();
  ++told.utc_behind_tai;
  EXPECT_THAT(inbox_.take_plan(told, the_writer, behind + 1), IsEmpty());
  inbox_.take_sample(sample, later);
  EXPECT_EQ(slot_.writes(), 1U);
}

TEST(PlanNumber, IsOfAllNamesAndUnitsInTheirOrder) {
  const auto number = [](std::vector<SignalName> signals) { return plan_number(signals); };
  EXPECT_EQ(number({{"a"sv, "V"sv}, {"b"sv, "A"sv}}), number({{"a"sv, "V"sv}, {"b"sv, "A"sv}}));
  EXPECT_NE(number({{"a"sv, "V"sv}, {"b"sv, "A"sv}}), number({{"b"sv, "A"sv}, {"a"sv, "V"sv}}));
  EXPECT_NE(number({{"a"sv, "V"sv}}), number({{"a"sv, "A"sv}}));
  EXPECT_NE(number({{"ab"sv, "V"sv}}), number({{"a"sv, "bV"sv}}));
}

}  // namespace
}  // namespace hild::dds
