// SPDX-License-Identifier: Apache-2.0
/// \file
/// What can be made wrong with a bus, as the other side sees it.
#include <gmock/gmock.h>

#include "tests/drivers/can_rig.hpp"

namespace hild::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Sent = CanRig::Sent;

// As in the tests of the device: CRC-8 SAE J1850 of f2 01 83 is 37.
CanRig::Texts checked_way(const std::string& way) {
  return {{way + ".Checked.protect.profile", "crc-8"},
          {way + ".Checked.protect.crc_byte", "3"},
          {way + ".Checked.protect.counter_bit", "8"},
          {way + ".Checked.send", "each"}};
}
CanRig::Texts received() {
  CanRig::Texts keys = checked_way("receive");
  keys.erase("receive.Checked.send");
  return keys;
}

void set(CanRig& rig, std::string_view name, bool there, double value = 0) {
  const auto faults = rig.device().faults();
  const auto found = std::ranges::find(faults, name, &io::DeviceFault::name);
  ASSERT_NE(found, faults.end()) << name;
  rig.device().set_fault(static_cast<std::size_t>(found - faults.begin()), there, value);
}

/// It sends Checked with each write; that of counter 0 has been sent.
struct CheckedRig : CanRig {
  CheckedRig() : CanRig(checked_way("transmit")) {
    output("Checked.First");
    output("Checked.Third");
    open();
    start();
    EXPECT_TRUE(write({0xf2, 0x83}));
  }
};

TEST(CanFaults, AreOfTheMessagesThereAreAndOfTheBus) {
  auto keys = checked_way("transmit");
  CanRig rig(keys);
  rig.input("Status.Speed");
  rig.output("Checked.First");
  std::vector<std::string> names;
  for (const io::DeviceFault& one : rig.device().faults()) names.emplace_back(one.name);
  EXPECT_THAT(names, UnorderedElementsAre("bus_off", "error_passive", "bus_error", "Status.missing",
                                          "Status.delayed", "Checked.missing", "Checked.delayed",
                                          "Checked.wrong_crc", "Checked.wrong_counter"));
  for (const io::DeviceFault& one : rig.device().faults()) {
    const bool timed = one.name.ends_with("delayed");
    EXPECT_EQ(one.unit, timed ? "s" : "") << one.name;
    EXPECT_EQ(one.allowed.high > 0, timed) << one.name;
  }
}

// ---- what is sent ------------------------------------------------------------------------------

TEST(CanFaults, AMessageThatIsMissingIsNotSent) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  set(rig, "Command.missing", true);
  EXPECT_TRUE(rig.write({1}));
  EXPECT_THAT(rig.sent(), IsEmpty());
  set(rig, "Command.missing", false);
  EXPECT_TRUE(rig.write({1}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {100, 0, 2, 0}}));
}

TEST(CanFaults, AWrongChecksumIsOfNoBitOfTheRightOne) {
  CheckedRig rig;
  set(rig, "Checked.wrong_crc", true);
  EXPECT_TRUE(rig.write({0xf2, 0x83}));
  const auto sent = rig.sent();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[1], (Sent{0x201, {0xf2, 0x01, 0x83, 0x37 ^ 0xff}}));
}

TEST(CanFaults, AWrongCounterStandsStillUnderARightChecksum) {
  CheckedRig rig;
  set(rig, "Checked.wrong_counter", true);
  for (int n = 0; n < 3; ++n) EXPECT_TRUE(rig.write({0xf2, 0x83}));
  set(rig, "Checked.wrong_counter", false);
  for (int n = 0; n < 2; ++n) EXPECT_TRUE(rig.write({0xf2, 0x83}));
  const auto sent = rig.sent();
  ASSERT_EQ(sent.size(), 6U);
  const Sent right{0x201, {0xf2, 0x01, 0x83, 0x37}};
  EXPECT_THAT(std::vector(sent.begin() + 1, sent.begin() + 5),
              ElementsAre(right, right, right, right));
  EXPECT_EQ(sent[5].bytes[1], 2);
}

