// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames that arrive and frames that are sent, byte by byte as the DBC file of can_rig.hpp has
/// them.
#include <gmock/gmock.h>
#include <sys/wait.h>

#include "support/driver_conformance.hpp"
#include "tests/drivers/can_rig.hpp"

namespace hild::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Sent = CanRig::Sent;

// ---- what arrives ------------------------------------------------------------------------------

// 0x03e8 = 1000 halves of an rpm; 0x11: gear 1, bit 4 is Ready. 0x0290 = 656 tenths of a degree
// above -40.
TEST(Can, TakesSignalsOutOfTheirMessages) {
  CanRig rig;
  const auto speed = rig.input("Status.Speed");
  const auto gear = rig.input("Status.Gear");
  const auto ready = rig.input("Status.Ready");
  const auto oil = rig.input("Temperature.Oil");
  EXPECT_EQ(speed.unit, "rpm");
  EXPECT_DOUBLE_EQ(speed.range.high, 32767 * 0.5);
  EXPECT_EQ(speed.resolution, 0.5);
  EXPECT_FALSE(speed.held);
  EXPECT_TRUE(gear.held) << "it has words for its values";
  EXPECT_EQ(gear.unit, "1");
  EXPECT_TRUE(ready.digital);
  EXPECT_EQ(oil.unit, "degC");
  EXPECT_EQ(speed.group, gear.group);
  EXPECT_NE(speed.group, oil.group);
  EXPECT_EQ(oil.where.view(), "Temperature.Oil");
  rig.open();
  rig.arrives(0x100, {0xe8, 0x03, 0x11, 0x00});
  rig.arrives(0x200 | CAN_EFF_FLAG, {0x02, 0x90});
  EXPECT_THAT(rig.read(), ElementsAre(500, 1, 1, testing::DoubleNear(25.6, 1e-12)));
  EXPECT_EQ(rig.count("received"), 2);
}

TEST(Can, BeforeTheFirstFrameInputsAreAtTheirStart) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.input("Temperature.Oil", {{"start", "20 degC"}});
  rig.open();
  EXPECT_THAT(rig.read(), ElementsAre(10, 20)) << "20 halves of an rpm, by the file";
  for (const MonoTime t : rig.sampled()) EXPECT_LT(t, rig.clock().now() - 3600_s);
}

// Each message is of its own time; the newest frame of each wins.
TEST(Can, AMessageIsAnImageOfItsOwn) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.input("Temperature.Oil");
  rig.open();
  const MonoTime before = rig.clock().now();
  rig.arrives(0x100, {2, 0, 0, 0});
  rig.arrives(0x100, {4, 0, 0, 0});
  EXPECT_THAT(rig.read(), ElementsAre(2, -40)) << "the file says that it starts at 0";
  EXPECT_GE(rig.sampled()[0], before);
  EXPECT_LE(rig.sampled()[0], rig.clock().now());
  EXPECT_LT(rig.sampled()[1], before);
  const MonoTime first = rig.sampled()[0];
  rig.arrives(0x200 | CAN_EFF_FLAG, {0x01, 0x90});  // 400
  EXPECT_THAT(rig.read(), ElementsAre(2, 0));
  EXPECT_EQ(rig.sampled()[0], first);
  EXPECT_GE(rig.sampled()[1], first);
}

TEST(Can, WhatIsNotOfTheMessagesIsPassedOver) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.open();
  rig.arrives(0x101, {9, 9, 9, 9});
  rig.arrives(0x100 | CAN_EFF_FLAG, {9, 9, 9, 9});  // another, of 29 bits
  rig.arrives(0x100 | CAN_RTR_FLAG, {});
  EXPECT_EQ(rig.count("received"), 0);
  rig.arrives(0x100, {2, 0, 0});  // one byte short
  EXPECT_THAT(rig.read(), ElementsAre(10));
  EXPECT_EQ(rig.count("wrong_length"), 1);
  EXPECT_EQ(rig.count("received"), 1);
}

