// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages and descriptors by the encoding of Protocol Buffers (protobuf.dev).
#include "recording/framelog/proto.hpp"

#include <gmock/gmock.h>

#include "recording/framelog/gap.hpp"
#include "recording/mcap/files.hpp"

namespace hild::framelog::proto {
namespace {

using testing::ElementsAre;

File small() {
  return {"p",
          {{"M",
            {{"a", 1, Type::float64},
             {"b", 16, Type::message, "N", true},
             {"c", 3, Type::enumeration, "E"},
             {"d", 4, Type::sfixed64, "", false, true}}},
           {"N", {}}},
          {{"E", {"E_X", "E_Y"}}}};
}

// Written out by hand: FileDescriptorSet{file{name "p/M.proto", package "p", message_type{name "M",
// field...}, message_type{name "N"}, enum_type..., syntax "proto3"}}, numbers from
// descriptor.proto.
TEST(Proto, TheDescriptorByteForByte) {
  const std::string a(
      "\x12\x09\x0a\x01"
      "a\x18\x01 \x01(\x01",
      11);
  const std::string b(
      "\x12\x0f\x0a\x01"
      "b\x18\x10 \x03(\x0b"
      "2\x04.p.N",
      17);
  const std::string c(
      "\x12\x0f\x0a\x01"
      "c\x18\x03 \x01(\x0e"
      "2\x04.p.E",
      17);
  const std::string d(
      "\x12\x0e\x0a\x01"
      "d\x18\x04 \x01(\x10"
      "H\0\x88\x01\x01",
      16);
  const std::string choice("\x42\x04\x0a\x02_d", 6);
  const std::string e(
      "*\x15\x0a\x01"
      "E\x12\x07\x0a\x03"
      "E_X\x10\0\x12\x07\x0a\x03"
      "E_Y\x10\x01",
      23);
  const std::string message = std::string("\x0a\x01M", 3) + a + b + c + d + choice;
  const std::string file = std::string("\x0a\x09p/M.proto\x12\x01p\"") +
                           static_cast<char>(message.size()) + message + "\"\x03\x0a\x01N" + e +
                           "b\x06proto3";
  const std::string set = std::string("\x0a") + static_cast<char>(file.size());
  EXPECT_EQ(describe(small()), set + file);
}

TEST(Proto, ATemplateHoldsEveryPlace) {
  const Template two(5, Type::float64, {{1, 2}, {16, 0}});
  std::string message = "before";
  const std::array values{1.5, 2.5, 3.5};
  two.append(message, values.data());
  // Field 5 of so many bytes; tags: number << 3 | wire type 1; field 16 takes two bytes.
  ASSERT_EQ(message.size(), 6U + 2 + 9 + 10);
  EXPECT_EQ(message.substr(0, 9), "before\x2a\x13\x09");
  double value = 0;
  std::memcpy(&value, &message[9], 8);
  EXPECT_EQ(value, 3.5) << "the third of the values";
  EXPECT_EQ(message.substr(17, 2), "\x81\x01");
  std::memcpy(&value, &message[19], 8);
  EXPECT_EQ(value, 1.5);
  const Template counts(6, Type::fixed32, {{1, 1}});
  message.clear();
  const std::array numbers{7U, 0x04030201U};
  counts.append(message, numbers.data());
  EXPECT_EQ(message, "\x32\x05\x0d\x01\x02\x03\x04");
  const Template none(7, Type::float64, {});
  none.append(message, values.data());
  EXPECT_EQ(message.size(), 7U) << "a message without fields is left out";
}

TEST(Proto, EnumeratorsBearTheirKind) {
  const std::array<std::string_view, 2> words{"late_wake", "x9"};
  EXPECT_THAT(enumerators("cause", words), ElementsAre("CAUSE_LATE_WAKE", "CAUSE_X9"));
}

TEST(Gap, ComesBack) {
  std::string message;
  for (const Gap& gap :
       {Gap{0, 0, Gap::Reason::ring}, Gap{5, 7'000'000'000, Gap::Reason::trigger}}) {
    write_gap(gap, message);
    EXPECT_EQ(read_gap(mcap::bytes_of(message)), gap);
  }
  EXPECT_FALSE(read_gap(mcap::bytes_of(message).first(5))) << "cut";
  // Numbers that no run has, and that would not add up.
  write_gap({INT64_MIN, INT64_MAX, Gap::Reason::disk}, message);
  EXPECT_EQ(read_gap(mcap::bytes_of(message)), (Gap{0, 1'000'000'000'000, Gap::Reason::disk}));
  EXPECT_EQ(read_gap({}), (Gap{0, 0, Gap::Reason::ring}));
}

TEST(Proto, NamesBecomeIdentifiers) {
  std::vector<std::string> taken;
  EXPECT_EQ(identifier("shaft_speed", taken), "shaft_speed");
  EXPECT_EQ(identifier("body.x[1]", taken), "body_x_1_");
  EXPECT_EQ(identifier("body.x(1)", taken), "body_x_1__2");
  EXPECT_EQ(identifier("2nd", taken), "_2nd");
  EXPECT_EQ(identifier("", taken), "_");
  EXPECT_EQ(identifier("shaft_speed", taken), "shaft_speed_2");
  // Names that programs take for one where they have them in camel case.
  EXPECT_EQ(identifier("ShaftSpeed", taken), "ShaftSpeed_3");
  EXPECT_EQ(identifier("x1", taken), "x1");
  EXPECT_EQ(identifier("x_1", taken), "x_1_2");
  EXPECT_EQ(identifier("x_12", taken), "x_12_2") << "x_1_2 has its camel case";
}

}  // namespace
}  // namespace hild::framelog::proto
