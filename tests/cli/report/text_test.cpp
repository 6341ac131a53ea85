// SPDX-License-Identifier: Apache-2.0
#include "cli/report/text.hpp"

#include <gtest/gtest.h>

#include "styles.hpp"

namespace hild::report {
namespace {

constexpr Style utf8{.utf8 = true, .colour = false, .width = 80};
constexpr Style colourful{.utf8 = false, .colour = true, .width = 80};

TEST(Text, WidthsCountCharacters) {
  EXPECT_EQ(columns("Ångström"), 8);
  EXPECT_EQ(columns("⠤⠒"), 2);
  EXPECT_EQ(right("µ", 3, utf8), "  µ");
}

TEST(Text, LongNamesEndInAnEllipsis) {
  EXPECT_EQ(cut("shaft_speed", 11, utf8), "shaft_speed");
  EXPECT_EQ(cut("shaft_speed", 10, utf8), "shaft_spe…");
  EXPECT_EQ(cut("shaft_speed", 10, ascii), "shaft_s...");
  EXPECT_EQ(cut("Ångström", 4, utf8), "Ång…");
  EXPECT_EQ(cut("shaft_speed", 2, ascii), "sh");
  EXPECT_EQ(left("speed", 7, ascii), "speed  ");
}

TEST(Text, Wraps) {
  EXPECT_EQ(wrapped("one two three four", 9, 2), "one two\n  three\n  four");
  EXPECT_EQ(wrapped("one two", 7, 0), "one two");
  EXPECT_EQ(wrapped("unbreakable", 4, 0), "unbreakable");
  EXPECT_EQ(wrapped("", 4, 0), "");
}

TEST(Text, GroupsDigitsFromFiveOn) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(9999), "9999");
  EXPECT_EQ(grouped(10000), "10 000");
  EXPECT_EQ(grouped(1234567), "1 234 567");
  EXPECT_EQ(grouped(-123456), "-123 456");
}

TEST(Text, PaintsOnlyInColour) {
  EXPECT_EQ(painted("late", Colour::red, ascii), "late");
  EXPECT_EQ(painted("late", Colour::red, colourful), "\x1b[31mlate\x1b[0m");
}

TEST(Text, Bars) {
  EXPECT_EQ(bar(0.5, 10, ascii), "#####");
  EXPECT_EQ(bar(0.5, 5, utf8), "██▌");
  EXPECT_EQ(bar(1e-6, 10, ascii), "#") << "what happened must be seen";
  EXPECT_EQ(bar(1e-6, 10, utf8), "▏");
  EXPECT_EQ(bar(0, 10, utf8), "");
  EXPECT_EQ(bar(3, 4, ascii), "####");
}

TEST(Text, GaugesHaveTheirWidthAndMark) {
  EXPECT_EQ(gauge(0.3, 10, ascii), "###.......");
  EXPECT_EQ(gauge(0.3, 11, ascii, 0.8), "###.....|..");
  EXPECT_EQ(gauge(0.95, 11, ascii, 0.8), "########|#.");
  EXPECT_EQ(gauge(0.5, 4, utf8), "██░░");
  EXPECT_EQ(gauge(7, 4, ascii), "####");
}

TEST(Style, ColourNeedsATerminalAndNoNoColor) {
  EXPECT_TRUE(style_for(Terminal{.tty = true}).colour);
  EXPECT_FALSE(style_for(Terminal{.tty = false}).colour);
  EXPECT_FALSE(style_for(Terminal{.tty = true, .no_color = "1"}).colour);
  EXPECT_TRUE(style_for(Terminal{.tty = true, .no_color = ""}).colour) << "set but empty";
}

TEST(Style, Utf8NeedsALocaleThatSaysSo) {
  EXPECT_TRUE(style_for(Terminal{.locale = "de_DE.UTF-8"}).utf8);
  EXPECT_TRUE(style_for(Terminal{.locale = "C.utf8"}).utf8);
  EXPECT_FALSE(style_for(Terminal{.locale = "C"}).utf8);
  EXPECT_FALSE(style_for(Terminal{.locale = nullptr}).utf8);
}

TEST(Style, Width) {
  EXPECT_EQ(style_for(Terminal{}).width, 80);
  EXPECT_EQ(style_for(Terminal{.columns = 100}).width, 100);
  EXPECT_EQ(style_for(Terminal{.columns = 20}).width, 64);
  EXPECT_EQ(style_for(Terminal{.columns = 400}).width, 120);
}

}  // namespace
}  // namespace hild::report