// 0x18fef015 is of the parameter group 0xfef0, priority 6, from address 0x15. A filter with the
// flag of error frames would be one of error frames alone.
TEST(Can, TheKernelPassesOnWhatIsWantedAlone) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.input("Temperature.Oil");
  rig.input("Engine.Rpm");
  rig.open();
  const auto& wanted = CanRig::filters();
  ASSERT_EQ(wanted.size(), 3U);
  EXPECT_EQ(wanted[0].can_id, 0x100U);
  EXPECT_EQ(wanted[0].can_mask, CAN_EFF_FLAG | CAN_RTR_FLAG | 0x7ffU);
  EXPECT_EQ(wanted[1].can_id, 0x200U | CAN_EFF_FLAG);
  EXPECT_EQ(wanted[1].can_mask, CAN_EFF_FLAG | CAN_RTR_FLAG | 0x1fffffffU);
  EXPECT_EQ(wanted[2].can_id, 0xfef000U | CAN_EFF_FLAG);
  EXPECT_EQ(wanted[2].can_mask, CAN_EFF_FLAG | CAN_RTR_FLAG | 0x3ffff00U);
  rig.arrives(0x0cfef022 | CAN_EFF_FLAG,
              {0, 0, 0, 8, 0, 0, 0, 0});  // another sender's, more urgent
  EXPECT_THAT(rig.read(), ElementsAre(10, -40, 1));
}

TEST(Can, ASignalThatIsNotInTheFrameKeepsItsValue) {
  CanRig rig;
  rig.input("Mixed.Left");
  rig.input("Mixed.Right");
  rig.open();
  rig.arrives(0x203, {0, 11});
  rig.arrives(0x203, {1, 22});
  EXPECT_THAT(rig.read(), ElementsAre(11, 22));
  rig.arrives(0x203, {2, 33});
  EXPECT_THAT(rig.read(), ElementsAre(11, 22));
}

TEST(Can, ReadsAtMostSoManyInATick) {
  CanRig rig(CanRig::Texts{{"frames", "2"}});
  rig.input("Status.Speed");
  rig.open();
  for (std::uint8_t n = 2; n <= 6; n = static_cast<std::uint8_t>(n + 2)) {
    rig.arrives(0x100, {n, 0, 0, 0});
  }
  EXPECT_THAT(rig.read(), ElementsAre(2));
  EXPECT_EQ(rig.count("full"), 1);
  EXPECT_THAT(rig.read(), ElementsAre(3));
}

TEST(Can, WhatBecomesOfTheControllerIsCounted) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.open();
  rig.arrives(CAN_ERR_FLAG | 0x4, {0, 0x20, 0, 0, 0, 0, 0, 0});   // error-passive when sending
  rig.arrives(CAN_ERR_FLAG | 0x40, {0, 0, 0, 0, 0, 0, 0, 0});     // off the bus
  rig.arrives(CAN_ERR_FLAG | 0x100, {0, 0, 0, 0, 0, 0, 0, 0});    // restarted
  rig.arrives(CAN_ERR_FLAG | 0x88, {0, 0, 0x04, 0, 0, 0, 0, 0});  // a stuff error on the bus
  rig.arrives(CAN_ERR_FLAG | 0x20, {0, 0, 0, 0, 0, 0, 0, 0});     // nobody acknowledged
  EXPECT_THAT(rig.read(), ElementsAre(10));
  EXPECT_EQ(rig.count("bus_errors"), 2);
  EXPECT_EQ(rig.count("error_passive"), 1);
  EXPECT_EQ(rig.count("bus_off"), 1);
  EXPECT_EQ(rig.count("restarts"), 1);
  EXPECT_EQ(rig.count("received"), 0);
}

CanRig::Texts checked(const std::string& way) {
  return {{way + ".Checked.protect.profile", "crc-8"},
          {way + ".Checked.protect.crc_byte", "3"},
          {way + ".Checked.protect.counter_bit", "8"}};
}

// CRC-8 SAE J1850 of f2 01 83 is 37, by the examples of AUTOSAR's CRC library.
TEST(Can, WhatIsDamagedOrRepeatedIsNotTaken) {
  CanRig rig(checked("receive"));
  rig.input("Checked.First");
  rig.open();
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x38});
  EXPECT_THAT(rig.read(), ElementsAre(0));
  EXPECT_EQ(rig.count("wrong_crc"), 1);
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x37});
  rig.arrives(0x201, {0xf2, 0x01, 0x83, 0x37});
  EXPECT_THAT(rig.read(), ElementsAre(0xf2));
  EXPECT_EQ(rig.count("wrong_counter"), 1);
}