// On the virtual clock, to the millisecond; the counter is of when it was made.
TEST(CanFaults, ADelayedMessageIsSentLaterInItsOrder) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends), 0);
  can::Outgoing message;
  can::Layout byte;
  byte.length = 8;
  message.parts.push_back({can::Field(byte), {}, 0, 0, 0});
  message.length = message.padded = 1;
  can::Counts counts;
  rt::VirtualClock clock;
  can::Sender sender = *can::Sender::make({message}, 1, counts);
  sender.start({});
  const auto at = [&](int ms, double value) {
    clock.sleep_until(MonoTime{} + 1_ms * ms);
    EXPECT_EQ(sender.exchange(ends[0], clock, std::array{value}), 0);
    std::vector<int> frames;
    for (canfd_frame frame{}; ::recv(ends[1], &frame, sizeof frame, 0) > 0;) {
      frames.push_back(frame.data[0]);
    }
    return frames;
  };
  EXPECT_THAT(at(0, 1), ElementsAre(1));
  sender.set_fault(0, can::Faults::Kind::delayed, true, 0.003);
  EXPECT_THAT(at(1, 2), IsEmpty());
  EXPECT_THAT(at(2, 3), IsEmpty());
  EXPECT_THAT(at(3, 4), IsEmpty());
  EXPECT_THAT(at(4, 5), ElementsAre(2));
  sender.set_fault(0, can::Faults::Kind::delayed, false, 0);
  EXPECT_THAT(at(5, 6), ElementsAre(6)) << "those that waited are let go of";
  EXPECT_THAT(at(6, 7), ElementsAre(7));
  sender.set_fault(0, can::Faults::Kind::delayed, true, 0.003);
  EXPECT_THAT(at(7, 8), IsEmpty());
  EXPECT_TRUE(sender.flush(ends[0], clock)) << "what is to be safe waits for nothing";
  EXPECT_THAT(at(8, 8), ElementsAre(8));
  ::close(ends[0]);
  ::close(ends[1]);
}

// More than may wait: what is newest is not lost by it.
TEST(CanFaults, WhatADelayHasNoRoomForIsSentAfterAll) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "change"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  set(rig, "Command.delayed", true, 10);
  for (int n = 1; n <= 40; ++n) EXPECT_TRUE(rig.write({static_cast<double>(n)}));
  EXPECT_TRUE(rig.write({0}));
  EXPECT_EQ(rig.count("unsent"), 9) << "of 41 thirty-two wait";
  EXPECT_THAT(rig.sent(), IsEmpty());
  set(rig, "Command.delayed", false);
  EXPECT_TRUE(rig.write({0}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {0, 0, 2, 0}}));
}

TEST(CanFaults, WhatIsToBeSafeIsSentWhateverIsWrong) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  set(rig, "bus_off", true);
  set(rig, "Command.missing", true);
  EXPECT_TRUE(rig.write({0}));
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_TRUE(rig.device().flush());
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {0, 0, 2, 0}}));
}

// ---- what arrives ------------------------------------------------------------------------------

TEST(CanFaults, AMessageThatIsMissingDoesNotArrive) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.open();
  set(rig, "Status.missing", true);
  rig.arrives(0x100, {2, 0, 0, 0});
  EXPECT_THAT(rig.read(), ElementsAre(10)) << "as it starts";
  EXPECT_EQ(rig.count("received"), 0);
  set(rig, "Status.missing", false);
  rig.arrives(0x100, {2, 0, 0, 0});
  EXPECT_THAT(rig.read(), ElementsAre(1));
}

TEST(CanFaults, WhatArrivesDamagedIsCountedAsSuch) {
  CanRig rig(received());
  rig.input("Checked.First");
  rig.open();
  set(rig, "Checked.wrong_crc", true);
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x37});
  EXPECT_THAT(rig.read(), ElementsAre(0));
  EXPECT_EQ(rig.count("wrong_crc"), 1);
  set(rig, "Checked.wrong_crc", false);
  set(rig, "Checked.wrong_counter", true);
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x37});
  EXPECT_THAT(rig.read(), ElementsAre(0));
  EXPECT_EQ(rig.count("wrong_counter"), 1);
  set(rig, "Checked.wrong_counter", false);
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x37});
  EXPECT_THAT(rig.read(), ElementsAre(0xf2));
}

TEST(CanFaults, ADelayedMessageDoesNotArriveYet) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.open();
  set(rig, "Status.delayed", true, 10);
  rig.arrives(0x100, {2, 0, 0, 0});
  EXPECT_THAT(rig.read(), ElementsAre(10));
  EXPECT_EQ(rig.count("received"), 1);
}

