// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fields of comma-separated values, against RFC 4180's section 2.
#include "hild/core/csv.hpp"

#include <gtest/gtest.h>

#include <string>

namespace hild {
namespace {

using Fields = std::vector<std::string>;

TEST(CsvField, StandsAsItIsWhereItCan) {
  EXPECT_EQ(csv_field("state.speed [rad/s]"), "state.speed [rad/s]");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a b; c"), "a b; c");
}

TEST(CsvField, StandsInQuotesWhereItWouldBeTakenForTwo) {
  EXPECT_EQ(csv_field("A[1,2]"), "\"A[1,2]\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
  EXPECT_EQ(csv_field("ends\r"), "\"ends\r\"");
  EXPECT_EQ(csv_field("6\" wheel"), "\"6\"\" wheel\"");  // rules 5 and 7
}

TEST(CsvFields, AreWhatWasWritten) {
  EXPECT_EQ(csv_fields("a,b,c"), (Fields{"a", "b", "c"}));
  EXPECT_EQ(csv_fields("\"A[1,2] [V]\",\"6\"\" wheel\",c"),
            (Fields{"A[1,2] [V]", "6\" wheel", "c"}));
  EXPECT_EQ(csv_fields(" 1 ,\t2 , \"x, y\" \r"), (Fields{"1", "2", "x, y"}));
  EXPECT_EQ(csv_fields("\"  kept \""), (Fields{"  kept "}));
}

TEST(CsvFields, MayBeEmpty) {
  EXPECT_EQ(csv_fields(""), (Fields{""}));
  EXPECT_EQ(csv_fields(","), (Fields{"", ""}));
  EXPECT_EQ(csv_fields("1,,\"\""), (Fields{"1", "", ""}));
}

TEST(CsvFields, OfALineThatIsNotWellFormed) {
  EXPECT_EQ(csv_fields("\"open, to the end"), (Fields{"open, to the end"}));
  EXPECT_EQ(csv_fields("\"a\"b,c"), (Fields{"ab", "c"}));
  EXPECT_EQ(csv_fields("\"ends with two\"\""), (Fields{"ends with two\""}));
}

TEST(CsvLines, PassOverWhatIsNoneAndCountAll) {
  const std::string text = "# a comment\n\n time , value \r\n  \n1,2\n  # another\n\"a,b\",c";
  CsvLines lines(text);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.number(), 3);
  EXPECT_EQ(lines.line(), "time , value");
  EXPECT_EQ(lines.fields(), (Fields{"time", "value"}));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.number(), 5);
  EXPECT_EQ(lines.fields(), (Fields{"1", "2"}));
  ASSERT_TRUE(lines.next()) << "the last needs no end";
  EXPECT_EQ(lines.number(), 7);
  EXPECT_EQ(lines.fields(), (Fields{"a,b", "c"}));
  EXPECT_FALSE(lines.next());
  EXPECT_FALSE(CsvLines("").next());
  EXPECT_FALSE(CsvLines("\n\n#\n").next());
}

}  // namespace
}  // namespace hild