// ---- what is sent ------------------------------------------------------------------------------

// 12.5 N m are 1250 = 0x04e2; Mode is 2 by the file.
TEST(Can, PutsSignalsIntoTheirMessages) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  const auto torque = rig.output("Command.Torque");
  EXPECT_EQ(torque.unit, "N m");
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({12.5}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {0xe2, 0x04, 0x02, 0x00}}));
  EXPECT_TRUE(rig.write({-0.01}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {0xff, 0xff, 0x02, 0x00}}));
  EXPECT_EQ(rig.count("sent"), 2);
  std::vector<double> back(1);
  EXPECT_TRUE(rig.device().read_back(back));
  EXPECT_DOUBLE_EQ(back[0], -0.01);
}

TEST(Can, SendsOnChangeWhatChanges) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "change"}});
  rig.output("Command.Torque");
  rig.output("Command.Mode");
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_EQ(rig.sent().size(), 1U);
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_TRUE(rig.write({1.001, 1})) << "less than its last bit";
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_TRUE(rig.write({1, 3}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {100, 0, 3, 0}}));
}

TEST(Can, CounterAndChecksumAreFilledIn) {
  auto keys = checked("transmit");
  keys["transmit.Checked.send"] = "each";
  CanRig rig(keys);
  rig.output("Checked.First");
  rig.output("Checked.Third");
  EXPECT_THAT(rig.add(io::Direction::output, {{"signal", "Checked.Alive"}}).error().message,
              HasSubstr("Checked.Alive is of the counter or the checksum"));
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({0xf2, 0x83}));
  EXPECT_TRUE(rig.write({0xf2, 0x83}));
  const auto sent = rig.sent();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].bytes[1], 0);
  EXPECT_EQ(sent[1], (Sent{0x201, {0xf2, 0x01, 0x83, 0x37}}));
}

// The guard is a copy that was made before the run began: the counter goes on.
TEST(Can, AForkedCopySendsAndCountsOn) {
  auto keys = checked("transmit");
  keys["transmit.Checked.send"] = "each";
  CanRig rig(keys);
  rig.output("Checked.First");
  rig.open();
  int go[2];
  ASSERT_EQ(::pipe(go), 0);
  const pid_t copy = ::fork();
  ASSERT_GE(copy, 0);
  if (copy == 0) {
    ::alarm(60);
    char word = 0;
    const bool told = ::read(go[0], &word, 1) == 1;
    ::_exit(told && rig.device().exchange(std::array{7.0}, {}, {}) ? 0 : 1);
  }
  rig.start();
  for (int n = 0; n < 3; ++n) EXPECT_TRUE(rig.write({5}));
  ASSERT_EQ(::write(go[1], "x", 1), 1);
  int status = 0;
  ASSERT_EQ(::waitpid(copy, &status, 0), copy);
  EXPECT_EQ(status, 0);
  const auto sent = rig.sent();
  ASSERT_EQ(sent.size(), 4U);
  EXPECT_EQ(sent[2].bytes[1], 2);
  EXPECT_EQ(sent[3].bytes[0], 7);
  EXPECT_EQ(sent[3].bytes[1], 3);
  ::close(go[0]);
  ::close(go[1]);
}

TEST(Can, SafeValuesDoNotWaitForTheirCycle) {
  CanRig rig(CanRig::Texts{{"transmit.Command.cycle", "600 s"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({1}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {100, 0, 2, 0}}));
  EXPECT_TRUE(rig.write({2}));
  EXPECT_THAT(rig.sent(), IsEmpty()) << "it is not due";
  EXPECT_TRUE(rig.device().flush());
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {200, 0, 2, 0}}));
  EXPECT_TRUE(rig.device().flush());
  EXPECT_THAT(rig.sent(), IsEmpty()) << "once";
}

