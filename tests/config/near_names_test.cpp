// SPDX-License-Identifier: Apache-2.0
#include "config/near_names.hpp"

#include <gtest/gtest.h>

#include "config/parse.hpp"

namespace hild::config {
namespace {

TEST(NearNames, Distance) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("period", "Period"), 0U) << "case does not count";
  EXPECT_EQ(edit_distance("perod", "period"), 1U) << "a letter missing";
  EXPECT_EQ(edit_distance("sfae", "safe"), 1U) << "neighbours swapped";
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearNames, Suggestions) {
  EXPECT_EQ(suggest("perod", {"rate", "period"}), "did you mean \"period\"?");
  EXPECT_EQ(suggest("xyzzy", {"rate", "period"}), "expected one of: \"rate\", \"period\"");
  EXPECT_EQ(suggest("xyzzy", {}), "expected none here");
  EXPECT_FALSE(near(std::string(100'000, 'a'), std::string(100'000, 'a'))) << "never compared";
}

TEST(Utf8, FindsTheFirstByteThatIsNotText) {
  const std::string text = "µ°Ω \t\r\n plain \xf0\x9f\x98\x80";
  EXPECT_EQ(first_bad_byte(text), text.size()) << "no such byte";
  EXPECT_EQ(first_bad_byte("ab\x01"), 2U) << "a control character";
  EXPECT_EQ(first_bad_byte("a\x80"), 1U) << "a continuation without its lead";
  EXPECT_EQ(first_bad_byte("a\xc3"), 1U) << "cut short";
  EXPECT_EQ(first_bad_byte("a\xc3(b"), 1U) << "no continuation";
  EXPECT_EQ(first_bad_byte("\xc1\x81"), 0U) << "written longer than needed";
  EXPECT_EQ(first_bad_byte("\xed\xa0\x80"), 0U) << "a surrogate";
  EXPECT_EQ(first_bad_byte("\xf4\x90\x80\x80"), 0U) << "beyond the last code point";
}

}  // namespace
}  // namespace hild::config
