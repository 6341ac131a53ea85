// SPDX-License-Identifier: Apache-2.0
/// \file
/// Windows, choices and remedies from bounds written by hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "offline/advise/remedies.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {
namespace {

using testing::ElementsAre;

Window window(std::string name, double lower, double lower_p99, double upper) {
  Window w;
  w.candidate.name = std::move(name);
  w.lower = lower;
  w.lower_p99 = lower_p99;
  w.upper.stability = upper;
  return w;
}

Window ours(double lower, double lower_p99, double upper) {
  Window w = window("ours", lower, lower_p99, upper);
  w.candidate.configured = true;
  return w;
}

std::string chosen(const std::vector<Window>& windows, double h) {
  const auto choice = choose(windows, h);
  return choice ? fmt::format("{} {:g}", choice->window->candidate.name, choice->h) : "none";
}

TEST(Window, IsOpenWhereTheLowerBoundIsBelowTheUpper) {
  const Window w = window("", 2e-3, 5e-3, 4e-3);
  EXPECT_TRUE(w.open());
  EXPECT_FALSE(w.calm());
  EXPECT_TRUE(w.holds(2e-3) && w.holds(4e-3));
  EXPECT_FALSE(w.holds(1.9e-3) || w.holds(4.1e-3));
  EXPECT_FALSE(w.holds_calmly(3e-3));
  EXPECT_FALSE(window("", 5e-3, 5e-3, 4e-3).open());
}

TEST(Window, SaysWhatLimitsIt) {
  const Upper upper{.stability = 4, .modes = 3, .inputs = 2, .sampling = 5};
  EXPECT_EQ(upper.least(), 2);
  EXPECT_EQ(upper.limit(), StepLimit::inputs);
  EXPECT_EQ(times(upper, 3).least(), 6);
  EXPECT_EQ(least_of(upper, {.stability = 1}).limit(), StepLimit::stability);
}

TEST(Pick, TakesWhatIsWantedElseARoundNumberNearTheMiddle) {
  EXPECT_EQ(pick(1e-3, 4e-3, 3e-3), 3e-3);
  EXPECT_DOUBLE_EQ(pick(1e-3, 100e-3, 1), 10e-3);
  EXPECT_DOUBLE_EQ(pick(1.1e-3, 4e-3, 1), 2e-3);
  EXPECT_DOUBLE_EQ(pick(2.1e-3, 4.2e-3, 1), std::sqrt(2.1e-3 * 4.2e-3)) << "none fits";
}

TEST(Choose, ChangesNothingWhereNothingNeedsToChange) {
  EXPECT_EQ(chosen({window("wide", 1e-4, 1e-4, 1), ours(1e-3, 3e-3, 4e-3)}, 2e-3), "ours 0.002");
}

TEST(Choose, ChangesTheMethodBeforeTheStepAndTheStepBeforeBoth) {
  const Window narrow = window("narrow", 1e-3, 1e-3, 3e-3);
  const Window wide = window("wide", 1e-4, 1e-4, 5e-3);
  const Window elsewhere = window("elsewhere", 1e-2, 1e-2, 1);
  EXPECT_EQ(chosen({ours(1e-4, 1e-4, 1e-3), narrow, wide, elsewhere}, 2e-3), "wide 0.002");
  EXPECT_EQ(chosen({ours(1e-4, 1e-4, 1e-2), elsewhere}, 2), "ours 0.001");
  EXPECT_EQ(chosen({ours(2e-2, 2e-2, 1e-2), elsewhere}, 2), "elsewhere 0.1");
}

TEST(Choose, PrefersWindowsThatAreOpenAtThe99thPercentile) {
  const Window tight = window("tight", 1e-3, 1e-1, 1e-2);
  EXPECT_EQ(chosen({ours(2, 2, 1), tight, window("calm", 3e-3, 4e-3, 5e-3)}, 2e-3), "calm 0.005");
  EXPECT_EQ(chosen({ours(2, 2, 1), tight}, 2e-3), "tight 0.002");
}

TEST(Choose, PrefersMethodsThatDoNotNeedTheFuture) {
  Window future = window("future", 1e-4, 1e-4, 1);
  future.future = true;
  const Window now = window("now", 1e-3, 1e-3, 3e-3);
  EXPECT_EQ(chosen({ours(2, 2, 1), future, now}, 2e-3), "now 0.002");
  EXPECT_EQ(chosen({ours(2, 2, 1), future}, 2e-3), "future 0.002");
}

TEST(Choose, HasNothingWhereNoWindowIsOpen) {
  EXPECT_EQ(chosen({ours(2, 2, 1), window("", 5, 6, 4)}, 1), "none");
  EXPECT_EQ(chosen({}, 1), "none");
}

// The machine needs 4 ms a step; stability ends at 1 ms. Without the fastest of four states, a mode
// at 1000 1/s beyond a band of 2 1/s, the upper bound would be 3.5 ms.
struct Fixture {
  std::vector<Window> all{ours(4e-3, 5e-3, 1e-3)};
  Shortfall shortfall{.window = all.data(),
                      .error_at_lower = 0.02,
                      .split = Split{.fast = {3},
                                     .slow = {0, 1, 2},
                                     .fastest_slow = 1,
                                     .slowest_fast = 1000,
                                     .fastest_fast = 1000},
                      .upper_without_fast = 3.5e-3,
                      .band = 2,
                      .all = all};