// A line that takes no more is no failure; what was not sent is, with the next write.
TEST(Can, WhatTheLineDoesNotTakeIsCountedAndSentLater) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "change"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  int written = 0;
  while (rig.count("unsent") == 0 && written < 100'000) {
    ++written;
    ASSERT_TRUE(rig.write({0.01 * (written % 30'000)}));
  }
  ASSERT_EQ(rig.count("unsent"), 1);
  EXPECT_FALSE(rig.device().flush()) << "nor does it take it now";
  EXPECT_EQ(rig.sent().size(), static_cast<std::size_t>(written - 1));
  EXPECT_TRUE(rig.write({0.01 * (written % 30'000)})) << "the same once more";
  EXPECT_EQ(rig.sent().size(), 1U);
  EXPECT_TRUE(rig.device().flush());
  EXPECT_THAT(rig.sent(), IsEmpty());
}

TEST(Can, ABusThatIsGoneFailsForGood) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({1}));
  CanRig::unplug();
  EXPECT_FALSE(rig.write({1}));
  EXPECT_THAT(std::string(rig.device().failure()), HasSubstr("cannot send on vcan7: "));
  EXPECT_FALSE(rig.write({1}));
}

// ---- in the time of a script -------------------------------------------------------------------

struct Cycles {
  explicit Cycles(can::Outgoing message) {
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0, ends), 0);
    can::Layout byte;
    byte.length = 8;
    message.parts.push_back({can::Field(byte), {}, 0, 0, 0});
    message.length = message.padded = 1;
    sender = *can::Sender::make({message}, 1, counts);
  }
  ~Cycles() {
    ::close(ends[0]);
    ::close(ends[1]);
  }
  /// Frames sent by a write at that time.
  int at(Duration t, double value = 1) {
    clock.sleep_until(MonoTime{} + t);
    EXPECT_EQ(sender.exchange(ends[0], clock, std::array{value}), 0);
    int frames = 0;
    for (canfd_frame frame{}; ::recv(ends[1], &frame, sizeof frame, 0) > 0;) ++frames;
    return frames;
  }
  int ends[2]{};
  rt::VirtualClock clock;
  can::Counts counts;
  can::Sender sender;
};

// By time, not by writes: what was due more than once, in a doubled step say, is sent once, and the
// cycle goes on where it was.
TEST(CanCycles, GoByTime) {
  can::Outgoing message;
  message.sending = can::Sending::cyclic;
  message.cycle = 10_ms;
  message.offset = 2_ms;
  Cycles c(message);
  c.sender.start({});
  EXPECT_EQ(c.at(0_ms), 0);
  EXPECT_EQ(c.at(2_ms), 1);
  EXPECT_EQ(c.at(11_ms), 0);
  EXPECT_EQ(c.at(12_ms), 1);
  EXPECT_EQ(c.at(13_ms, 9), 0) << "a change is not sent";
  EXPECT_EQ(c.at(45_ms), 1);
  EXPECT_EQ(c.at(51_ms), 0);
  EXPECT_EQ(c.at(52_ms), 1);
}

TEST(CanCycles, AndOnChangeBeside) {
  can::Outgoing message;
  message.sending = can::Sending::cyclic_and_change;
  message.cycle = 10_ms;
  Cycles c(message);
  c.sender.start({});
  EXPECT_EQ(c.at(0_ms), 1);
  EXPECT_EQ(c.at(4_ms), 0);
  EXPECT_EQ(c.at(5_ms, 2), 1);
  EXPECT_EQ(c.at(10_ms, 2), 1);
}

// In the guard nobody starts it.
TEST(CanCycles, InTheGuardAllIsSentAtOnceButWhatIsToBeSilent) {
  can::Outgoing message;
  message.sending = can::Sending::cyclic;
  message.cycle = 10_ms;
  Cycles guarded(message);
  EXPECT_EQ(guarded.at(3_ms), 1);
  EXPECT_EQ(guarded.at(4_ms), 0);
  EXPECT_EQ(guarded.at(13_ms), 1);
  message.silent = true;
  Cycles silent(message);
  EXPECT_EQ(silent.at(3_ms), 0);
  EXPECT_EQ(silent.at(30_ms), 0);
}

// Once they are safe nothing goes on but what is to, and for as long as it is to.
TEST(CanCycles, SafeValuesGoOnForAsLongAsTheyAreTo) {
  can::Outgoing message;
  message.sending = can::Sending::cyclic;
  message.cycle = 10_ms;
  Cycles once(message);
  EXPECT_EQ(once.sender.safe_for(), 0_ms);
  EXPECT_EQ(once.at(1_ms), 1);
  EXPECT_TRUE(once.sender.flush(once.ends[0], once.clock));
  EXPECT_EQ(once.at(20_ms), 0);
  message.safe_for = 25_ms;
  Cycles goes_on(message);
  EXPECT_EQ(goes_on.sender.safe_for(), 25_ms);
  EXPECT_EQ(goes_on.at(1_ms), 1);
  EXPECT_TRUE(goes_on.sender.flush(goes_on.ends[0], goes_on.clock));
  EXPECT_EQ(goes_on.at(11_ms), 1);
  EXPECT_EQ(goes_on.at(12_ms, 7), 0) << "by its cycle";
  EXPECT_EQ(goes_on.at(21_ms), 1);
  EXPECT_EQ(goes_on.at(27_ms), 0);
  EXPECT_EQ(goes_on.at(40_ms), 0);
  message.silent = true;
  EXPECT_EQ(Cycles(message).sender.safe_for(), 0_ms);
}

// ---- nodes that are not there, and the bus as a whole ------------------------------------------

// Of the controller: Command has a cycle, of 10 ms, and starts with Mode 2; Checked has none.
TEST(Can, TheRestOfTheBusIsSentWithItsStartValues) {
  CanRig rig(CanRig::Texts{{"rest_of_bus.Controller", "true"}});
  rig.output("Mixed.Left");
  EXPECT_THAT(rig.add(io::Direction::input, {{"signal", "Command.Torque"}}).error().message,
              HasSubstr("Command is sent by this device"));
  rig.open();
  rig.start();
  EXPECT_TRUE(rig.write({7}));
  EXPECT_THAT(rig.sent(), ElementsAre(Sent{0x200, {0, 0, 2, 0}}, Sent{0x201, {0, 0, 0, 0}},
                                      Sent{0x203, {0, 7}}));
  EXPECT_TRUE(rig.write({7}));
  EXPECT_THAT(rig.sent(), testing::Not(testing::Contains(Sent{0x201, {0, 0, 0, 0}})));
}

// A standard frame of 4 bytes: 79 bits and at most 16 stuff bits (Davis et al. 2007), 190 us at
// 500 kbit/s, every 10 ms.
// ---- triggers ----------------------------------------------------------------------------------

/// Command is sent when its trigger, the second output, rises.
struct TriggerRig : CanRig {
  explicit TriggerRig(Texts keys = {}) : CanRig(std::move(keys)) {
    output("Command.Torque");
    channel = trigger("Command");
    open();
  }
  io::Channel channel;
};
// 1 N m, mode 2 as it starts.
const CanRig::Sent one_newton_metre{0x200, {100, 0, 2, 0}};

TEST(CanTriggers, AreDigital) {
  const TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  EXPECT_TRUE(rig.channel.digital);
  EXPECT_EQ(rig.channel.range.low, 0);
  EXPECT_EQ(rig.channel.range.high, 1);
  EXPECT_EQ(rig.channel.where.view(), "Command (trigger)");
}

TEST(CanTriggers, SendWhenTheyRise) {
  TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.start();
  EXPECT_TRUE(rig.write({1, 0}));
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
  EXPECT_TRUE(rig.write({2, 1}));
  EXPECT_TRUE(rig.write({1, 0}));
  EXPECT_THAT(rig.sent(), IsEmpty());
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
}

TEST(CanTriggers, SendBesidesWhatChanges) {
  TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "change"}});
  rig.start();
  EXPECT_TRUE(rig.write({1, 0}));
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
}

