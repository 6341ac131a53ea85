// SPDX-License-Identifier: Apache-2.0
/// \file
/// Packets against bytes written by hand (Python's struct gives the same).
#include "drivers/udp_packet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tests/drivers/udp_bytes.hpp"

namespace hild::udp {
namespace {

using test::Bytes;
using test::bytes;

Bytes reversed(Bytes b) { return {b.rbegin(), b.rend()}; }

// ---- every type, in both byte orders -----------------------------------------------------------

struct Example {
  Type type;
  double value;
  Bytes big;  ///< the most significant byte first
};

class UdpType : public testing::TestWithParam<Example> {};
INSTANTIATE_TEST_SUITE_P(
    Types, UdpType,
    testing::Values(Example{Type::u8, 200, bytes({0xc8})}, Example{Type::i8, -56, bytes({0xc8})},
                    Example{Type::u16, 0x1234, bytes({0x12, 0x34})},
                    Example{Type::i16, -292, bytes({0xfe, 0xdc})},
                    Example{Type::u32, 2309737967.0, bytes({0x89, 0xab, 0xcd, 0xef})},
                    Example{Type::i32, -1985229329.0, bytes({0x89, 0xab, 0xcd, 0xef})},
                    Example{Type::u64, 1108152157446.0 * 65536,
                            bytes({0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x00, 0x00})},
                    Example{Type::i64, -4328719366.0 * 65536,
                            bytes({0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa, 0x00, 0x00})},
                    Example{Type::f32, -2.75, bytes({0xc0, 0x30, 0x00, 0x00})},
                    Example{Type::f64, 0.1,
                            bytes({0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a})},
                    Example{Type::boolean, 1, bytes({0x01})}),
    [](const auto& example) { return std::string(to_string(example.param.type)); });

TEST_P(UdpType, IsReadAndWrittenInBothByteOrders) {
  const Example& example = GetParam();
  for (const bool big : {true, false}) {
    const Bytes expected = big ? example.big : reversed(example.big);
    ASSERT_EQ(expected.size(), size_of(example.type));
    // Between bytes that are not its own.
    Bytes packet(expected.size() + 2, std::byte{0x55});
    const Field field{.at = 1, .type = example.type, .big = big};
    write(field, example.value, packet.data());
    EXPECT_EQ(Bytes(packet.begin() + 1, packet.end() - 1), expected);
    EXPECT_EQ(packet.front(), std::byte{0x55});
    EXPECT_EQ(packet.back(), std::byte{0x55});
    EXPECT_EQ(read(field, packet.data()), example.value);
  }
}

TEST_P(UdpType, TakesWhatItCanCarryAndIsCutToIt) {
  const Type type = GetParam().type;
  const io::Interval all = carried_by(type);
  Bytes packet(8);
  const Field field{.type = type};
  for (const double inside : {all.low, all.high}) {
    write(field, inside, packet.data());
    EXPECT_EQ(read(field, packet.data()), inside);
  }
  for (const double beyond : {1e300, std::numeric_limits<double>::infinity()}) {
    write(field, beyond, packet.data());
    EXPECT_EQ(read(field, packet.data()), std::min(all.high, beyond));
    write(field, -beyond, packet.data());
    EXPECT_EQ(read(field, packet.data()), std::max(all.low, -beyond));
  }
  write(field, std::numeric_limits<double>::quiet_NaN(), packet.data());
  EXPECT_TRUE(std::isfinite(read(field, packet.data())));
}

TEST(UdpField, OfSixtyFourBitsTheLastDoubleBelowTheGreatestIsCarried) {
  Bytes packet(8);
  write({.type = Type::u64, .big = true}, 18446744073709551616.0, packet.data());  // 2^64
  EXPECT_EQ(packet, bytes({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf8, 0x00}));
  write({.type = Type::i64, .big = true}, 9223372036854775808.0, packet.data());  // 2^63
  EXPECT_EQ(packet, bytes({0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfc, 0x00}));
  write({.type = Type::i64, .big = true}, -9223372036854775808.0, packet.data());
  EXPECT_EQ(packet, bytes({0x80, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(UdpField, IsFactorTimesTheNumberAndSomething) {
  const Field field{.type = Type::i16, .factor = 0.25, .add = -10};
  Bytes packet = bytes({0xd8, 0xff});  // -40
  EXPECT_EQ(read(field, packet.data()), -20);
  write(field, 2.5, packet.data());
  EXPECT_EQ(packet, bytes({50, 0}));
}

TEST(UdpField, IsRoundedToTheNearest) {
  const auto written = [](double value) {
    Bytes packet(1);
    write({.type = Type::i8}, value, packet.data());
    return static_cast<int>(static_cast<std::int8_t>(packet[0]));
  };
  EXPECT_EQ(written(2.4), 2);
  EXPECT_EQ(written(2.6), 3);
  EXPECT_EQ(written(-2.6), -3);
  EXPECT_EQ(written(2.5), 2);  // of two as near, the even one
  EXPECT_EQ(written(3.5), 4);
  EXPECT_EQ(written(127.4), 127);
  EXPECT_EQ(written(-128.4), -128);
}

TEST(UdpField, AByteIsTrueWhateverItHoldsButZero) {
  const Field field{.type = Type::boolean};
  for (const int held : {1, 2, 255}) EXPECT_EQ(read(field, bytes({held}).data()), 1) << held;
  EXPECT_EQ(read(field, bytes({0}).data()), 0);
}

TEST(UdpField, ABitLeavesTheOthersOfItsByte) {
  Bytes packet = bytes({0b1010'0101});
  for (unsigned bit = 0; bit < 8; ++bit) {
    EXPECT_EQ(read({.type = Type::bit, .bit = bit}, packet.data()), (0b1010'0101 >> bit) & 1);
  }
  write({.type = Type::bit, .bit = 3}, 1, packet.data());
  EXPECT_EQ(packet, bytes({0b1010'1101}));
  write({.type = Type::bit, .bit = 7}, 0, packet.data());
  EXPECT_EQ(packet, bytes({0b0010'1101}));
}

// ---- layouts -----------------------------------------------------------------------------------

std::string no_place(const Result<void>& placed) {
  return placed ? std::string() : placed.error().message;
}

TEST(UdpPacket, HasNoByteTwice) {
  Packet packet(16);
  ASSERT_TRUE(packet.place_sequence({.at = 0, .type = Type::u32}));
  ASSERT_TRUE(packet.place_value({.at = 4, .type = Type::f64}));
  EXPECT_EQ(
      no_place(packet.place_value({.at = 11, .type = Type::u16})),
      "found bytes 11..12 (u16), which overlaps bytes 4..11 (f64); expected bytes that nothing "
      "else uses");
  EXPECT_EQ(
      no_place(packet.place_time({.at = 0, .type = Type::f64})),
      "found bytes 0..7 (f64), the time, which overlaps bytes 0..3 (u32), the sequence number; "
      "expected bytes that nothing else uses");
  EXPECT_EQ(no_place(packet.place_value({.at = 12, .type = Type::u16})), "");
  EXPECT_EQ(packet.values(), 2U);
}

TEST(UdpPacket, SharesAByteAmongItsBits) {
  Packet packet(2);
  for (unsigned bit = 0; bit < 8; ++bit) {
    EXPECT_TRUE(packet.place_value({.at = 1, .type = Type::bit, .bit = bit}));
  }
  EXPECT_EQ(
      no_place(packet.place_value({.at = 1, .type = Type::bit, .bit = 5})),
      "found byte 1 bit 5, which overlaps byte 1 bit 5; expected bytes that nothing else uses");
  EXPECT_NE(no_place(packet.place_value({.at = 1, .type = Type::u8})), "");
  EXPECT_EQ(no_place(packet.place_value({.at = 0, .type = Type::u8})), "");
}

TEST(UdpPacket, HasNothingBeyondItsEnd) {
  Packet packet(10);
  EXPECT_EQ(
      no_place(packet.place_value({.at = 3, .type = Type::f64})),
      "found bytes 3..10 (f64), expected a place within the 10 bytes of the packet (`length`)");
  EXPECT_EQ(no_place(packet.place_value({.at = 10, .type = Type::u8})),
            "found byte 10 (u8), expected a place within the 10 bytes of the packet (`length`)");
  EXPECT_EQ(no_place(packet.place_value({.at = 2, .type = Type::f64})), "");
}

TEST(UdpPacket, CarriesItsValuesWhole) {
  Packet packet(12);
  ASSERT_TRUE(packet.place_sequence({.at = 0, .type = Type::u16, .big = true}));
  ASSERT_TRUE(packet.place_time({.at = 2, .type = Type::u32, .factor = 1e-3}));
  ASSERT_TRUE(packet.place_value({.at = 8, .type = Type::f32, .big = true}));
  ASSERT_TRUE(packet.place_value({.at = 6, .type = Type::u8}));
  Bytes made(12, std::byte{0});
  packet.write(std::array{1.5, 7.0}, made);
  packet.stamp(0x1'0203, 0.258, made);
  const Bytes expected = bytes({0x02, 0x03, 0x02, 0x01, 0, 0, 7, 0, 0x3f, 0xc0, 0, 0});
  EXPECT_EQ(made, expected);
  std::vector<double> values(2);
  EXPECT_TRUE(packet.read(expected, values));
  EXPECT_EQ(values, (std::vector{1.5, 7.0}));
  EXPECT_EQ(packet.sequence(expected), 0x0203U);
  EXPECT_DOUBLE_EQ(packet.time(expected).value(), 0.258);
}

TEST(UdpPacket, OfAnotherLengthIsNotLookedAt) {
  Packet packet(4);
  ASSERT_TRUE(packet.place_value({.at = 0, .type = Type::u16}));
  ASSERT_TRUE(packet.place_sequence({.at = 2, .type = Type::u16}));
  std::vector<double> values(1);
  for (const std::size_t length : {0U, 1U, 3U, 5U}) {
    const Bytes other(length);
    EXPECT_FALSE(packet.read(other, values)) << length;
    EXPECT_EQ(packet.sequence(other), std::nullopt) << length;
  }
  EXPECT_TRUE(packet.read(Bytes(4), values));
}

TEST(UdpPacket, WithSomethingThatIsNoNumberIsNoImage) {
  Packet packet(5);
  ASSERT_TRUE(packet.place_value({.at = 0, .type = Type::f32, .big = true}));
  ASSERT_TRUE(packet.place_value({.at = 4, .type = Type::u8}));
  std::vector<double> values(2);
  EXPECT_FALSE(packet.read(bytes({0x7f, 0xc0, 0, 0, 1}), values));  // NaN
  EXPECT_FALSE(packet.read(bytes({0xff, 0x80, 0, 0, 1}), values));  // -infinity
  EXPECT_TRUE(packet.read(bytes({0x7f, 0x7f, 0xff, 0xff, 1}), values));
}

TEST(UdpPacket, CutsWhatIsBeyondARange) {
  Packet packet(2);
  ASSERT_TRUE(packet.place_value({.at = 0, .type = Type::i8, .range = {-10, 20}}));
  ASSERT_TRUE(packet.place_value({.at = 1, .type = Type::i8, .range = {-10, 20}}));
  std::vector<double> values(2);
  EXPECT_TRUE(packet.read(bytes({0x80, 0x7f}), values));
  EXPECT_EQ(values, (std::vector{-10.0, 20.0}));
}

}  // namespace
}  // namespace hild::udp
