// SPDX-License-Identifier: Apache-2.0
// Bits of classic frames are those of Davis, Burns, Bril, Lukkien 2007 (135 and 160 with 8 bytes);
// those of CAN FD are counted by hand from the fields of ISO 11898-1.
#include "drivers/can/bus_load.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "drivers/can/identifiers.hpp"

namespace hild::can {
namespace {

TEST(CanBusLoad, ClassicFrames) {
  EXPECT_EQ(bits_without_stuffing(false, 8), 111);  // 44 + 3 + 64
  EXPECT_EQ(bits_without_stuffing(true, 8), 131);   // 64 + 3 + 64
  EXPECT_EQ(most_bits(false, 8), 135);
  EXPECT_EQ(most_bits(true, 8), 160);
  EXPECT_EQ(most_bits(false, 0), 55);  // 47 + floor(33 / 4)
  EXPECT_EQ(most_bits(true, 0), 80);   // 67 + floor(53 / 4)
  EXPECT_EQ(most_bits(false, 1), 65);  // 55 + floor(41 / 4)
  EXPECT_DOUBLE_EQ(longest_seconds(false, 8, {.nominal = 500e3}), 270e-6);
  EXPECT_DOUBLE_EQ(longest_seconds(true, 8, {.nominal = 250e3}), 640e-6);
}

TEST(CanBusLoad, LengthsOfCanFd) {
  for (int i = 0; i <= 8; ++i) EXPECT_EQ(fd_length(i), i);
  for (const auto& [bytes, length] : {std::pair(9, 12),
                                      {12, 12},
                                      {13, 16},
                                      {20, 20},
                                      {21, 24},
                                      {25, 32},
                                      {33, 48},
                                      {49, 64},
                                      {64, 64}}) {
    EXPECT_EQ(fd_length(bytes), length) << bytes;
  }
}

TEST(CanBusLoad, FramesOfCanFd) {
  const auto bits = [](bool extended, int bytes) {
    const FrameBits most = most_fd_bits(extended, bytes);
    return std::pair(most.nominal, most.data);
  };
  // 17 bits with 4 stuff bits, and 12. 1 + 4, the data; of 22 + 64 bits 21 stuff bits, less the 4;
  // a CRC field of 4 + 17 + 6; 1.
  EXPECT_EQ(bits(false, 8), std::pair(33, 5 + 64 + 17 + 27 + 1));
  // With 512 bits of data 133 stuff bits, less the 4; a CRC field of 4 + 21 + 7.
  EXPECT_EQ(bits(false, 64), std::pair(33, 5 + 512 + 129 + 32 + 1));
  // 36 bits with 8 stuff bits, and 12; of 41 + 128 bits 42 stuff bits, less the 8.
  EXPECT_EQ(bits(true, 16), std::pair(56, 5 + 128 + 34 + 27 + 1));
  EXPECT_EQ(bits(true, 20), std::pair(56, 5 + 160 + 42 + 32 + 1));
  // 33 / 500 000 + 679 / 2 000 000
  EXPECT_DOUBLE_EQ(longest_fd_seconds(false, 64, {.nominal = 500e3, .data = 2e6}), 405.5e-6);
}

// Parameter groups of J1939-71: EEC1 (61444, PDU 2) and TSC1 (0, PDU 1); Request (59904) of
// J1939-21.
TEST(CanIdentifiers, ParameterGroups) {
  EXPECT_EQ(pgn_of(0x0cf00400), 61444U);
  EXPECT_EQ(pgn_of(0x0c00000b), 0U);
  EXPECT_EQ(pgn_of(0x18ea00f9), 59904U);
  EXPECT_EQ(pgn_of(0x18eafff9), 59904U);
  EXPECT_EQ(pgn_of(0x1cfeca03), 65226U);    // DM1
  EXPECT_EQ(pgn_of(0x19f00400), 126980U);   // data page 1: 0x1f004
  EXPECT_EQ(pgn_of(0x02ef1200), 0x2ef00U);  // extended data page
}

TEST(CanIdentifiers, PartsOfAnIdentifier) {
  EXPECT_EQ(priority_of(0x0cf00400), 3U);
  EXPECT_EQ(priority_of(0x18ea00f9), 6U);
  EXPECT_EQ(source_of(0x18ea00f9), 0xf9U);
  EXPECT_EQ(destination_of(0x18ea21f9), 0x21U);
  EXPECT_EQ(destination_of(0x0cf00400), 0xffU);
  EXPECT_TRUE(has_destination(0x18efffff));   // format 239
  EXPECT_FALSE(has_destination(0x18f0ffff));  // format 240
}

TEST(CanIdentifiers, OneGroupWhateverPriorityAndAddresses) {
  EXPECT_TRUE(same_group(0x0cf00400, 0x18f00421));
  EXPECT_TRUE(same_group(0x18ea00f9, 0x0cea2103));
  EXPECT_FALSE(same_group(0x0cf00400, 0x0cf00500));
  EXPECT_FALSE(same_group(0x0cf00400, 0x0df00400));
}

}  // namespace
}  // namespace hild::can