// Asked for at another time it would be another message.
TEST(CanTriggers, OfWhatCannotLeaveAreLost) {
  TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.start();
  for (const std::string_view name : {"bus_off", "Command.missing"}) {
    const auto faults = rig.device().faults();
    const auto found = std::ranges::find(faults, name, &io::DeviceFault::name);
    ASSERT_NE(found, faults.end());
    const auto fault = static_cast<std::size_t>(found - faults.begin());
    EXPECT_TRUE(rig.write({1, 0}));
    rig.device().set_fault(fault, true, 0);
    EXPECT_TRUE(rig.write({1, 1}));
    rig.device().set_fault(fault, false, 0);
    EXPECT_TRUE(rig.write({1, 1}));
    EXPECT_THAT(rig.sent(), IsEmpty()) << name;
  }
}

// The guard's copy never starts. What only a trigger sends is not part of what is safe.
TEST(CanTriggers, InTheGuardSendWhereTheirSafeValueIsOne) {
  TriggerRig calm(CanRig::Texts{{"transmit.Command.send", "each"}});
  EXPECT_TRUE(calm.write({1, 0}));
  EXPECT_TRUE(calm.device().flush());
  EXPECT_THAT(calm.sent(), IsEmpty());
  TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_TRUE(rig.device().flush());
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
  TriggerRig silent(
      CanRig::Texts{{"transmit.Command.send", "each"}, {"transmit.Command.when_dead", "silence"}});
  EXPECT_TRUE(silent.write({1, 1}));
  EXPECT_TRUE(silent.device().flush());
  EXPECT_THAT(silent.sent(), IsEmpty());
}