// It is as old as one that was so long on its way.
TEST(CanFaults, ADelayedMessageArrivesLater) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.open();
  set(rig, "Status.delayed", true, 0.02);
  const MonoTime before = rig.clock().now();
  rig.arrives(0x100, {2, 0, 0, 0});
  rig.arrives(0x100, {4, 0, 0, 0});
  while (rig.read() != std::vector{2.0} && rig.clock().now() < before + 60_s) {
    rig.clock().sleep_until(rig.clock().now() + 1_ms);
  }
  EXPECT_GE(rig.sampled()[0], before + 20_ms);
  EXPECT_LE(rig.sampled()[0], rig.clock().now());
}

TEST(CanFaults, OfABusThatIsOffNothingComesAndNothingGoes) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.input("Status.Speed");
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  set(rig, "bus_off", true);
  rig.arrives(0x100, {2, 0, 0, 0});
  EXPECT_TRUE(rig.write({1}));
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_THAT(rig.read(), ElementsAre(10));
  EXPECT_EQ(rig.count("bus_off"), 1);
  set(rig, "bus_off", false);
  EXPECT_EQ(rig.count("restarts"), 1);
  EXPECT_TRUE(rig.write({1}));
  rig.arrives(0x100, {2, 0, 0, 0});
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {100, 0, 2, 0}}));
  EXPECT_THAT(rig.read(), ElementsAre(1));
}

// ---- what a controller would tell --------------------------------------------------------------

// Others on a virtual interface see the error frames that a controller makes (linux/can/error.h:
// of 8 bytes, the second is of the controller, the third of the protocol).
struct VirtualBus : CanRig {
  VirtualBus() : CanRig(CanRig::Texts{{"transmit.Command.send", "change"}}) {
    output("Command.Torque");
    is_virtual() = true;
    open();
    is_virtual() = false;
    start();
    EXPECT_TRUE(write({1}));
    EXPECT_EQ(sent().size(), 1U);
  }
};

TEST(CanFaults, OnAVirtualBusABusThatIsOffIsTold) {
  VirtualBus rig;
  set(rig, "bus_off", true);
  set(rig, "bus_off", true);
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x20000040, {0, 0, 0, 0, 0, 0, 0, 0}})) << "once";
  set(rig, "bus_off", false);
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x20000100, {0, 0, 0, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(rig.count("bus_off"), 1);
  EXPECT_EQ(rig.count("restarts"), 1);
}

TEST(CanFaults, OnAVirtualBusAControllerCanBeErrorPassive) {
  VirtualBus rig;
  set(rig, "error_passive", true);
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x20000004, {0, 0x20, 0, 0, 0, 0, 0, 0}}));
  EXPECT_TRUE(rig.write({2}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {200, 0, 2, 0}})) << "it goes on sending";
  set(rig, "error_passive", false);
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x20000004, {0, 0x40, 0, 0, 0, 0, 0, 0}}));
  EXPECT_EQ(rig.count("error_passive"), 1);
}

TEST(CanFaults, OnAVirtualBusAnErrorFrameIsToldEachTimeItIsInjected) {
  VirtualBus rig;
  set(rig, "bus_error", true);
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x20000088, {0, 0, 0x04, 0, 0, 0, 0, 0}}));
  set(rig, "bus_error", false);
  EXPECT_THAT(rig.sent(), IsEmpty());
  set(rig, "bus_error", true);
  EXPECT_THAT(rig.sent(), testing::SizeIs(1));
  EXPECT_EQ(rig.count("bus_errors"), 2);
}

// What was never on it is not to be told of a real controller.
TEST(CanFaults, OnARealBusFaultsOfTheControllerAreCountedAlone) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "change"}});
  rig.output("Command.Torque");
  rig.open();
  for (const std::string_view name : {"bus_off", "error_passive", "bus_error"}) {
    set(rig, name, true);
    set(rig, name, false);
  }
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_EQ(rig.count("error_passive"), 1);
  EXPECT_EQ(rig.count("bus_off"), 1);
  EXPECT_EQ(rig.count("bus_errors"), 1);
}

}  // namespace
}  // namespace hild::test
