// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is wrong in a file is told with its line, and what is expected instead.
#include <gmock/gmock.h>

#include <string>

#include "drivers/dbc/dbc.hpp"

namespace hild::can {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string problem(std::string_view text) {
  const auto read = read_dbc(text, "a.dbc");
  return read ? "none" : read.error().message;
}

/// Lines from the third on, below a message of 8 bytes with a signal in its first.
std::string below(std::string_view lines) {
  return problem(fmt::format("BO_ 7 M: 8 N\n SG_ A : 0|8@1+ (1,0) [0|0] \"\" N\n{}", lines));
}
/// A signal in line 3.
std::string signal(std::string_view text) { return below(fmt::format(" SG_ {}\n", text)); }

constexpr std::string_view rest = " (1,0) [0|0] \"\" N";

TEST(DbcErrors, NamesAndIdentifiersAreUnique) {
  EXPECT_THAT(below("BO_ 8 O: 8 N\nBO_ 7 P: 8 N\n"),
              AllOf(StartsWith("a.dbc:4: "), HasSubstr("identifier 7 of message 'M' (line 1)")));
  EXPECT_EQ(below("BO_ 2147483655 P: 8 N\n"), "none") << "one of 29 bits is another";
  EXPECT_THAT(
      below("BO_ 8 M: 8 N\n"),
      AllOf(StartsWith("a.dbc:3: "), HasSubstr("second message 'M' (the first is in line 1)")));
  EXPECT_THAT(signal("A : 8|8@1+ (1,0) [0|0] \"\" N"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("second signal 'A' in message 'M'"),
                    HasSubstr("line 2")));
  EXPECT_EQ(below("BO_ 8 O: 8 N\n SG_ A : 8|8@1+ (1,0) [0|0] \"\" N\n"), "none");
}

TEST(DbcErrors, Messages) {
  EXPECT_THAT(problem("BO_ 2048 M: 8 N\n"),
              AllOf(StartsWith("a.dbc:1: "), HasSubstr("identifier 2048; expected 0 to 2047")));
  EXPECT_EQ(problem("BO_ 2047 M: 8 N\n"), "none");
  EXPECT_EQ(problem("BO_ 2684354559 M: 8 N\n"), "none");  // 2^31 + 2^29 - 1
  EXPECT_THAT(problem("BO_ 2684354560 M: 8 N\n"), HasSubstr("expected 0 to 2047"));
  EXPECT_THAT(problem("BO_ 4294967296 M: 8 N\n"), HasSubstr("identifier 4294967296"));
  EXPECT_THAT(problem("BO_ -1 M: 8 N\n"), HasSubstr("expected the identifier"));
  EXPECT_THAT(problem("BO_ 1 M: 65 N\n"), HasSubstr("65 bytes; expected 0 to 64"));
  EXPECT_EQ(problem("BO_ 1 M: 64 N\nBO_ 2 O: 0 N\n"), "none");
}

TEST(DbcErrors, PlacesOfSignals) {
  EXPECT_EQ(signal("B : 8|56@1+ (1,0) [0|0] \"\" N"), "none");
  EXPECT_THAT(signal("B : 9|56@1+ (1,0) [0|0] \"\" N"),
              AllOf(StartsWith("a.dbc:3: signal 'B' of message 'M' "),
                    HasSubstr("byte 8; expected it within the 8 bytes")));
  EXPECT_EQ(signal("B : 15|56@0+ (1,0) [0|0] \"\" N"), "none");
  EXPECT_THAT(signal("B : 14|56@0+ (1,0) [0|0] \"\" N"), HasSubstr("reaches into byte 8"));
  EXPECT_THAT(signal("B : 512|1@1+ (1,0) [0|0] \"\" N"), HasSubstr("begins with bit 512"));
  EXPECT_THAT(signal("B : 8|0@1+ (1,0) [0|0] \"\" N"), HasSubstr("0 bits; expected 1 to 64"));
  EXPECT_THAT(signal("B : 8|65@1+ (1,0) [0|0] \"\" N"), HasSubstr("65 bits"));
}

TEST(DbcErrors, NumbersOfSignals) {
  EXPECT_THAT(signal("B : 8|8@1+ (0,0) [0|0] \"\" N"), HasSubstr("has the factor 0"));
  EXPECT_THAT(
      signal("B : 8|8@1+ (nan,0) [0|0] \"\" N"),
      AllOf(StartsWith("a.dbc:3: "), HasSubstr("expected the factor"), HasSubstr("'nan,0)")));
  EXPECT_THAT(signal("B : 8|8@1+ (1,inf) [0|0] \"\" N"), HasSubstr("expected the offset"));
  EXPECT_THAT(signal("B : 8|8@1+ (1e999,0) [0|0] \"\" N"), HasSubstr("expected the factor"));
  EXPECT_THAT(signal("B : 8|8@1+ (1e307,0) [0|0] \"\" N"), HasSubstr("more than a double holds"));
  EXPECT_THAT(signal("B : 8|8@2+ (1,0) [0|0] \"\" N"), HasSubstr("expected the byte order"));
  EXPECT_THAT(signal("B : 8|8@1 (1,0) [0|0] \"\" N"), HasSubstr("expected + (unsigned)"));
  EXPECT_THAT(below("SIG_VALTYPE_ 7 A : 1;\n"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("8 bits and is a float; expected 32 bits")));
  EXPECT_THAT(below("SIG_VALTYPE_ 7 A : 2;\n"), HasSubstr("expected 64 bits"));
  EXPECT_THAT(below("SIG_VALTYPE_ 7 A : 3;\n"), HasSubstr("of the kind 3"));
  EXPECT_EQ(below("SIG_VALTYPE_ 7 A 0;\n"), "none");
  EXPECT_THAT(below("SIG_VALTYPE_ 7 B : 1;\n"), HasSubstr("there is none"));
}

TEST(DbcErrors, Overlaps) {
  EXPECT_THAT(
      signal("B : 7|2@1+ (1,0) [0|0] \"\" N"),
      AllOf(StartsWith("a.dbc:3: signals 'A' (line 2) and 'B' of message 'M' overlap in bit 7")));
  // Motorola from bit 8 on: the last of byte 1, then the first of byte 2.
  EXPECT_THAT(
      below(" SG_ B : 8|9@0+ (1,0) [0|0] \"\" N\n SG_ C : 16|1@1+ (1,0) [0|0] \"\" N\n"),
      AllOf(StartsWith("a.dbc:4: "), HasSubstr("'B' (line 3) and 'C'"), HasSubstr("bit 16")));
  EXPECT_EQ(below(" SG_ B : 8|8@0+ (1,0) [0|0] \"\" N\n SG_ C : 16|1@1+ (1,0) [0|0] \"\" N\n"),
            "none");  // bits 8 and 23 ... 17
}

/// A switch in the first byte of a message, and signals.
std::string switched(std::string_view lines) {
  return problem(fmt::format("BO_ 7 M: 8 N\n SG_ S M : 0|8@1+{}\n{}", rest, lines));
}
std::string line(std::string_view name_and_mark, int start, int length) {
  return fmt::format(" SG_ {} : {}|{}@1+{}\n", name_and_mark, start, length, rest);
}

TEST(DbcErrors, OverlapsOfWhatIsSwitched) {
  EXPECT_EQ(switched(line("A m0", 8, 8) + line("B m1", 8, 8) + line("C m0", 16, 8)), "none");
  EXPECT_THAT(
      switched(line("A m1", 8, 8) + line("B m0", 8, 8) + line("C m1", 15, 2)),
      AllOf(StartsWith("a.dbc:5: "), HasSubstr("'A' (line 3) and 'C'"), HasSubstr("bit 15")));
  EXPECT_THAT(switched(line("A m1", 8, 8) + line("B", 8, 8)), HasSubstr("'A' (line 3) and 'B'"));
  EXPECT_THAT(switched(line("A m1", 7, 8)), HasSubstr("'S' (line 2) and 'A'"));
  const std::string two = line("A m0", 8, 8) + line("B m1", 8, 8);
  EXPECT_EQ(switched(two + "SG_MUL_VAL_ 7 A S 0-3, 9-9;\nSG_MUL_VAL_ 7 B S 4-8;\n"), "none");
  EXPECT_THAT(switched(two + "SG_MUL_VAL_ 7 A S 0-3, 9-9;\nSG_MUL_VAL_ 7 B S 4-9;\n"),
              AllOf(StartsWith("a.dbc:4: "), HasSubstr("overlap in bit 8")));
  // A is no longer there where C comes, but B is.
  EXPECT_THAT(switched(line("A m0", 8, 8) + line("B m0", 16, 8) + line("C m5", 16, 8) +
                       "SG_MUL_VAL_ 7 A S 0-3;\nSG_MUL_VAL_ 7 B S 0-9;\n"),
              HasSubstr("'B' (line 4) and 'C'"));
}

TEST(DbcErrors, OverlapsBelowSwitchesOfTheirOwn) {
  // T and U are there by other values of S; what they switch may have the same bits.
  const std::string nested = line("T m0M", 8, 8) + line("U m1M", 8, 8) + line("V m0", 16, 8) +
                             line("W m0", 16, 8) + "SG_MUL_VAL_ 7 T S 0-0;\n";
  EXPECT_EQ(
      switched(nested + "SG_MUL_VAL_ 7 U S 1-1;\nSG_MUL_VAL_ 7 V T 0-0;\nSG_MUL_VAL_ 7 W U 0-0;\n"),
      "none");
  EXPECT_THAT(
      switched(nested + "SG_MUL_VAL_ 7 U S 1-1;\nSG_MUL_VAL_ 7 V T 0-0;\nSG_MUL_VAL_ 7 W T 0-0;\n"),
      HasSubstr("'V' (line 5) and 'W'"));
  // Of two switches that are always there, all values come together.
  const std::string beside = line("R M", 8, 8) + line("V m0", 16, 8) + line("W m1", 16, 8);
  EXPECT_THAT(switched(beside + "SG_MUL_VAL_ 7 V S 0-0;\nSG_MUL_VAL_ 7 W R 1-1;\n"),
              HasSubstr("'V' (line 4) and 'W'"));
  EXPECT_EQ(switched(beside + "SG_MUL_VAL_ 7 V S 0-0;\nSG_MUL_VAL_ 7 W S 1-1;\n"), "none");
}

TEST(DbcErrors, Switches) {
  EXPECT_THAT(signal(std::string("B m0 : 8|8@1+") + std::string(rest)),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("expected a signal marked M")));
  EXPECT_THAT(switched(line("R M", 8, 8)),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("two switches, 'S' (line 2) and 'R'")));
  EXPECT_THAT(switched(line("R M", 8, 8) + line("A m0", 16, 8) + line("B m0", 24, 8) +
                       "SG_MUL_VAL_ 7 A S 0-0;\n"),
              HasSubstr("two switches"));
  const std::string a = line("A m0", 8, 8);
  EXPECT_THAT(switched(a + "SG_MUL_VAL_ 7 A X 0-0;\n"),
              AllOf(StartsWith("a.dbc:4: "), HasSubstr("switch 'X' of signal 'A' is no signal")));
  EXPECT_THAT(switched(a + line("B", 16, 8) + "SG_MUL_VAL_ 7 A B 0-0;\n"),
              HasSubstr("not marked M"));
  EXPECT_THAT(switched(a + "SG_MUL_VAL_ 7 X S 0-0;\n"), HasSubstr("there is none"));
  EXPECT_THAT(switched(a + "SG_MUL_VAL_ 7 A S 0-0;\nSG_MUL_VAL_ 7 A S 1-1;\n"),
              AllOf(StartsWith("a.dbc:5: "), HasSubstr("a second SG_MUL_VAL_")));
  EXPECT_THAT(switched(a + "SG_MUL_VAL_ 7 A S 3-2;\n"), HasSubstr("3-2"));
  EXPECT_THAT(switched(line("B m0M", 8, 8) + line("C m0M", 16, 8) +
                       "SG_MUL_VAL_ 7 B C 0-0;\nSG_MUL_VAL_ 7 C B 0-0;\n"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("by a signal that it switches itself")));
  EXPECT_THAT(signal("B x3 : 8|8@1+ (1,0) [0|0] \"\" N"), HasSubstr("found 'x3'"));
  EXPECT_THAT(signal("B m : 8|8@1+ (1,0) [0|0] \"\" N"), HasSubstr("found 'm'"));
}