TEST(CanTriggers, ThatTheKernelDidNotTakeAreSentLater) {
  TriggerRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.start();
  for (int n = 0; n < 100'000 && rig.count("unsent") == 0; ++n) {
    ASSERT_TRUE(rig.write({1, 0}));
    ASSERT_TRUE(rig.write({1, 1}));
  }
  ASSERT_EQ(rig.count("unsent"), 1);
  EXPECT_FALSE(rig.sent().empty());
  EXPECT_TRUE(rig.write({1, 1}));
  EXPECT_THAT(rig.sent(), ElementsAre(one_newton_metre));
}

TEST(CanTriggers, WhatIsWrongWithOneIsSaid) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.trigger("Command");
  const auto error = [&](io::Direction direction, CanRig::Texts keys) -> std::string {
    try {
      const auto channel = rig.add(direction, std::move(keys));
      return channel ? "taken" : channel.error().message;
    } catch (const std::exception& rejected) {
      return rejected.what();
    }
  };
  const auto output = io::Direction::output;
  EXPECT_THAT(error(output, {{"trigger", "Comand"}}), HasSubstr("did you mean \"Command\"?"));
  EXPECT_THAT(error(output, {{"trigger", "Command"}}),
              HasSubstr("Command.trigger is already used by another signal"));
  EXPECT_THAT(error(output, {{"trigger", "Status"}}), HasSubstr("is received by this device"));
  EXPECT_THAT(error(output, {{"trigger", "Wide"}}), HasSubstr("expected `fd: true` of the device"));
  EXPECT_THAT(error(output, {{"trigger", "Checked"}, {"signal", "Checked.First"}}),
              HasSubstr("found it beside `signal`"));
}

TEST(Can, HowMuchOfTheBusItTakesIsTold) {
  CanRig rig(CanRig::Texts{{"bit_rate", "500 kbit/s"}});
  EXPECT_EQ(rig.device().remark().words,
            "what has a cycle, 1 of 11 messages, takes up to 1.9 % of 500 kbit/s");
  EXPECT_FALSE(rig.device().remark().warning);
  CanRig slow(CanRig::Texts{{"bit_rate", "10 kbit/s"}});
  EXPECT_THAT(std::string(slow.device().remark().words), HasSubstr("takes up to 95.0 % of 10"));
  EXPECT_TRUE(slow.device().remark().warning);
  EXPECT_EQ(CanRig().device().remark().words, "");
}

TEST(Can, AnImageIsToComeAtTheCycleOfItsMessage) {
  CanRig rig;
  EXPECT_EQ(rig.input("Command.Torque").cycle, 10_ms);
  EXPECT_EQ(rig.input("Status.Speed").cycle, 0_ms);
}

// ---- what is refused ---------------------------------------------------------------------------

std::string refusal_of(CanRig::Texts keys) {
  try {
    const CanRig rig(std::move(keys));
  } catch (const Rejected& refused) {
    return refused.what();
  }
  return "taken";
}

TEST(Can, WhatIsWrongWithADeviceIsSaid) {
  EXPECT_THAT(refusal_of({{"dbc", "/nowhere/x.dbc"}}), HasSubstr("/nowhere/x.dbc"));
  EXPECT_THAT(refusal_of({{"interface", "a-name-that-is-too-long"}}),
              HasSubstr("the name of an interface"));
  EXPECT_THAT(refusal_of({{"transmit.Checked.send", "cyclic"}}),
              HasSubstr("cycle: found nothing, expected a value"));
  auto far = checked("transmit");
  far["transmit.Checked.protect.crc_byte"] = "4";
  EXPECT_THAT(refusal_of(far), HasSubstr("within the 4 bytes of Checked"));
}