  [[nodiscard]] std::vector<Offer> offers() { return remedies(shortfall, 1e-3); }
  [[nodiscard]] Offer offer(Remedy remedy) {
    const auto all_offers = offers();
    return *std::ranges::find(all_offers, remedy, &Offer::remedy);
  }
  [[nodiscard]] std::vector<Remedy> order() {
    std::vector<Remedy> order;
    for (const auto& o : offers()) order.push_back(o.remedy);
    return order;
  }
};

TEST(Remedies, FasterMachineIsTheRatioOfTheBounds) {
  Fixture f;
  const Offer o = f.offer(Remedy::faster_machine);
  EXPECT_TRUE(o.helps);
  EXPECT_DOUBLE_EQ(o.factor, 4);
  f.all[0].upper.stability = 0;
  EXPECT_FALSE(f.offer(Remedy::faster_machine).helps) << "no step is stable";
}

TEST(Remedies, CheaperFunctionLeavesTheFastModesOut) {
  Fixture f;
  const Offer o = f.offer(Remedy::cheaper_function);
  EXPECT_THAT(o.states, ElementsAre(3U));
  EXPECT_DOUBLE_EQ(o.share, 0.25);
  EXPECT_DOUBLE_EQ(o.error, 2.0 / 1000);
  EXPECT_DOUBLE_EQ(o.price, 2) << "twice the error asked for";
  EXPECT_DOUBLE_EQ(o.h, 3.5e-3);
  EXPECT_TRUE(o.helps) << "three states cost 3 ms";
  f.shortfall.upper_without_fast = 2.9e-3;
  EXPECT_FALSE(f.offer(Remedy::cheaper_function).helps);
  f.shortfall.split.reset();
  EXPECT_DOUBLE_EQ(f.offer(Remedy::cheaper_function).factor, 4) << "all of it";
}

TEST(Remedies, LongerStepHelpsWhereOnlyAccuracyEnds) {
  Fixture f;
  EXPECT_FALSE(f.offer(Remedy::longer_step).helps);
  f.all[0].upper = {.stability = 9e-3, .modes = 1e-3};
  const Offer o = f.offer(Remedy::longer_step);
  EXPECT_TRUE(o.helps);
  EXPECT_DOUBLE_EQ(o.h, 4e-3);
  EXPECT_DOUBLE_EQ(o.error, 0.02);
  EXPECT_DOUBLE_EQ(o.price, 20);
}

TEST(Remedies, CheaperMethodIsTheWidestWindow) {
  Fixture f;
  EXPECT_EQ(f.offer(Remedy::cheaper_method).method, "ours");
  EXPECT_FALSE(f.offer(Remedy::cheaper_method).helps);
  f.all.push_back(window("other", 1e-3, 1e-3, 2e-3));
  f.shortfall.window = f.all.data();
  f.shortfall.all = f.all;
  EXPECT_EQ(f.offer(Remedy::cheaper_method).method, "other");
  EXPECT_TRUE(f.offer(Remedy::cheaper_method).helps);
}

TEST(Remedies, AreRankedByWhetherTheyHelpAndTheirPrice) {
  Fixture f;
  using enum Remedy;
  // Prices 2 and 4; the others do not help.
  EXPECT_THAT(f.order(),
              ElementsAre(cheaper_function, faster_machine, cheaper_method, longer_step));
  f.all[0].upper = {.stability = 9e-3, .modes = 1e-3};
  f.shortfall.error_at_lower = 3e-3;
  EXPECT_THAT(f.order(),
              ElementsAre(cheaper_function, longer_step, faster_machine, cheaper_method));
}

}  // namespace
}  // namespace hild::advise
