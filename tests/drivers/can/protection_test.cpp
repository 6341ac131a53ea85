// SPDX-License-Identifier: Apache-2.0
// Checksums of the samples in the AUTOSAR specification of the CRC library, and of a division bit
// by bit. Whole payloads of profiles 1, 2 and 5 are those by which another, public implementation
// is tested: zeros and 0, 1, 2 ... with the Data IDs 0x123, 0 ... 15 and 0x1234.
#include "drivers/can/protection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string_view>
#include <vector>

#include "drivers/can/crc.hpp"

namespace hild::can {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Sample {
  Bytes bytes;
  unsigned j1850;
  unsigned h2f;
  unsigned ccitt;
};

const Bytes digits{'1', '2', '3', '4', '5', '6', '7', '8', '9'};

TEST(CanCrc, SamplesOfTheSpecification) {
  const std::vector<Sample> samples{
      {digits, 0x4b, 0xdf, 0x29b1},
      {{0x00, 0x00, 0x00, 0x00}, 0x59, 0x12, 0x84c0},
      {{0xf2, 0x01, 0x83}, 0x37, 0xc2, 0xd374},
      {{0x0f, 0xaa, 0x00, 0x55}, 0x79, 0xc6, 0x2023},
      {{0x00, 0xff, 0x55, 0x11}, 0xb8, 0x77, 0xb8f9},
      {{0x33, 0x22, 0x55, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff}, 0xcb, 0x11, 0xf53f},
      {{0x92, 0x6b, 0x55}, 0x8c, 0x33, 0x0745},
      {{0xff, 0xff, 0xff, 0xff}, 0x74, 0x6c, 0x1d0f},
  };
  for (const Sample& sample : samples) {
    EXPECT_EQ(crc8_of(sample.bytes), sample.j1850);
    EXPECT_EQ(crc8h2f_of(sample.bytes), sample.h2f);
    EXPECT_EQ(crc16_of(sample.bytes), sample.ccitt);
  }
}

/// The remainder, bit by bit: each comes in at the top, and what falls out there is subtracted.
unsigned divided(const Bytes& bytes, unsigned width, unsigned polynomial, unsigned start) {
  unsigned rest = start;
  for (const std::uint8_t byte : bytes) {
    for (unsigned bit = 8; bit-- > 0;) {
      const unsigned out = (rest >> (width - 1) & 1U) ^ (byte >> bit & 1U);
      rest = (rest << 1 & ((1U << width) - 1)) ^ (out != 0 ? polynomial : 0);
    }
  }
  return rest;
}

Bytes random_bytes(std::mt19937& random, std::size_t count) {
  Bytes bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

TEST(CanCrc, IsTheRemainderOfADivision) {
  std::mt19937 random(4711);
  for (std::size_t count = 0; count <= 64; ++count) {
    const Bytes bytes = random_bytes(random, count);
    EXPECT_EQ(crc8_of(bytes), divided(bytes, 8, 0x1d, 0xff) ^ 0xff);
    EXPECT_EQ(crc8h2f_of(bytes), divided(bytes, 8, 0x2f, 0xff) ^ 0xff);
    EXPECT_EQ(crc16_of(bytes), divided(bytes, 16, 0x1021, 0xffff));
  }
}

// ---- profiles: payloads ------------------------------------------------------------------------

template <class Profile>
Bytes with_protection(const Profile& profile, Bytes payload, unsigned counter) {
  EXPECT_TRUE(profile.fits(payload.size()));
  SendState state{static_cast<std::uint8_t>(counter)};
  profile.protect(payload, state);
  ReceiveState received;
  EXPECT_EQ(profile.check(payload, received), Verdict::ok);
  return payload;
}

const Bytes zeros(8, 0);

TEST(CanProfile1, KnownPayloads) {
  using Mode = Profile1::IdMode;
  const auto sent = [](Mode mode, unsigned counter) {
    return with_protection(Profile1({.data_id = 0x123, .mode = mode}), zeros, counter);
  };
  EXPECT_EQ(sent(Mode::both, 0), (Bytes{0xcc, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::both, 1), (Bytes{0x91, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::alternate, 0), (Bytes{0xce, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::alternate, 1), (Bytes{0x02, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::low, 0), (Bytes{0xce, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::low, 1), (Bytes{0x93, 1, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::nibble, 0), (Bytes{0x2a, 0x10, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(sent(Mode::nibble, 1), (Bytes{0x77, 0x11, 0, 0, 0, 0, 0, 0}));
}

TEST(CanProfile1, ElsewhereInThePayload) {
  const Profile1 profile({.data_id = 0xabcd, .crc_byte = 5, .counter_bit = 12});
  std::mt19937 random(1);
  Bytes bytes = with_protection(profile, random_bytes(random, 7), 9);
  EXPECT_EQ(bytes[1] >> 4, 9);
  const Bytes divided_ones{0xcd, 0xab, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[6]};
  EXPECT_EQ(bytes[5], divided(divided_ones, 8, 0x1d, 0));
}

TEST(CanProfile1, ANibbleOfAnotherIsNotTaken) {
  const Profile1 one({.data_id = 0x123, .mode = Profile1::IdMode::nibble});
  const Profile1 other({.data_id = 0x223, .mode = Profile1::IdMode::nibble});
  const Bytes sent = with_protection(one, zeros, 3);
  ReceiveState state;
  EXPECT_EQ(other.check(sent, state), Verdict::wrong_crc);
  EXPECT_FALSE(state.any);
}

TEST(CanProfile2, KnownPayloads) {
  const Profile2 without({});
  // The counter is increased before it is sent.
  EXPECT_EQ(with_protection(without, zeros, 0), (Bytes{0x45, 1, 0, 0, 0, 0, 0, 0}));
  Profile2::Settings settings;
  Bytes counted(8);
  for (std::size_t i = 0; i < 16; ++i) settings.data_ids[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = 0; i < 8; ++i) counted[i] = static_cast<std::uint8_t>(i);
  const Profile2 profile(settings);
  EXPECT_EQ(with_protection(profile, counted, 1), (Bytes{0xbc, 2, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(with_protection(profile, counted, 0), (Bytes{0x61, 1, 2, 3, 4, 5, 6, 7}));
  // The Data ID is that of the counter: 0 after 15; the other nibble is the payload's.
  counted[1] = 0xa7;
  const Bytes last = with_protection(profile, counted, 15);
  EXPECT_EQ(last[1], 0xa0);
  EXPECT_EQ(last[0], divided({0xa0, 2, 3, 4, 5, 6, 7, 0}, 8, 0x2f, 0xff) ^ 0xff);
}

TEST(CanProfile5, KnownPayloads) {
  const Profile5 profile({.data_id = 0x1234});
  EXPECT_EQ(with_protection(profile, zeros, 0), (Bytes{0x1c, 0xca, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(with_protection(profile, zeros, 1), (Bytes{0xcf, 0x8d, 1, 0, 0, 0, 0, 0}));
  const Profile5 behind({.data_id = 0x1234, .crc_byte = 8});
  const Bytes longer(16, 0);
  EXPECT_EQ(with_protection(behind, longer, 0),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0x28, 0x91, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(with_protection(behind, longer, 1),
            (Bytes{0, 0, 0, 0, 0, 0, 0, 0, 0xfb, 0xd6, 1, 0, 0, 0, 0, 0}));
}

TEST(CanCrcAndCounter, SumsUpAllOtherBytes) {
  // The last sample but one, with the checksum in its midst.
  const CrcAndCounter profile(
      {.crc_byte = 1, .counter_bit = 0, .counter_bits = 2, .last_counter = 3});
  EXPECT_EQ(with_protection(profile, {0x90, 0x00, 0x6b, 0x55}, 2), (Bytes{0x92, 0x8c, 0x6b, 0x55}));
  const CrcAndCounter whole(
      {.crc_byte = 8, .counter_bit = 56, .counter_bits = 8, .last_counter = 255});
  Bytes payload{0x33, 0x22, 0x55, 0xaa, 0xbb, 0xcc, 0xdd, 0, 0};
  payload = with_protection(whole, payload, 0xee);
  EXPECT_EQ(payload[7], 0xee);
  EXPECT_EQ(payload[8],
            divided({0x33, 0x22, 0x55, 0xaa, 0xbb, 0xcc, 0xdd, 0xee}, 8, 0x1d, 0xff) ^ 0xff);
}

// ---- profiles: sequences -----------------------------------------------------------------------

template <class Profile>
Bytes sent_with(const Profile& profile, unsigned counter) {
  Bytes payload = zeros;
  SendState state{static_cast<std::uint8_t>(counter)};
  profile.protect(payload, state);
  return payload;
}

TEST(CanProtection, CountersAreJudgedByTheirSteps) {
  const Profile1 profile({.data_id = 7, .most_steps = 3});
  ReceiveState state;
  const auto after = [&](unsigned counter) {
    return profile.check(sent_with(profile, counter), state);
  };
  EXPECT_EQ(after(5), Verdict::ok) << "the first";
  EXPECT_EQ(after(6), Verdict::ok);
  EXPECT_EQ(after(6), Verdict::repeated);
  EXPECT_EQ(after(8), Verdict::lost);
  EXPECT_EQ(after(11), Verdict::lost);
  EXPECT_EQ(after(0), Verdict::wrong_sequence) << "four steps: 12, 13, 14, 0";
  EXPECT_EQ(after(1), Verdict::ok) << "a jump is told once";
  EXPECT_EQ(after(14), Verdict::wrong_sequence) << "one back is thirteen on";
  EXPECT_EQ(after(0), Verdict::ok) << "0 follows on 14";
}

TEST(CanProtection, WhatIsDamagedCountsForNothing) {
  const Profile5 profile({.data_id = 7});
  ReceiveState state;
  EXPECT_EQ(profile.check(sent_with(profile, 255), state), Verdict::ok);
  for (std::size_t bit = 0; bit < 64; ++bit) {
    Bytes damaged = sent_with(profile, 0);
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ 1U << bit % 8);
    EXPECT_EQ(profile.check(damaged, state), Verdict::wrong_crc) << bit;
  }
  EXPECT_EQ(profile.check(sent_with(profile, 1), state), Verdict::wrong_sequence);
  EXPECT_EQ(profile.check(sent_with(profile, 2), state), Verdict::ok);
}

template <class Profile>
void goes_round(const Profile& profile, unsigned counters) {
  SendState send;
  ReceiveState receive;
  Bytes payload = zeros;
  for (unsigned i = 0; i < 2 * counters + 1; ++i) {
    profile.protect(payload, send);
    ASSERT_EQ(profile.check(payload, receive), Verdict::ok) << i;
  }
  const Bytes last = payload;
  for (unsigned i = 1; i < counters; ++i) {
    profile.protect(payload, send);
    ASSERT_NE(payload, last) << i;
  }
  profile.protect(payload, send);
  EXPECT_EQ(payload, last) << "after as many as there are it is the same again";
}

TEST(CanProtection, WhatIsSentIsTakenRoundAndRound) {
  using Mode = Profile1::IdMode;
  for (const Mode mode : {Mode::both, Mode::alternate, Mode::low, Mode::nibble}) {
    goes_round(Profile1({.data_id = 0xfedc, .mode = mode}), 15);
  }
  goes_round(Profile2({}), 16);
  goes_round(Profile5({.data_id = 1}), 256);
  goes_round(CrcAndCounter({}), 16);
  goes_round(CrcAndCounter({.last_counter = 14}), 15);
}

// 15 is in no payload of profile 1, even where the checksum is right.
TEST(CanProtection, ACounterThatNoSenderHas) {
  Bytes payload{0, 15, 0};
  payload[0] = static_cast<std::uint8_t>(divided({7, 0, 15, 0}, 8, 0x1d, 0));
  ReceiveState state;
  EXPECT_EQ(Profile1({.data_id = 7}).check(payload, state), Verdict::wrong_sequence);
  EXPECT_FALSE(state.any);
  SendState beyond{15};
  Profile1({.data_id = 7}).protect(payload, beyond);
  EXPECT_EQ(payload[1], 0);
}

TEST(CanProtection, SettingsMustFitThePayload) {
  EXPECT_TRUE(Profile1({}).fits(2));
  EXPECT_FALSE(Profile1({}).fits(1));
  EXPECT_FALSE(Profile1({.crc_byte = 1}).fits(8)) << "on the counter";
  EXPECT_FALSE(Profile1({.counter_bit = 13}).fits(8)) << "in two bytes";
  EXPECT_FALSE(Profile1({.mode = Profile1::IdMode::nibble, .nibble_bit = 8}).fits(8));
  EXPECT_FALSE(Profile1({.mode = Profile1::IdMode::nibble, .nibble_bit = 4}).fits(8));
  EXPECT_TRUE(Profile1({.mode = Profile1::IdMode::nibble, .nibble_bit = 60}).fits(8));
  EXPECT_FALSE(Profile1({.mode = Profile1::IdMode::nibble, .nibble_bit = 64}).fits(8));
  EXPECT_TRUE(Profile2({}).fits(2));
  EXPECT_FALSE(Profile2({}).fits(1));
  EXPECT_TRUE(Profile5({.crc_byte = 5}).fits(8));
  EXPECT_FALSE(Profile5({.crc_byte = 6}).fits(8));
  EXPECT_TRUE(CrcAndCounter({}).fits(2));
  EXPECT_FALSE(CrcAndCounter({.counter_bits = 0}).fits(8));
  EXPECT_FALSE(CrcAndCounter({.counter_bits = 9}).fits(8));
  EXPECT_FALSE(CrcAndCounter({.counter_bits = 3}).fits(8)) << "counts up to 15";
  EXPECT_FALSE(CrcAndCounter({.crc_byte = 1}).fits(8));
  EXPECT_FALSE(CrcAndCounter({.crc_byte = 8}).fits(8));
}

}  // namespace
}  // namespace hild::can
