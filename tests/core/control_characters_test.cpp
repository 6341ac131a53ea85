// SPDX-License-Identifier: Apache-2.0
#include "core/control_characters.hpp"

#include <gtest/gtest.h>

namespace hild {
namespace {

using namespace std::string_view_literals;

TEST(ControlCharacters, AreThoseOfAsciiAndOfLatin1InUtf8) {
  EXPECT_EQ(find_control("a line, é Ü \u00A0 €"), std::string_view::npos);
  EXPECT_EQ(find_control(""), std::string_view::npos);
  EXPECT_EQ(find_control("ab\033[2J"), 2U);
  EXPECT_EQ(find_control("\0"sv), 0U);
  EXPECT_EQ(find_control("a\x7F"), 1U);
  EXPECT_EQ(find_control("a\xC2\x9B"
                         "2J"),
            1U);                                            // the other way to write ESC [
  EXPECT_EQ(find_control("\xC2"), std::string_view::npos);  // cut in the midst
}

TEST(ControlCharacters, GiveWayToOthersByteByByte) {
  EXPECT_EQ(without_controls("a\tb\nc\xC2\x85"
                             "d"),
            "a b c  d");
  EXPECT_EQ(without_controls("a\tb\n", '?', "\n"), "a?b\n");
  EXPECT_EQ(without_controls("grüße"), "grüße");
}

}  // namespace
}  // namespace hild