TEST(DbcErrors, WhatIsCutOff) {
  EXPECT_THAT(below("CM_ SG_ 7 A \"no\nend;\n"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("the text \"no has no end")));
  EXPECT_THAT(below("CM_ SG_ 7 A \"two\nlines\";\nBO_ 7 P: 8 N\n"), StartsWith("a.dbc:5: "));
  EXPECT_THAT(below("CM_ SG_ 7 A \"\"\n"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("expected a ';'")));
  EXPECT_THAT(below("BO_ 8"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("found the end of the file")));
  EXPECT_THAT(problem("\n SG_ A : 0|8@1+ (1,0) [0|0] \"\" N\n"),
              AllOf(StartsWith("a.dbc:2: "), HasSubstr("before any message")));
  EXPECT_THAT(problem("\n\n\x01 x"), AllOf(StartsWith("a.dbc:3: "), HasSubstr("found '? x'")));
  EXPECT_THAT(below("VAL_ 7 A T ;\n"), AllOf(StartsWith("a.dbc:3: "), HasSubstr("no table 'T'")));
  EXPECT_THAT(below("VAL_ 7 A 0 \"a\" \"b\" ;\n"), HasSubstr("expected a raw value"));
  EXPECT_THAT(below("BA_ \"GenMsgCycleTime\" BO_ 7 -5;\n"),
              AllOf(StartsWith("a.dbc:3: "), HasSubstr("-5 ms; expected 0")));
}

