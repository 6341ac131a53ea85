// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/live_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace hild::ctl {
namespace {

using testing::HasSubstr;

constexpr report::Style utf8{.utf8 = true, .colour = false, .width = 80};
constexpr report::Style ascii{.utf8 = false, .colour = false, .width = 80};

TEST(Series, ALineGoesFromTheLowestToTheHighest) {
  Series series(8);
  for (int i = 0; i < 8; ++i) series.add(i);
  EXPECT_EQ(series.sparkline(utf8), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(series.sparkline(ascii), "_.,-~+*#");
}

TEST(Series, OnlyTheLastValuesCount) {
  Series series(2);
  for (const double v : {100.0, 1.0, 3.0}) series.add(v);
  EXPECT_EQ(series.lowest(), 1);
  EXPECT_EQ(series.highest(), 3);
  EXPECT_EQ(series.sparkline(utf8), "▁█");
}

TEST(Series, WhatNeverChangesIsInTheMiddle) {
  Series series(3);
  series.add(5);
  series.add(5);
  EXPECT_EQ(series.sparkline(utf8), "▅▅");
}

TEST(Series, WhatIsNoNumberIsABlank) {
  Series series(4);
  series.add(std::nan(""));
  EXPECT_TRUE(std::isnan(series.lowest()));
  series.add(1);
  series.add(std::numeric_limits<double>::infinity());
  series.add(2);
  EXPECT_EQ(series.sparkline(utf8), " ▁ █");
}

TEST(LiveTable, IsDrawnOverItself) {
  const auto table = live_table({{"speed", "x"}, {"rad/s", "1"}}, utf8);
  EXPECT_EQ(table->begin(), "\x1b[?25l");
  EXPECT_EQ(table->sample({99, 0.1, {1, 5}}), "");
  EXPECT_EQ(table->sample({199, 0.2, {2, 5}}), "");
  EXPECT_EQ(table->shown(0),
            "frame 199  0.200 s\x1b[K\n"
            "speed  2  rad/s  ▁█  1  ...  2\x1b[K\n"
            "x      5         ▅▅  5  ...  5\x1b[K\n");
  table->sample({299, 0.3, {3, 5}});
  const std::string again = table->shown(4);
  EXPECT_TRUE(again.starts_with("\x1b[3Aframe 299  0.300 s  4 samples lost"));
  EXPECT_EQ(table->end(), "\x1b[?25h");
}

TEST(LiveTable, HasWhatIsToBeKnownAboveTheValues) {
  const auto table = live_table({{"speed"}, {"rad/s"}}, utf8);
  table->sample({99, 0.1, {1}});
  table->shown(0);
  const std::string two = table->told({"run: frozen", "faults: x"}, {"run: frozen"});
  EXPECT_TRUE(
      two.starts_with("\x1b[2Aframe 99  0.100 s\x1b[K\nrun: frozen\x1b[K\nfaults: x\x1b[K\n"));
  const std::string none = table->told({}, {"run: running"});
  EXPECT_TRUE(none.starts_with("\x1b[4Aframe 99")) << "over all that was drawn";
  EXPECT_TRUE(none.ends_with("\x1b[J")) << "and what is left below is cleared";
  EXPECT_TRUE(table->shown(0).starts_with("\x1b[2A"));
}

TEST(LiveTable, NoLineIsLongerThanTheTerminal) {
  const auto table = live_table({{std::string(90, 'n')}, {"V"}}, utf8);
  table->sample({1, 0, {1}});
  const std::string text = table->shown(0);
  EXPECT_THAT(text, HasSubstr("…\x1b[K\n"));
}

}  // namespace
}  // namespace hild::ctl
