// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fields of comma-separated values, against RFC 4180's section 2.
#include "hild/core/csv.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace hild
