// SPDX-License-Identifier: Apache-2.0
#include "cli/report/plot.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "styles.hpp"

namespace hild::report {
namespace {

PlottedSignal ramp() {
  PlottedSignal s{.name = "shaft_speed", .unit = "rad/s", .points = {}, .latest = 10};
  for (int i = 0; i <= 10; ++i) {
    const double v = i;
    s.points.push_back({.t = v, .low = v, .high = v, .middle = v});
  }
  return s;
}

TEST(Canvas, BrailleDotsAreWhereTheStandardHasThem) {
  Canvas canvas(2, 1, true);
  EXPECT_EQ(canvas.width(), 4);
  EXPECT_EQ(canvas.height(), 4);
  canvas.dot(0, 0);
  canvas.dot(0, 3);
  EXPECT_EQ(canvas.row(0), "⡁ ");  // dots 1 and 7
  canvas.dot(1, 1);
  canvas.dot(3, 2);
  EXPECT_EQ(canvas.row(0), "⡑⠠");  // and 5; 6
}

TEST(Canvas, DotsOutsideAreNotDrawn) {
  Canvas canvas(2, 2, false);
  canvas.dot(-1, 0);
  canvas.dot(0, 2);
  canvas.dot(2, 1);
  EXPECT_EQ(canvas.row(0) + canvas.row(1), "    ");
}

TEST(Canvas, LinesHaveNoGaps) {
  Canvas canvas(5, 3, false);
  canvas.line(0, 2, 4, 0);
  EXPECT_EQ(canvas.row(0), "   **");  // halves are rounded onwards
  EXPECT_EQ(canvas.row(1), " **  ");
  EXPECT_EQ(canvas.row(2), "*    ");
}

TEST(Scale, StepsAreRound) {
  EXPECT_DOUBLE_EQ(round_scale(0, 10, 4).step, 5);
  EXPECT_DOUBLE_EQ(round_scale(0, 10, 5).step, 2);
  EXPECT_DOUBLE_EQ(round_scale(0, 0.3, 3).step, 0.1);
  EXPECT_DOUBLE_EQ(round_scale(-7, 130, 4).step, 50);
}

TEST(Scale, EndsThatAreNearlyRoundBecomeSo) {
  const Scale s = round_scale(0.008, 9.99, 5);
  EXPECT_DOUBLE_EQ(s.low, 0);
  EXPECT_DOUBLE_EQ(s.high, 10);
  EXPECT_DOUBLE_EQ(round_scale(-1, 148, 4).low, -1) << "room is not wasted";
}

TEST(Scale, AConstantHasRoomAroundIt) {
  const Scale five = round_scale(5, 5, 4);
  EXPECT_LT(five.low, 5);
  EXPECT_GT(five.high, 5);
  const Scale zero = round_scale(0, 0, 4);
  EXPECT_DOUBLE_EQ(zero.low, -1);
  EXPECT_DOUBLE_EQ(zero.high, 1);
}

TEST(Scale, TicksAndLabels) {
  const Scale s = round_scale(-0.25, 0.3, 3);
  ASSERT_DOUBLE_EQ(s.step, 0.2);
  const auto ticks = s.ticks(s.low, s.high);
  ASSERT_EQ(ticks.size(), 3U);
  EXPECT_EQ(s.label(ticks[0]), "-0.2");
  EXPECT_EQ(s.label(ticks[1]), "0.0");
  EXPECT_EQ(s.label(ticks[2]), "0.2");
  EXPECT_EQ((Scale{.low = 0, .high = 1e9, .step = 5e8}.label(5e8)), "5e+08");
}

// A line from (0, 0) to (10, 10) on 11 by 11 characters: every point on the diagonal.
TEST(LinePlot, AKnownLineIsWhereItBelongs) {
  EXPECT_EQ(line_plot(ramp(), ascii, {.columns = 11, .rows = 11}),
            " ** shaft_speed   min 0  max 10  last 10 rad/s\n"
            "  10 +          *\n"
            "     |         *\n"
            "     |        *\n"
            "     |       *\n"
            "     |      *\n"
            "   5 +     *\n"
            "     |    *\n"
            "     |   *\n"
            "     |  *\n"
            "     | *\n"
            "   0 +*\n"
            "     ++----+----+\n"
            "      0    5   10 s\n");
}

TEST(LinePlot, TheSameInBraille) {
  const Style utf8{.utf8 = true, .colour = false, .width = 80};
  EXPECT_EQ(line_plot(ramp(), utf8, {.columns = 8, .rows = 4}),
            " ⠤⠒ shaft_speed   min 0  max 10  last 10 rad/s\n"
            "  10 ┤      ⡠⠊\n"
            "   5 ┤    ⡠⠊\n"
            "     │  ⡠⠊\n"
            "   0 ┤⡠⠊\n"
            "     └┴───┴──┴\n"
            "      0   5 10 s\n");
}

TEST(LinePlot, ASpikeWithinAPointIsSeen) {
  PlottedSignal s{.name = "y", .unit = "1", .points = {}, .latest = 0};
  for (int i = 0; i <= 4; ++i) s.points.push_back({.t = i * 1.0, .low = 0, .high = 0, .middle = 0});
  s.points[2].high = 10;
  EXPECT_EQ(line_plot(s, ascii, {.columns = 9, .rows = 3}),
            " ** y   min 0  max 10  last 0\n"
            "  10 +    *\n"
            "   5 +    *\n"
            "   0 +*********\n"
            "     ++---+---+\n"
            "      0   2   4 s\n");
}

TEST(LinePlot, NothingToDraw) {
  PlottedSignal s{.name = "y", .unit = "", .points = {}, .latest = 0};
  EXPECT_EQ(line_plot(s, ascii), " y: no data\n");
  s.points.push_back({.t = 0, .low = NAN, .high = NAN, .middle = NAN});
  EXPECT_EQ(line_plot(s, ascii), " y: no data\n");
}

TEST(LinePlot, ASinglePointAndAConstant) {
  const PlottedSignal s{.name = "y", .unit = "V", .points = {{0, 5, 5, 5}}, .latest = 5};
  const std::string text = line_plot(s, ascii, {.columns = 9, .rows = 3});
  EXPECT_NE(text.find("5.0 +*\n"), std::string::npos) << text;
}

TEST(LinePlot, SignalsOfATraceAreNamedByTheDescription) {
  constexpr std::array outputs{model::Output{"shaft_speed", "rad/s"},
                               model::Output{"current", "A"}};
  const record::Trace trace({1});
  const auto signals = signals_of(trace, outputs);
  ASSERT_EQ(signals.size(), 1U);
  EXPECT_EQ(signals[0].name, "current");
  EXPECT_EQ(signals[0].unit, "A");
  EXPECT_TRUE(signals[0].points.empty());
}

}  // namespace
}  // namespace hild::report
