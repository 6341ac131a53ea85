// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages and descriptors by the encoding of Protocol Buffers (protobuf.dev).
#include "framelog/proto.hpp"

#include <gmock/gmock.h>

#include "framelog/topics.hpp"
#include "mcap/files.hpp"

namespace hild::framelog::proto {
namespace {

using testing::ElementsAre;

Message small() {
  return {.name = "p.M",
          .fields = {{"a", 1, Type::float64, {}},
                     {"b", 16, Type::sfixed32, {}},
                     {"c", 3, Type::enumeration, {}}},
          .enumeration = "E",
          .values = {"E_X", "E_Y"}};
}

// Written out by hand: FileDescriptorSet{file{name "p.M.proto", package "p", message_type{name "M",
// field..., enum_type...}, syntax "proto3"}}, numbers from descriptor.proto.
TEST(Proto, TheDescriptorByteForByte) {
  const std::string a(
      "\x12\x09\x0a\x01"
      "a\x18\x01 \x01(\x01",
      11);
  const std::string b(
      "\x12\x09\x0a\x01"
      "b\x18\x10 \x01(\x0f",
      11);
  const std::string c(
      "\x12\x11\x0a\x01"
      "c\x18\x03 \x01(\x0e"
      "2\x06.p.M.E",
      19);
  const std::string e(
      "\"\x15\x0a\x01"
      "E\x12\x07\x0a\x03"
      "E_X\x10\0\x12\x07\x0a\x03"
      "E_Y\x10\x01",
      23);
  const std::string message = std::string("\x0a\x01M", 3) + a + b + c + e;
  const std::string file = std::string("\x0a\x09p.M.proto\x12\x01p\"") +
                           static_cast<char>(message.size()) + message + "b\x06proto3";
  const std::string set = std::string("\x0a") + static_cast<char>(file.size()) + file;
  EXPECT_EQ(describe(small()), set);
}

TEST(Proto, DescriptorsComeBack) {
  const std::string set = describe(small());
  const auto read = read_description(mcap::bytes_of(set), "p.M");
  ASSERT_TRUE(read);
  ASSERT_EQ(read->fields.size(), 3U);
  EXPECT_EQ(read->fields[1].name, "b");
  EXPECT_EQ(read->fields[1].number, 16U);
  EXPECT_EQ(read->fields[1].type, Type::sfixed32);
  EXPECT_FALSE(read_description(mcap::bytes_of(set), "p.N"));
  for (std::size_t cut = 0; cut < set.size(); ++cut) {
    EXPECT_FALSE(read_description(mcap::bytes_of(set).first(cut), "p.M")) << cut;
  }
}

TEST(Proto, ATemplateHoldsEveryField) {
  const Template empty(small());
  ASSERT_EQ(empty.bytes(), 1U + 8 + 2 + 4 + 1 + 1);
  EXPECT_THAT(empty.offsets(), ElementsAre(1, 11, 16));
  std::string message(empty.bytes(), 'x');
  empty.copy(reinterpret_cast<std::byte*>(message.data()));
  // Tags: number << 3 | wire type; 64 bits 1, 32 bits 5, varint 0; field 16 takes two bytes.
  EXPECT_EQ(message[0], 0x09);
  EXPECT_EQ(message.substr(9, 2), std::string("\x85\x01"));
  EXPECT_EQ(message[15], 0x18);
  const double value = 2.5;
  std::memcpy(message.data() + 1, &value, 8);
  const std::int32_t b = -3;
  std::memcpy(message.data() + 11, &b, 4);
  message[16] = 1;
  std::array<double, 3> values{};
  ASSERT_TRUE(Decoder(small()).decode(mcap::bytes_of(message), values));
  EXPECT_THAT(values, ElementsAre(2.5, -3, 1));
}

// Other writers may order fields as they like.
TEST(Proto, TheOrderOfFieldsDoesNotMatter) {
  const Decoder decoder(small());
  const std::string usual("\x09\0\0\0\0\0\0\x04@\x85\x01\x05\0\0\0\x18\x01", 17);
  const std::string other("\x85\x01\x05\0\0\0\x18\x01\x09\0\0\0\0\0\0\x04@", 17);
  for (const std::string& message : {usual, other}) {
    std::array<double, 3> values{};
    ASSERT_TRUE(decoder.decode(mcap::bytes_of(message), values));
    EXPECT_THAT(values, ElementsAre(2.5, 5, 1));
  }
}

TEST(Proto, AbsentFieldsAreZeroAndUnknownOnesAreLeftAlone) {
  const Decoder decoder(small());
  std::array<double, 3> values{7, 7, 7};
  ASSERT_TRUE(decoder.decode({}, values));
  EXPECT_THAT(values, ElementsAre(0, 0, 0));
  // Field 5, two bytes; field 3 in five bytes where one would do; field 9, 32 bits.
  const std::string other("\x2a\x02hi\x18\x81\x80\x80\x80\x00\x4d\1\2\3\4", 15);
  ASSERT_TRUE(decoder.decode(mcap::bytes_of(other), values));
  EXPECT_THAT(values, ElementsAre(0, 0, 1));
}

TEST(Proto, RefusesWhatIsNoMessage) {
  const Decoder decoder(small());
  std::array<double, 3> values{};
  for (const std::string& bad : {std::string("\x09\1\2", 3),      // cut
                                 std::string("\x0d\1\2\3\4", 5),  // field 1 of 32 bits
                                 std::string("\x2a\x7fhi", 4),    // longer than there is
                                 std::string("\x00\x01", 2),      // field 0
                                 std::string("\x0b\x0c", 2),      // a group
                                 std::string(11, '\xff')}) {
    EXPECT_FALSE(decoder.decode(mcap::bytes_of(bad), values)) << testing::PrintToString(bad);
  }
}

TEST(Proto, NamesBecomeIdentifiers) {
  std::vector<std::string> taken;
  EXPECT_EQ(identifier("shaft_speed", taken), "shaft_speed");
  EXPECT_EQ(identifier("body.x[1]", taken), "body_x_1_");
  EXPECT_EQ(identifier("body.x(1)", taken), "body_x_1__2");
  EXPECT_EQ(identifier("2nd", taken), "_2nd");
  EXPECT_EQ(identifier("", taken), "_");
  EXPECT_EQ(identifier("shaft_speed", taken), "shaft_speed_2");
}

// A signal called as one of the fields before it.
TEST(Topics, SignalsDoNotCollideWithTheirTime) {
  const Message m = signals_message(Topic::inputs, {{"t", "V"}, {"tick", ""}});
  ASSERT_EQ(m.fields.size(), 4U);
  EXPECT_EQ(m.fields[2].name, "t_2");
  EXPECT_EQ(m.fields[2].signal.name, "t");
  EXPECT_EQ(m.fields[3].name, "tick_2");
}

TEST(Topics, TheTimingHasAFieldForEachOfItsPlaces) {
  const Message m = timing_message();
  ASSERT_EQ(m.fields.size(), timing_fields);
  EXPECT_EQ(m.fields[static_cast<std::size_t>(TimingField::wake)].name, "wake");
  EXPECT_EQ(m.fields[static_cast<std::size_t>(TimingField::idle)].name, "idle");
  EXPECT_EQ(m.fields[static_cast<std::size_t>(TimingField::mark)].name, "mark");
  EXPECT_EQ(m.fields[static_cast<std::size_t>(TimingField::cause)].name, "cause");
  EXPECT_EQ(m.fields[static_cast<std::size_t>(TimingField::early)].name, "early");
}

}  // namespace
}  // namespace hild::framelog::proto