TEST(Can, WhatIsWrongWithAChannelIsSaid) {
  CanRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.input("Status.Speed");
  rig.output("Command.Torque");
  const auto error = [&](io::Direction direction, const std::string& signal) {
    try {
      const auto channel = rig.add(direction, {{"signal", signal}});
      return channel ? "taken" : channel.error().message;
    } catch (const Rejected& refused) {
      return std::string(refused.what());
    }
  };
  using enum io::Direction;
  EXPECT_THAT(error(input, "Status.Sped"), HasSubstr("did you mean \"Speed\"?"));
  EXPECT_THAT(error(input, "Statas.Speed"), HasSubstr("did you mean \"Status\"?"));
  EXPECT_THAT(error(input, "Speed"), HasSubstr("expected MESSAGE.SIGNAL"));
  EXPECT_THAT(error(output, "Command.Torque"), HasSubstr("already used by another signal"));
  EXPECT_THAT(error(input, "Command.Mode"), HasSubstr("does not receive what it sends"));
  EXPECT_THAT(error(output, "Status.Gear"), HasSubstr("is received by this device"));
  EXPECT_THAT(error(input, "Wide.Long"), HasSubstr("expected `fd: true` of the device"));
}

TEST(Can, WhatNoFrameOfTheDeviceCarriesIsRefused) {
  EXPECT_THAT(refusal_of({{"transmit.Wide.send", "each"}}),
              HasSubstr("Wide: found Wide (line 17 of the DBC file), which is a message of CAN FD, "
                        "expected `fd: true`"));
  EXPECT_EQ(refusal_of({{"transmit.Wide.send", "each"}, {"fd", "true"}}), "taken");
  EXPECT_THAT(
      refusal_of({{"receive.Long.protect.profile", "crc-8"}}),
      HasSubstr("Long (line 25 of the DBC file), which is of more than 8 bytes, which J1939 "
                "sends in several frames"));
}

TEST(Can, AUnitThatNobodyKnowsIsAskedFor) {
  CanRig rig;
  const auto refused = [&](CanRig::Texts keys) {
    try {
      return rig.add(io::Direction::input, std::move(keys)).value().unit;
    } catch (const Rejected& told) {
      EXPECT_THAT(told.what(), HasSubstr("found the unit \"Schritte\" (line 27 of the DBC file)"));
      return Name("refused");
    }
  };
  EXPECT_EQ(refused({{"signal", "Steering.Angle"}}), "refused");
  EXPECT_EQ(refused({{"signal", "Steering.Angle"}, {"unit", "deg"}}), "deg");
}

std::string refusal_at_open(const CanRig::Texts& keys, const std::vector<std::string>& outputs) {
  CanRig rig(keys);
  for (const std::string& signal : outputs) rig.output(signal);
  rt::VirtualClock clock;
  EXPECT_TRUE(rig.device().detach());
  const auto opened = rig.device().open(clock);
  return opened ? "taken" : opened.error().message;
}

TEST(Can, WhatWouldNeverBeSentIsRefused) {
  // The switch is at 0 where no output moves it.
  EXPECT_EQ(refusal_at_open({}, {"Mixed.Left"}), "taken");
  EXPECT_EQ(refusal_at_open({}, {"Mixed.Right"}),
            "Mixed.Right is never sent: its switch Mixed.Which has a start value "
            "(GenSigStartValue) that does not select it, expected an output on Mixed.Which too");
  EXPECT_EQ(refusal_at_open({}, {"Mixed.Right", "Mixed.Which"}), "taken");
  EXPECT_THAT(refusal_at_open({{"transmit.Command.send", "each"}}, {}),
              HasSubstr("a device without outputs, which sends nothing"));
  EXPECT_EQ(refusal_at_open({{"transmit.Command.send", "each"}}, {"Mixed.Left"}), "taken");
}

