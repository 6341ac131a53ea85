// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the driver reads of the configuration, and what it refuses.
#include "drivers/udp_options.hpp"

#include <gmock/gmock.h>

#include <cfloat>
#include <string>

#include "tests/drivers/fake_options.hpp"

namespace hild::udp {
namespace {

using test::FakeOptions;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using Texts = FakeOptions::Texts;

/// What is said of a device; empty where nothing is.
std::string refusal(Texts keys) {
  FakeOptions options(std::move(keys));
  try {
    (void)io::find_driver("udp")->make("robot", options);
  } catch (const test::Rejected& rejected) {
    return rejected.what();
  }
  EXPECT_EQ(options.unknown(), std::set<std::string>{});
  return {};
}

/// A device with packets of 64 bytes both ways.
std::unique_ptr<io::Device> device(Texts keys = {}) {
  keys.merge(Texts{{"listen", "5000"},
                   {"send", "127.0.0.1:5001"},
                   {"receive.length", "64"},
                   {"transmit.length", "64"}});
  FakeOptions options(std::move(keys));
  return io::find_driver("udp")->make("robot", options);
}

/// A channel of such a device; what is said against it is its error.
Result<io::Channel> channel(io::Direction direction, Texts keys) {
  FakeOptions entry(std::move(keys));
  try {
    auto made = device()->add(direction, entry);
    EXPECT_EQ(entry.unknown(), std::set<std::string>{});
    return made;
  } catch (const test::Rejected& rejected) {
    return fail("{}", rejected.what());
  }
}
io::Channel input(Texts keys) { return channel(io::Direction::input, std::move(keys)).value(); }
io::Channel output(Texts keys) { return channel(io::Direction::output, std::move(keys)).value(); }
std::string bad_input(Texts keys) {
  const auto made = channel(io::Direction::input, std::move(keys));
  return made ? std::string() : made.error().message;
}

// ---- the device --------------------------------------------------------------------------------

TEST(UdpOptions, AnEndIsNeeded) {
  EXPECT_THAT(refusal({}), StartsWith("listen: found nothing, expected `listen: ADDRESS:PORT`"));
  EXPECT_EQ(refusal({{"listen", "5000"}, {"receive.length", "8"}}), "");
  EXPECT_EQ(refusal({{"send", "10.0.0.7:5000"}, {"transmit.length", "8"}}), "");
}

TEST(UdpOptions, AnAddressThatIsNoneIsToldWithItsKey) {
  EXPECT_THAT(refusal({{"listen", "robot:5000"}, {"send", "10.0.0.7:1"}}),
              StartsWith("listen: found \"robot:5000\", expected an address and a port"));
  EXPECT_THAT(refusal({{"listen", "5000"}, {"send", "5001"}}),
              StartsWith("send: found \"5001\", expected an address and a port"));
  EXPECT_THAT(refusal({{"listen", "5000"}, {"from", "peer"}}),
              StartsWith("from: found \"peer\", expected an address such as"));
}

TEST(UdpOptions, AddressesAreOfOneFamily) {
  EXPECT_EQ(refusal({{"listen", "0.0.0.0:5000"}, {"send", "[fd00::7]:5001"}}),
            "send: found [fd00::7]:5001, expected an address of IPv4, as 0.0.0.0:5000 is");
  EXPECT_EQ(refusal({{"listen", "[::]:5000"}, {"from", "10.0.0.7"}}),
            "from: found 10.0.0.7, expected an address of IPv6, as [::]:5000 is");
}

TEST(UdpOptions, WhatIsSentFromTheLoopbackStaysThere) {
  EXPECT_THAT(refusal({{"listen", "5000"}, {"send", "10.0.0.7:5001"}}),
              AllOf(StartsWith("send: found 10.0.0.7:5001, expected an address of this machine"),
                    HasSubstr("or at 0.0.0.0:5000")));
  EXPECT_EQ(refusal({{"listen", "0.0.0.0:5000"}, {"send", "10.0.0.7:5001"}}), "");
}

TEST(UdpOptions, AGroupNeedsItsInterface) {
  for (const char* const key : {"listen", "send"}) {
    EXPECT_THAT(refusal({{key, "239.1.2.3:5000"}}),
                AllOf(StartsWith(std::string(key) + ": found 239.1.2.3:5000, a multicast group"),
                      HasSubstr("`interface: NAME`")));
    EXPECT_EQ(refusal({{key, "239.1.2.3:5000"}, {"interface", "eth0"}}), "");
    EXPECT_THAT(refusal({{key, "[fe80::1]:5000"}}), HasSubstr("an address of one link"));
  }
  EXPECT_THAT(refusal({{"listen", "5000"}, {"interface", "a-name-of-16-char"}}),
              StartsWith("interface: "));
}

TEST(UdpOptions, WhatGoesWithAnEndNeedsIt) {
  EXPECT_EQ(refusal({{"listen", "5000"}, {"transmit.length", "8"}}),
            "transmit: found a packet, expected `send: ADDRESS:PORT` beside it");
  EXPECT_EQ(refusal({{"send", "127.0.0.1:5000"}, {"receive.length", "8"}}),
            "receive: found a packet, expected `listen: ADDRESS:PORT` beside it");
  EXPECT_EQ(refusal({{"send", "127.0.0.1:5000"}, {"from", "127.0.0.1"}}),
            "from: found a sender, expected `listen: ADDRESS:PORT` beside it");
}

TEST(UdpOptions, APacketHasALengthThatADatagramCanHave) {
  EXPECT_THAT(refusal({{"listen", "5000"}, {"receive.sequence.at", "0"}}), StartsWith("length: "));
  EXPECT_THAT(refusal({{"listen", "5000"}, {"receive.length", "65508"}}), StartsWith("length: "));
  EXPECT_EQ(refusal({{"listen", "5000"}, {"receive.length", "65507"}}), "");
  EXPECT_THAT(refusal({{"listen", "5000"}, {"receive.length", "0"}}), StartsWith("length: "));
  EXPECT_THAT(refusal({{"listen", "5000"}, {"packets", "0"}}), StartsWith("packets: "));
}

TEST(UdpOptions, SequenceAndTimeHavePlacesOfTheirOwn) {
  Texts keys{{"listen", "5000"},           {"receive.length", "12"},
             {"receive.sequence.at", "0"}, {"receive.sequence.type", "u32"},
             {"receive.time.at", "4"},     {"receive.time.type", "f64"}};
  EXPECT_EQ(refusal(keys), "");
  Texts overlapping = keys;
  overlapping["receive.time.at"] = "2";
  EXPECT_EQ(refusal(overlapping),
            "time: found bytes 2..9 (f64), the time, which overlaps bytes 0..3 (u32), the sequence "
            "number; expected bytes that nothing else uses");
  Texts beyond = keys;
  beyond["receive.length"] = "11";
  EXPECT_THAT(refusal(beyond), HasSubstr("within the 11 bytes of the packet"));
  Texts no_time = keys;
  no_time["receive.time.unit"] = "V";
  EXPECT_THAT(refusal(no_time), StartsWith("unit: "));
  Texts no_number = keys;
  no_number["receive.sequence.type"] = "f32";
  EXPECT_THAT(refusal(no_number), StartsWith("type: "));
}

// ---- channels ----------------------------------------------------------------------------------

TEST(UdpOptions, AChannelCarriesNumbersWithAUnit) {
  const io::Channel speed =
      input({{"at", "8"}, {"type", "f32"}, {"unit", "rad/s"}, {"held", "true"}});
  EXPECT_EQ(speed.unit.view(), "rad/s");
  EXPECT_EQ(speed.where.view(), "bytes 8..11 (f32)");
  EXPECT_TRUE(speed.held);
  EXPECT_FALSE(speed.digital);
  EXPECT_EQ(speed.resolution, 0);
  EXPECT_EQ(input({{"at", "8"}, {"type", "f32"}}).unit.view(), "1");
}

TEST(UdpOptions, WholeNumbersCarryWhatTheirTypeDoes) {
  const io::Channel raw = output({{"at", "0"}, {"type", "i16"}});
  EXPECT_EQ(raw.range.low, -32768);
  EXPECT_EQ(raw.range.high, 32767);
  EXPECT_EQ(raw.resolution, 1);
  const io::Channel scaled =
      output({{"at", "0"}, {"type", "u8"}, {"unit", "V"}, {"factor", "-0.5 V"}, {"add", "10 V"}});
  EXPECT_EQ(scaled.range.low, 10 - 127.5);
  EXPECT_EQ(scaled.range.high, 10);
  EXPECT_EQ(scaled.resolution, 0.5);
}

// Finite, so that what is not is cut before it is sent.
TEST(UdpOptions, OthersCarryAllThatIsFinite) {
  EXPECT_EQ(output({{"at", "0"}, {"type", "f64"}}).range.high, DBL_MAX);
  EXPECT_EQ(output({{"at", "0"}, {"type", "f32"}}).range.low, -FLT_MAX);
  EXPECT_EQ(output({{"at", "0"}, {"type", "f64"}, {"factor", "10"}}).range.high, DBL_MAX);
}

TEST(UdpOptions, ARangeIsWithinWhatTheTypeCarries) {
  EXPECT_EQ(
      output({{"at", "0"}, {"type", "f32"}, {"unit", "V"}, {"range", "-2 V..3 V"}}).range.high, 3);
  EXPECT_THAT(bad_input({{"at", "0"}, {"type", "i8"}, {"range", "-129..0"}}),
              AllOf(StartsWith("range: found -129..0, expected a range within -128..127"),
                    HasSubstr("i8")));
  EXPECT_THAT(bad_input({{"at", "0"}, {"type", "i8"}, {"range", "0..128"}}),
              StartsWith("range: found 0..128, expected a range within -128..127"));
  EXPECT_EQ(bad_input({{"at", "0"}, {"type", "i8"}, {"range", "-128..127"}}), "");
}

TEST(UdpOptions, BytesAndBitsAreDigital) {
  for (const Texts& keys :
       {Texts{{"at", "3"}, {"type", "bool"}}, Texts{{"at", "3"}, {"bit", "7"}}}) {
    const io::Channel line = output(keys);
    EXPECT_TRUE(line.digital);
    EXPECT_EQ(line.range.low, 0);
    EXPECT_EQ(line.range.high, 1);
    EXPECT_EQ(line.value_unit(), "1");
  }
  EXPECT_EQ(input({{"at", "3"}, {"bit", "7"}}).where.view(), "byte 3 bit 7");
  EXPECT_THAT(bad_input({{"at", "3"}, {"bit", "8"}}), StartsWith("bit: "));
  EXPECT_EQ(bad_input({{"at", "3"}, {"bit", "1"}, {"type", "u8"}}),
            "bit: found bit and type, expected one of them");
}

TEST(UdpOptions, WhatAChannelCannotBeIsRefused) {
  EXPECT_THAT(bad_input({{"at", "0"}}), StartsWith("type: "));
  EXPECT_THAT(bad_input({{"at", "0"}, {"type", "u24"}}), StartsWith("type: "));
  EXPECT_THAT(bad_input({{"at", "-1"}, {"type", "u8"}}), StartsWith("at: "));
  EXPECT_EQ(bad_input({{"at", "0"}, {"type", "u8"}, {"factor", "0"}}),
            "factor: found 0, expected anything but 0");
  EXPECT_THAT(bad_input({{"at", "0"}, {"type", "u8"}, {"unit", "furlongs-of-old"}}),
              StartsWith("unit: "));
  EXPECT_THAT(bad_input({{"at", "0"}, {"type", "u8"}, {"start", "256"}}), StartsWith("start: "));
  EXPECT_EQ(bad_input({{"at", "61"}, {"type", "f32"}}),
            "found bytes 61..64 (f32), expected a place within the 64 bytes of the packet "
            "(`length`)");
}

TEST(UdpOptions, SignalsDoNotShareBytes) {
  const auto robot = device();
  const auto add = [&](io::Direction direction, Texts keys) {
    FakeOptions entry(std::move(keys));
    return robot->add(direction, entry);
  };
  EXPECT_TRUE(add(io::Direction::input, {{"at", "0"}, {"type", "f64"}}));
  EXPECT_TRUE(add(io::Direction::output, {{"at", "0"}, {"type", "f64"}})) << "another packet";
  const auto second = add(io::Direction::input, {{"at", "7"}, {"type", "u8"}});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message,
            "found byte 7 (u8), which overlaps bytes 0..7 (f64); expected bytes that nothing else "
            "uses");
}

TEST(UdpOptions, SignalsNeedThePacketOfTheirDirection) {
  const auto add = [](io::Direction direction, Texts keys) {
    FakeOptions options(std::move(keys));
    FakeOptions entry{{"at", "0"}, {"type", "u8"}};
    const auto made = io::find_driver("udp")->make("robot", options)->add(direction, entry);
    return made ? std::string() : made.error().message;
  };
  EXPECT_THAT(add(io::Direction::input, {{"send", "127.0.0.1:5001"}, {"transmit.length", "8"}}),
              HasSubstr("expected `listen: ADDRESS:PORT` and `receive: {length: BYTES}`"));
  EXPECT_THAT(add(io::Direction::input, {{"listen", "5000"}, {"send", "127.0.0.1:5001"}}),
              HasSubstr("expected `listen: ADDRESS:PORT` and `receive: {length: BYTES}`"));
  EXPECT_THAT(add(io::Direction::output, {{"listen", "5000"}, {"receive.length", "8"}}),
              HasSubstr("expected `send: ADDRESS:PORT` and `transmit: {length: BYTES}`"));
}

TEST(UdpOptions, AFieldMayHaveAByteOrderOfItsOwn) {
  FakeOptions little{{"at", "0"}, {"type", "u16"}, {"byte_order", "little"}};
  EXPECT_FALSE(read_channel(io::Direction::input, little, true).field.big);
  FakeOptions none{{"at", "0"}, {"type", "u16"}};
  EXPECT_TRUE(read_channel(io::Direction::input, none, true).field.big);
  FakeOptions big{{"at", "0"}, {"type", "u16"}, {"byte_order", "big"}};
  EXPECT_TRUE(read_channel(io::Direction::input, big, false).field.big);
}

}  // namespace
}  // namespace hild::udp
