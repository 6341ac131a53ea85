// SPDX-License-Identifier: Apache-2.0
// Expectations are worked out by hand, and for all layouts by a walk from bit to bit as the DBC
// format numbers them.
#include "drivers/can/codec.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <initializer_list>
#include <random>

namespace hild::can {
namespace {

using Buffer = std::array<std::uint8_t, buffer_bytes>;

Buffer buffer(std::initializer_list<std::uint8_t> bytes) {
  Buffer made{};
  std::ranges::copy(bytes, made.begin());
  return made;
}

Layout little(unsigned start, unsigned length) {
  return {.start = static_cast<std::uint16_t>(start), .length = static_cast<std::uint16_t>(length)};
}
Layout big(unsigned start, unsigned length) {
  Layout made = little(start, length);
  made.order = ByteOrder::big_endian;
  return made;
}
Layout with_sign(Layout layout) {
  layout.is_signed = true;
  return layout;
}
Layout scaled(Layout layout, double factor, double offset) {
  layout.factor = factor;
  layout.offset = offset;
  return layout;
}
Layout of(Number number, Layout layout) {
  layout.number = number;
  return layout;
}

TEST(CanField, LittleEndian) {
  const Buffer payload = buffer({0x34, 0x12, 0xff});
  EXPECT_EQ(Field(little(0, 16)).get(payload), 0x1234U);
  EXPECT_EQ(Field(little(4, 12)).get(payload), 0x123U);
  EXPECT_EQ(Field(little(2, 1)).get(payload), 1U);  // 0x34 is 0011 0100
  EXPECT_EQ(Field(little(3, 1)).get(payload), 0U);
  EXPECT_EQ(Field(scaled(little(0, 16), 0.25, -1000)).decode(payload), 165);  // 4660 / 4 - 1000
}

TEST(CanField, BigEndian) {
  const Buffer payload = buffer({0, 0, 0, 0, 0x12, 0x34});
  EXPECT_EQ(Field(big(39, 16)).get(payload), 0x1234U);
  EXPECT_EQ(Field(big(35, 8)).get(payload), 0x23U);
  EXPECT_EQ(Field(big(33, 1)).get(payload), 1U);  // 0x12 is 0001 0010
}

// A message of a published example: Enable 7|1, AverageRadius 6|6, Temperature 0|12, all Motorola.
// 1, 32 and 10 are 1, 10 0000 and 0000 0000 1010: together 1100 0000, 0000 0001, 010.
TEST(CanField, BigEndianSideBySide) {
  const Field enable(big(7, 1));
  const Field radius(scaled(big(6, 6), 0.1, 0));
  const Field temperature(scaled(with_sign(big(0, 12)), 0.01, 250));
  Buffer payload{};
  EXPECT_TRUE(enable.encode(1, payload));
  EXPECT_TRUE(radius.encode(3.2, payload));
  EXPECT_TRUE(temperature.encode(250.1, payload));
  EXPECT_EQ(payload, buffer({0xc0, 0x01, 0x40}));
  EXPECT_DOUBLE_EQ(radius.decode(payload), 3.2);
  EXPECT_DOUBLE_EQ(temperature.decode(payload), 250.1);
  // 1 0100 0101 001 is 0xa29, which is 2601 - 4096 = -1495.
  EXPECT_NEAR(temperature.decode(buffer({0x01, 0x45, 0x23})), 235.05, 1e-12);
}

TEST(CanField, SignsAreExtended) {
  EXPECT_EQ(Field(with_sign(little(0, 8))).decode(buffer({0xff})), -1);
  EXPECT_EQ(Field(little(0, 8)).decode(buffer({0xff})), 255);
  EXPECT_EQ(Field(with_sign(little(4, 3))).decode(buffer({0x40})), -4);
  EXPECT_EQ(Field(with_sign(little(4, 3))).decode(buffer({0x30})), 3);
  EXPECT_EQ(Field(with_sign(little(0, 1))).decode(buffer({1})), -1);
  Buffer payload = buffer({0xff, 0xff});
  EXPECT_TRUE(
      Field(with_sign(big(3, 8))).encode(-2, payload));  // 1111 1110 from the middle of a byte
  EXPECT_EQ(payload, buffer({0xff, 0xef}));
}

/// The bit of a payload that is bit i of a signal, 0 being the least significant: Intel goes up,
/// and Motorola goes down from the most significant, in a byte from 7 to 0 and then to the next
/// byte.
unsigned walked(const Layout& layout, unsigned i) {
  if (layout.order == ByteOrder::little_endian) return layout.start + i;
  unsigned at = layout.start;
  for (unsigned k = layout.length - 1U; k > i; --k) at = at % 8 == 0 ? at + 15 : at - 1;
  return at;
}

void check_by_walk(const Layout& layout, std::mt19937_64& random) {
  Buffer payload;
  for (auto& byte : payload) byte = static_cast<std::uint8_t>(random());
  const auto bit_of = [](const Buffer& bytes, unsigned at) { return bytes[at / 8] >> at % 8 & 1U; };
  const Field field(layout);
  const std::uint64_t given = random();
  Buffer expected = payload;
  std::uint64_t before = 0;
  Bits bits;
  for (unsigned i = 0; i < layout.length; ++i) {
    const unsigned at = walked(layout, i);
    bits[at] = true;
    before |= std::uint64_t{bit_of(payload, at)} << i;
    const auto mask = static_cast<std::uint8_t>(1U << at % 8);
    expected[at / 8] = static_cast<std::uint8_t>((given >> i & 1) != 0 ? expected[at / 8] | mask
                                                                       : expected[at / 8] & ~mask);
  }
  ASSERT_EQ(field.get(payload), before);
  field.put(given, payload);
  ASSERT_EQ(payload, expected);
  ASSERT_EQ(bits_of(layout), bits);
}

TEST(CanField, EveryPlaceIsThatOfAWalkFromBitToBit) {
  std::mt19937_64 random(20260801);
  unsigned of_nine_bytes = 0;
  for (unsigned length = 1; length <= 64; ++length) {
    for (unsigned start = 0; start < 512; ++start) {
      for (const Layout& layout : {little(start, length), big(start, length)}) {
        if (bytes_of(layout) > most_bytes) continue;
        SCOPED_TRACE(testing::Message() << start << '|' << length);
        ASSERT_NO_FATAL_FAILURE(check_by_walk(layout, random));
        const unsigned first = layout.order == ByteOrder::big_endian ? 7 - start % 8 : start % 8;
        if (first + length > 64) ++of_nine_bytes;
      }
    }
  }
  // First bits 1 ... 7 with 64 bits, 2 ... 7 with 63 and so on, 28 in all; each from byte 0 to 55.
  EXPECT_EQ(of_nine_bytes, 2U * 28 * 56);
}

TEST(CanLayout, BytesThatAreNeeded) {
  EXPECT_EQ(bytes_of(little(0, 8)), 1U);
  EXPECT_EQ(bytes_of(little(1, 8)), 2U);
  EXPECT_EQ(bytes_of(little(448, 64)), 64U);
  EXPECT_EQ(bytes_of(little(449, 64)), 65U);
  EXPECT_EQ(bytes_of(big(7, 8)), 1U);
  EXPECT_EQ(bytes_of(big(0, 1)), 1U);
  EXPECT_EQ(bytes_of(big(0, 2)), 2U);
  EXPECT_EQ(bytes_of(big(455, 64)), 64U);
  EXPECT_EQ(bytes_of(big(454, 64)), 65U);
}

TEST(CanField, RoundsToTheNearest) {
  const Field field(scaled(little(0, 8), 0.5, 10));
  Buffer payload{};
  EXPECT_TRUE(field.encode(12.74, payload));  // 5.48
  EXPECT_EQ(payload[0], 5);
  EXPECT_TRUE(field.encode(12.76, payload));  // 5.52
  EXPECT_EQ(payload[0], 6);
  EXPECT_EQ(field.decode(payload), 13);
  const Field falling(scaled(with_sign(little(0, 8)), -2, 0));
  EXPECT_TRUE(falling.encode(4.9, payload));  // -2.45
  EXPECT_EQ(payload[0], 0xfe);
  EXPECT_TRUE(falling.encode(5.1, payload));  // -2.55
  EXPECT_EQ(payload[0], 0xfd);
}

TEST(CanField, CutsToWhatTheBitsCarry) {
  const Field field(with_sign(little(0, 8)));
  Buffer payload{};
  const auto sent = [&](double value) {
    const bool within = field.encode(value, payload);
    return std::pair(static_cast<int>(static_cast<std::int8_t>(payload[0])), within);
  };
  EXPECT_EQ(sent(127.4), std::pair(127, true));
  EXPECT_EQ(sent(127.6), std::pair(127, false));
  EXPECT_EQ(sent(-128.4), std::pair(-128, true));
  EXPECT_EQ(sent(-128.6), std::pair(-128, false));
  EXPECT_EQ(sent(1e300), std::pair(127, false));
  EXPECT_EQ(sent(-INFINITY), std::pair(-128, false));
  EXPECT_EQ(sent(INFINITY), std::pair(127, false));
}

TEST(CanField, NoNumberIsRawZero) {
  for (const Layout& layout :
       {scaled(little(0, 8), 1, 100), with_sign(little(0, 8)), with_sign(little(0, 64)),
        of(Number::float32, little(0, 32)), of(Number::float64, little(0, 64))}) {
    Buffer payload;
    payload.fill(0xff);
    EXPECT_FALSE(Field(layout).encode(NAN, payload));
    EXPECT_EQ(Field(layout).get(payload), 0U);
    EXPECT_EQ(payload[8], 0xff);
  }
}

TEST(CanField, RangeIsThatOfTheBits) {
  const Field field(scaled(little(0, 8), 0.5, -40));
  EXPECT_EQ(field.low(), -40);
  EXPECT_EQ(field.high(), 87.5);  // 255 / 2 - 40
  const Field falling(scaled(with_sign(big(7, 12)), -0.25, 1));
  EXPECT_EQ(falling.low(), 1 - 2047 * 0.25);
  EXPECT_EQ(falling.high(), 1 + 2048 * 0.25);
  EXPECT_EQ(Field(of(Number::float32, little(0, 32))).high(), 0x1.fffffep127);
  EXPECT_EQ(Field(of(Number::float64, little(0, 64))).low(), -0x1.fffffffffffffp1023);
  EXPECT_EQ(Field(scaled(of(Number::float64, little(0, 64)), 2, 0)).high(), 0x1.fffffffffffffp1023);
}

TEST(CanField, WideIntegers) {
  const Field bits60(little(2, 60));
  Buffer payload{};
  EXPECT_TRUE(bits60.encode(0x1p60, payload)) << "what the greatest count is rounded to";
  EXPECT_EQ(bits60.get(payload), (std::uint64_t{1} << 60) - 1);
  EXPECT_FALSE(bits60.encode(0x1.1p60, payload));
  EXPECT_EQ(bits60.get(payload), (std::uint64_t{1} << 60) - 1);
  EXPECT_TRUE(bits60.encode(0x1p59, payload));
  EXPECT_EQ(bits60.get(payload), std::uint64_t{1} << 59);
  EXPECT_FALSE(bits60.encode(-1, payload));
  EXPECT_EQ(bits60.get(payload), 0U);

  const Field all(little(3, 64));
  EXPECT_TRUE(all.encode(0x1p63, payload));
  EXPECT_EQ(all.get(payload), std::uint64_t{1} << 63);
  EXPECT_EQ(all.decode(payload), 0x1p63);
  EXPECT_FALSE(all.encode(1e30, payload));
  EXPECT_EQ(all.get(payload), ~std::uint64_t{0});

  const Field negative(with_sign(big(7, 64)));
  EXPECT_TRUE(negative.encode(-0x1p63, payload));
  EXPECT_EQ(negative.get(payload), std::uint64_t{1} << 63);
  EXPECT_EQ(negative.decode(payload), -0x1p63);
  EXPECT_TRUE(negative.encode(-7, payload));
  EXPECT_EQ(negative.get(payload), ~std::uint64_t{6});
  EXPECT_FALSE(negative.encode(1e30, payload));
  EXPECT_EQ(negative.get(payload), ~std::uint64_t{0} >> 1);
}

TEST(CanField, FloatingPoint) {
  Buffer payload{};
  const Field single(of(Number::float32, big(7, 32)));
  EXPECT_TRUE(single.encode(-1.5, payload));
  EXPECT_EQ(payload, buffer({0xbf, 0xc0, 0, 0}));  // sign, exponent 127, fraction 1/2
  EXPECT_EQ(single.decode(payload), -1.5);
  EXPECT_FALSE(single.encode(1e39, payload));
  EXPECT_EQ(single.decode(payload), 0x1.fffffep127);
  const Field twice(of(Number::float64, little(0, 64)));
  EXPECT_TRUE(twice.encode(1, payload));
  EXPECT_EQ(payload, buffer({0, 0, 0, 0, 0, 0, 0xf0, 0x3f}));
  EXPECT_FALSE(twice.encode(-INFINITY, payload));
  EXPECT_EQ(twice.decode(payload), -0x1.fffffffffffffp1023);
  twice.put(0x7ff0000000000000, payload);
  EXPECT_EQ(twice.decode(payload), INFINITY);
  const Field falling(scaled(of(Number::float32, little(0, 32)), -1, 0));
  EXPECT_TRUE(falling.encode(0, payload));
  EXPECT_EQ(falling.get(payload), 0U) << "no -0";
  const Field in_percent(scaled(of(Number::float32, little(0, 32)), 100, 5));
  EXPECT_TRUE(in_percent.encode(55, payload));
  EXPECT_EQ(in_percent.get(payload), 0x3f000000U);  // 0.5
}

// Every count of 12 bits, with factors that no double is.
TEST(CanField, EveryCountComesBack) {
  for (const double factor : {0.1, -0.003, 1e-9, 7e6}) {
    const Field field(scaled(with_sign(big(2, 12)), factor, 273.15 * factor));
    for (unsigned raw = 0; raw < 4096; ++raw) {
      Buffer payload{};
      field.put(raw, payload);
      const Buffer before = payload;
      ASSERT_TRUE(field.encode(field.decode(payload), payload));
      ASSERT_EQ(payload, before) << raw;
    }
  }
}

TEST(CanPresence, ASignalIsThereByTheValuesOfItsSwitches) {
  Presence always;
  EXPECT_TRUE(always.always());
  EXPECT_TRUE(always.in(buffer({9})));
  Presence presence;
  presence.require(Field(little(0, 4)), {{1, 1}, {5, 7}});
  EXPECT_FALSE(presence.always());
  for (unsigned raw = 0; raw < 16; ++raw) {
    const bool there = raw == 1 || (raw >= 5 && raw <= 7);
    EXPECT_EQ(presence.in(buffer({static_cast<std::uint8_t>(raw | 0xa0U)})), there) << raw;
  }
  presence.require(Field(big(15, 8)), {{200, 200}});
  EXPECT_TRUE(presence.in(buffer({6, 200})));
  EXPECT_FALSE(presence.in(buffer({6, 201})));
  EXPECT_FALSE(presence.in(buffer({8, 200})));
}

}  // namespace
}  // namespace hild::can
