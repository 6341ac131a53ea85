// SPDX-License-Identifier: Apache-2.0
/// \file
/// An advice written by hand, as text, as bars and as JSON.
#include "cli/report/advice.hpp"

#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <sstream>

#include "cli/report/text.hpp"

namespace hild::report {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// "ours" is open from 1 ms (at the p99: 10 ms) to 100 ms, "shut" needs 100 ms and ends at 1 ms.
advise::Advice sample() {
  advise::Advice a;
  a.config_file = "x.yaml";
  a.model = "model";
  a.states = {"a", "b"};
  a.method = "ours";
  a.h = 100e-6;
  advise::Window w;
  w.candidate = {.name = "ours", .configured = true};
  w.lower = 1e-3;
  w.lower_p99 = 10e-3;
  w.upper.stability = 100e-3;
  a.windows.push_back(w);
  w.candidate = {.name = "shut"};
  w.future = true;
  w.lower = w.lower_p99 = 100e-3;
  w.upper = {.modes = 1e-3};
  a.windows.push_back(w);
  return a;
}

TEST(AdviceChart, DrawsWindowsOnALogarithmicAxis) {
  // 20 columns of names, and 31 of three decades from 100 us: ten columns each.
  const std::string chart = windows_chart(sample(), {.utf8 = false, .colour = false, .width = 51});
  EXPECT_THAT(chart, HasSubstr(" ours              |         ----------###########\n"));
  EXPECT_THAT(chart, HasSubstr(" shut              |         <                   >\n"));
  EXPECT_THAT(chart, HasSubstr("\n                   100 us    1 ms      10 ms"));
}

TEST(AdviceTable, TellsNeedsBoundsAndLimits) {
  const std::string table = windows_table(sample(), {.utf8 = false, .colour = false, .width = 80});
  EXPECT_THAT(table, AllOf(HasSubstr("=ours"), HasSubstr("stability"), HasSubstr("shut*"),
                           HasSubstr("needs inputs from the future"), HasSubstr("100 ms")));
}

TEST(AdviceText, TellsWhatWasMeasuredBesideWhatWasClaimed) {
  advise::Advice a = sample();
  const Style style{.utf8 = false, .colour = false, .width = 80};
  EXPECT_THAT(advice_text(a, style), Not(HasSubstr("Tried")));
  advise::Window& ours = a.windows[0];
  ours.at_lower = {.h = 10e-3, .span = 1, .claimed = 2e-5, .measured = 3e-5};
  ours.at_upper = {.h = 100e-3, .span = 1, .claimed = 1e-3, .measured = 1.9e-3};
  const std::string table =
      " ours                 10 ms   2.0e-05    3.0e-05    100 ms   1.0e-03    1.9e-03\n";
  EXPECT_THAT(advice_text(a, style),
              AllOf(HasSubstr("Tried"), HasSubstr(table), Not(HasSubstr("More is measured"))));
  ours.at_upper->measured = 2.1e-3;
  EXPECT_THAT(advice_text(a, style), HasSubstr("More is measured than claimed"));
  ours.at_upper->measured.reset();
  EXPECT_THAT(advice_text(a, style), HasSubstr("100 ms   1.0e-03      fails\n"));
}

TEST(AdviceText, TellsOfABoundThatTrialsLowered) {
  advise::Advice a = sample();
  a.windows[0].stability_of_modes = 0.4;
  const std::string text = advice_text(a, {.utf8 = false, .colour = false, .width = 80});
  EXPECT_THAT(text, AllOf(HasSubstr("  100 ms!"), HasSubstr("did not survive"),
                          HasSubstr("ours: stable up to 400 ms by its modes, but in trials only "
                                    "up to 100 ms")));
  const auto json = advice_json(a);
  const auto& window = json.at("windows").at(0);
  EXPECT_EQ(window.at("stability_of_modes_s").to_number<double>(), 0.4);
  EXPECT_EQ(window.at("stability_s").to_number<double>(), 0.1);
  EXPECT_TRUE(window.at_pointer("/trials/upper").is_null()) << "not tried";
}

TEST(AdviceText, SaysWhereTheConfiguredStepStands) {
  advise::Advice a = sample();
  EXPECT_THAT(verdict_of(a), HasSubstr("too short for ours: the machine needs 1 ms"));
  a.h = 0.2;
  EXPECT_THAT(verdict_of(a), HasSubstr("too long for ours: stability ends at 100 ms"));
  a.h = 5e-3;
  EXPECT_THAT(verdict_of(a), HasSubstr("one frame in a hundred may overrun"));
  a.h = 20e-3;
  EXPECT_THAT(verdict_of(a), HasSubstr("inside its window, 1 ms ... 100 ms."));
  a.configured = 1;
  EXPECT_THAT(verdict_of(a), HasSubstr("the accuracy of the modes ends at 1 ms"));
}

TEST(AdviceText, FitsItsWidth) {
  advise::Advice a = sample();
  a.offers = {{.remedy = advise::Remedy::cheaper_function, .helps = true, .states = {0, 1}},
              {.remedy = advise::Remedy::faster_machine, .helps = true, .factor = 4}};
  for (const int width : {64, 80, 120}) {
    const std::string text = advice_text(a, {.utf8 = true, .colour = false, .width = width});
    EXPECT_THAT(text, AllOf(HasSubstr("4 times this one"), Not(HasSubstr("nan"))));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns(line), std::max(width, 80)) << line;
    }
  }
}

TEST(AdviceJson, HasNullWhereNothingBounds) {
  const auto json = advice_json(sample());
  const auto& window = json.at("windows").at(0);
  EXPECT_EQ(window.at("stability_s").to_number<double>(), 100e-3);
  EXPECT_TRUE(window.at("modes_s").is_null());
  EXPECT_EQ(window.at("limited_by"), "stability");
  EXPECT_EQ(window.at("open_at_p99"), true);
  EXPECT_TRUE(json.at("recommendation").is_null());
}

TEST(ShortTime, HasThreeDigits) {
  EXPECT_EQ(short_time(1e-3), "1 ms");
  EXPECT_EQ(short_time(999.9e-6), "1 ms");
  EXPECT_EQ(short_time(31.24e-6), "31.2 us");
  EXPECT_EQ(short_time(2e-9), "2 ns");
  EXPECT_EQ(short_time(advise::unbounded), "-");
}

}  // namespace
}  // namespace hild::report