TEST(DbcErrors, WhatIsTooLarge) {
  EXPECT_THAT(problem(std::string(most_dbc_bytes + 1, ' ')), HasSubstr("16777217 bytes"));
  EXPECT_EQ(problem(std::string(most_dbc_bytes, ' ')), "none");
  EXPECT_EQ(problem("BO_ 1 " + std::string(255, 'A') + ": 8 N\n"), "none");
  EXPECT_THAT(problem("BO_ 1 " + std::string(256, 'A') + ": 8 N\n"),
              AllOf(StartsWith("a.dbc:1: "), HasSubstr("256 characters; expected at most 255")));
  std::string many;
  for (std::size_t i = 0; i <= most_dbc_messages; ++i) {
    many += fmt::format("BO_ {} M{}:0 N\n", i + 0x80000000U, i);
  }
  EXPECT_THAT(problem(many), AllOf(StartsWith("a.dbc:100001: "), HasSubstr("more than 100000")));
}

// As many signals as a file can have that are all in the same bits: compared one with the other
// they would take hours.
TEST(DbcErrors, ManySignalsInTheSameBitsTakeNoLonger) {
  std::string many = "BO_ 7 M: 8 N\n SG_ S M:0|32@1+(1,0)[0|0]\"\"\n";
  std::size_t count = 0;
  for (; many.size() < 12'000'000; ++count) {
    many += fmt::format("SG_ A{0} m{0}:32|32@1+(1,0)[0|0]\"\"\n", count);
  }
  const auto read = read_dbc(many, "a.dbc");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->messages.at(0).signals.size(), count + 1);
  many += fmt::format("SG_ B m{}:32|1@1+(1,0)[0|0]\"\"\n", count / 2);
  EXPECT_THAT(problem(many), HasSubstr(fmt::format("'A{}' (line ", count / 2)));
}

}  // namespace
}  // namespace hild::can