// 0x18fef215 and 0x18fef216.
TEST(Can, MessagesOfOneGroupAreToldApartByWhoSendsThemAtAnyPriority) {
  CanRig rig;
  rig.input("Left.Load");
  rig.input("Right.Load");
  rig.open();
  rig.arrives(0x0cfef215 | CAN_EFF_FLAG, {1});
  rig.arrives(0x18fef216 | CAN_EFF_FLAG, {2});
  rig.arrives(0x18fef217 | CAN_EFF_FLAG, {3});
  EXPECT_THAT(rig.read(), ElementsAre(1, 2));
  EXPECT_EQ(rig.count("received"), 2);
}

// A device without inputs, too, is to tell that it is off the bus.
TEST(Can, WhoOnlySendsIsToldWhatBecomesOfTheController) {
  CanRig rig;
  rig.output("Command.Torque");
  rig.open();
  rig.arrives(CAN_ERR_FLAG | 0x40U, std::vector<std::uint8_t>(8));  // bus off
  EXPECT_TRUE(rig.write({1}));
  EXPECT_EQ(rig.count("bus_off"), 1);
}

TEST(Can, AKeyOfAMessageThatDoesNothingIsSaid) {
  CanRig rig(checked("receive"));
  rig.input("Status.Speed");
  const auto opened = rig.device().open(rig.clock());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message,
              HasSubstr("found `receive` of Checked, from which no input is"));
}

TEST(Can, AnInterfaceThatIsNotThereOrIsNoneOfCanIsSaid) {
  const auto missing = can::check_interface({.interface = Name("nocan9"), .fd = false});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ExitCode::device_failed);
  EXPECT_THAT(missing.error().message, HasSubstr("there is no interface nocan9"));
  const auto other = can::check_interface({.interface = Name("lo"), .fd = false});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("lo is no interface of a CAN bus"));
}

TEST(Can, FramesOfCanFdAreReadWhereTheyAreAskedFor) {
  CanRig rig(CanRig::Texts{{"fd", "true"}});
  rig.input("Wide.Long");
  rig.open();
  rig.arrives(0x202, {0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 0}, true);
  EXPECT_THAT(rig.read(), ElementsAre(513));
}

TEST(Can, AnOfflineRunHasNoBus) {
  CanRig rig;
  rig.input("Status.Speed");
  rig.output("Command.Torque");
  rt::VirtualClock clock;
  EXPECT_FALSE(rig.device().open(clock));
  EXPECT_TRUE(rig.device().detach());
  ASSERT_TRUE(rig.device().open(clock));
  std::array<double, 1> input{};
  std::array<MonoTime, 1> sampled{MonoTime{77}};
  EXPECT_TRUE(rig.device().exchange(std::array{1.0}, input, sampled));
  EXPECT_EQ(input[0], 10);
  EXPECT_EQ(sampled[0], MonoTime{77}) << "what never changes is not old";
}

// ---- what every driver owes --------------------------------------------------------------------

const io::Driver over_a_pair{
    "can-over-a-pair", "for tests",
    [](std::string_view, io::Options& options) -> std::unique_ptr<io::Device> {
      return std::make_unique<can::CanDevice>(options, CanRig::open_pair);
    }};
const bool over_a_pair_registered = io::register_driver(over_a_pair);

struct CanOverAPair {
  using Options = FakeOptions;
  static constexpr std::string_view driver = "can-over-a-pair";
  static constexpr double resolution = 0.01;
  static std::string missing() {
    std::ofstream(file()) << can_file;
    return {};
  }
  static std::string file() {
    return testing::TempDir() + "hild-can-owed-" + std::to_string(::getpid()) + ".dbc";
  }
  static Texts device() {
    // So that what is written is sent, whenever it is written; and nobody reads it here.
    return {{"interface", "vcan7"}, {"dbc", file()}, {"transmit.Command.send", "change"}};
  }
  static std::vector<Texts> inputs() {
    return {{{"signal", "Status.Speed"}}, {{"signal", "Temperature.Oil"}}};
  }
  static std::vector<Texts> outputs() {
    return {{{"signal", "Command.Torque"}}, {{"signal", "Command.Mode"}}};
  }
  static void fail(io::Device& /*device*/) { CanRig::unplug(); }
};
INSTANTIATE_TYPED_TEST_SUITE_P(CanOverAPair, DriverConformance, CanOverAPair);

}  // namespace
}  // namespace hild::test
