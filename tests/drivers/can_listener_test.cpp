// SPDX-License-Identifier: Apache-2.0
/// \file
/// A bus that is listened to: frames of all kinds, byte by byte as the DBC file of can_rig.hpp has
/// them.
#include "drivers/can_listener.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <linux/can/error.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include <csignal>
#include <thread>

#include "tests/drivers/can_rig.hpp"

namespace hild::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr MonoTime at_once{};  // it has passed: nothing is waited for

/// What was heard, kept.
struct KeptMessage {
  explicit KeptMessage(const io::Heard& heard)
      : at(heard.at),
        address(heard.address),
        name(heard.name),
        bytes(heard.bytes.begin(), heard.bytes.end()),
        remark(heard.remark) {
    for (const io::HeardValue& v : heard.values) {
      values.push_back(fmt::format("{}={:.10g} {} {}", v.name, v.value, v.unit, v.word));
    }
  }

  MonoTime at;
  std::string address, name;
  std::vector<std::uint8_t> bytes;
  std::vector<std::string> values;  ///< "Gear=1 unit word"
  std::string remark;
};

struct ListeningRig : CanRig {
  explicit ListeningRig(CanRig::Texts keys = {}, can::OpenSocket open_it = open_pair)
      : CanRig(std::move(keys), open_it) {}

  void listen() {
    auto made = device().listener(clock());
    ASSERT_TRUE(made) << made.error().message;
    listener = std::move(*made);
    ASSERT_NE(listener, nullptr);
  }
  /// The next one, which is there already.
  std::optional<KeptMessage> next(MonoTime until = at_once) const {
    const auto heard = listener->hear(until);
    if (!heard) {
      ADD_FAILURE() << heard.error().message;
      return {};
    }
    if (!*heard) return {};
    return KeptMessage(**heard);
  }
  /// That of a frame; an empty one where there is none.
  KeptMessage of(canid_t id, std::vector<std::uint8_t> bytes, bool fd = false) const {
    arrives(id, std::move(bytes), fd);
    const auto heard = next();
    if (!heard) ADD_FAILURE() << "nothing was heard of " << id;
    return heard.value_or(KeptMessage(io::Heard{}));
  }

  std::unique_ptr<io::Listener> listener;
};

// 0x03e8 = 1000 halves of an rpm; 0x11: gear 1, bit 4 is Ready. 0x0290 = 656 tenths of a degree
// above -40.
TEST(CanListener, TakesAllMessagesOfTheFileApart) {
  ListeningRig rig;
  rig.listen();
  const KeptMessage status = rig.of(0x100, {0xe8, 0x03, 0x11, 0x00});
  EXPECT_EQ(status.address, "0x100");
  EXPECT_EQ(status.name, "Status");
  EXPECT_THAT(status.bytes, ElementsAre(0xe8, 0x03, 0x11, 0x00));
  EXPECT_THAT(status.values, ElementsAre("Speed=500 rpm ", "Gear=1  drive", "Ready=1  "));
  EXPECT_EQ(status.remark, "");
  const KeptMessage oil = rig.of(0x200 | CAN_EFF_FLAG, {0x02, 0x90});
  EXPECT_EQ(oil.address, "0x00000200") << "of 29 bits";
  EXPECT_EQ(oil.name, "Temperature");
  EXPECT_THAT(oil.values, ElementsAre("Oil=25.6 degC "));
  EXPECT_EQ(rig.of(0x200, {0, 0, 0, 0}).name, "Command") << "of 11 bits";
  EXPECT_EQ(rig.of(0x204, {0, 0}).values.at(0), "Angle=0 Schritte ") << "whatever the unit is";
}

TEST(CanListener, WantsAllThatThereIs) {
  ListeningRig rig;
  rig.listen();
  ASSERT_EQ(CanRig::filters().size(), 1U);
  EXPECT_EQ(CanRig::filters()[0].can_id, 0U);
  EXPECT_EQ(CanRig::filters()[0].can_mask, 0U);
}

TEST(CanListener, ASignalIsThereWhereItsSwitchSaysSo) {
  ListeningRig rig;
  rig.listen();
  EXPECT_THAT(rig.of(0x203, {0, 7}).values, ElementsAre("Which=0  ", "Left=7  "));
  EXPECT_THAT(rig.of(0x203, {1, 8}).values, ElementsAre("Which=1  ", "Right=8  "));
  EXPECT_THAT(rig.of(0x203, {2, 9}).values, ElementsAre("Which=2  "));
}

// Bytes 8 ... 11 of Wide: 0x00000102.
TEST(CanListener, TakesFramesOfFd) {
  ListeningRig rig(CanRig::Texts{{"fd", "true"}});
  rig.listen();
  const KeptMessage wide = rig.of(0x202, {0, 0, 0, 0, 0, 0, 0, 0, 2, 1, 0, 0}, true);
  EXPECT_EQ(wide.name, "Wide");
  EXPECT_THAT(wide.values, ElementsAre("Long=258  "));
  EXPECT_EQ(rig.of(0x7f0, std::vector<std::uint8_t>(64, 1), true).bytes.size(), 64U);
  // Of what a longer frame left nothing is seen.
  EXPECT_THAT(rig.of(0x7f0, {5}).bytes, ElementsAre(5));
}

// 0x18fef015 is of the parameter group 0xfef0. Left and Right are of one group, so that who sends
// tells which is which.
TEST(CanListener, KnowsJ1939ByItsGroup) {
  ListeningRig rig;
  rig.listen();
  const KeptMessage other = rig.of(0x0cfef022 | CAN_EFF_FLAG, {0, 0, 0, 8, 0, 0, 0, 0});
  EXPECT_EQ(other.address, "0x0cfef022");
  EXPECT_EQ(other.name, "Engine");
  EXPECT_THAT(other.values, ElementsAre("Rpm=1 rpm "));
  EXPECT_EQ(rig.of(2566844949U, {3}).name, "Left");
  EXPECT_EQ(rig.of(2566844950U, {3}).name, "Right");
}

TEST(CanListener, WhatTheFileDoesNotHaveIsShownAsItCame) {
  ListeningRig rig;
  rig.listen();
  const KeptMessage unknown = rig.of(0x01, {1, 2, 0xff});
  EXPECT_EQ(unknown.address, "0x001");
  EXPECT_EQ(unknown.name, "");
  EXPECT_THAT(unknown.bytes, ElementsAre(1, 2, 0xff));
  EXPECT_THAT(unknown.values, IsEmpty());
  EXPECT_EQ(unknown.remark, "");
  EXPECT_EQ(rig.of(0x1fffffff | CAN_EFF_FLAG, {}).address, "0x1fffffff");
}

TEST(CanListener, AFrameThatIsTooShortIsNotTakenApart) {
  ListeningRig rig;
  rig.listen();
  const KeptMessage brief = rig.of(0x100, {2, 0, 0});
  EXPECT_EQ(brief.name, "Status");
  EXPECT_THAT(brief.bytes, ElementsAre(2, 0, 0));
  EXPECT_THAT(brief.values, IsEmpty());
  EXPECT_EQ(brief.remark, "shorter than its message: 3 bytes of 4");
  EXPECT_EQ(rig.of(0x100, {2, 0, 0, 0, 0}).remark, "") << "a longer one is";
  // A length that its frame has no room for.
  EXPECT_EQ(rig.of(0x100, std::vector<std::uint8_t>(64)).bytes.size(), 8U);
}

TEST(CanListener, ARemoteFrameAsksForAMessage) {
  ListeningRig rig;
  rig.listen();
  const KeptMessage asks = rig.of(0x100 | CAN_RTR_FLAG, {0, 0, 0, 0});
  EXPECT_EQ(asks.address, "0x100");
  EXPECT_EQ(asks.name, "Status");
  EXPECT_THAT(asks.bytes, IsEmpty());
  EXPECT_THAT(asks.values, IsEmpty());
  EXPECT_EQ(asks.remark, "a remote frame, which asks for it");
}

// ---- what the controller tells -----------------------------------------------------------------

TEST(CanListener, PutsWhatTheControllerTellsIntoWords) {
  ListeningRig rig;
  rig.listen();
  const auto told = [&](canid_t kind, std::uint8_t controller = 0, std::uint8_t protocol = 0) {
    return rig.of(CAN_ERR_FLAG | kind, {0, controller, protocol, 0, 0, 0, 0, 0});
  };
  const KeptMessage off = told(CAN_ERR_BUSOFF);
  EXPECT_EQ(off.address, "");
  EXPECT_EQ(off.name, "");
  EXPECT_EQ(off.remark, "bus off");
  EXPECT_EQ(told(CAN_ERR_RESTARTED).remark, "restarted");
  // Numbers of linux/can/error.h.
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x01).remark, "no room for what was received");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x02).remark, "no room for what is to be sent");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x04).remark, "error warning in receiving");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x08).remark, "error warning in sending");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x10).remark, "error passive in receiving");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x20).remark, "error passive in sending");
  EXPECT_EQ(told(CAN_ERR_CRTL, 0x40).remark, "error active again");
  EXPECT_EQ(told(CAN_ERR_PROT, 0, 0x04).remark, "protocol error; stuff error");
  EXPECT_EQ(told(CAN_ERR_PROT | CAN_ERR_BUSERROR, 0, 0x03).remark,
            "protocol error; bit error; form error; bus error");
  EXPECT_EQ(told(CAN_ERR_PROT, 0, 0x20).remark, "protocol error; overload");
  EXPECT_EQ(told(CAN_ERR_TX_TIMEOUT | CAN_ERR_LOSTARB).remark,
            "sending took too long; arbitration lost");
  EXPECT_EQ(told(CAN_ERR_TRX | CAN_ERR_ACK).remark, "transceiver error; nobody acknowledged");
  EXPECT_EQ(told(0, 0x20, 0x04).remark, "the controller tells of an error")
      << "the bytes of a class that is not told mean nothing";
}

// ---- what is protected -------------------------------------------------------------------------

CanRig::Texts protected_one(const std::string& way) {
  return {{way + ".Checked.protect.profile", "crc-8"},
          {way + ".Checked.protect.crc_byte", "3"},
          {way + ".Checked.protect.counter_bit", "8"},
          {way + ".Checked.protect.most_lost", "1"}};
}

// CRC-8 SAE J1850 of f2 01 83 is 37, by the examples of AUTOSAR's CRC library. That of three equal
// bytes less is counted bit by bit.
std::uint8_t checksum_of(const std::vector<std::uint8_t>& bytes) {
  unsigned crc = 0xff;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x80) != 0 ? (crc << 1 ^ 0x1d) & 0xff : crc << 1;
  }
  return static_cast<std::uint8_t>(crc ^ 0xff);
}

void looks_at_protection(const ListeningRig& rig) {
  ASSERT_EQ(checksum_of({0xf2, 0x01, 0x83}), 0x37);
  const auto counted = [&](std::uint8_t counter) {
    return rig.of(0x201, {0xf2, counter, 0x83, checksum_of({0xf2, counter, 0x83})}).remark;
  };
  EXPECT_EQ(counted(1), "");
  EXPECT_EQ(counted(1), "its counter does not follow") << "it is repeated";
  EXPECT_EQ(counted(3), "its counter says that some before it are missing");
  EXPECT_EQ(counted(9), "its counter does not follow") << "too far ahead";
  const KeptMessage wrong = rig.of(0x201, {0xf2, 0x01, 0x83, 0x38});
  EXPECT_EQ(wrong.remark, "its checksum is wrong");
  EXPECT_THAT(wrong.values, ElementsAre("First=242  ", "Alive=1  ", "Third=131  ", "Checksum=56  "))
      << "it is shown all the same";
}

TEST(CanListener, LooksAtCounterAndChecksumOfWhatIsReceived) {
  ListeningRig rig(protected_one("receive"));
  rig.listen();
  looks_at_protection(rig);
}

TEST(CanListener, LooksAtCounterAndChecksumOfWhatIsSent) {
  ListeningRig rig(protected_one("transmit"));
  rig.output("Checked.First");
  rig.listen();
  looks_at_protection(rig);
}

// ---- in time -----------------------------------------------------------------------------------

TEST(CanListener, EachHasTheTimeAtWhichItCame) {
  ListeningRig rig;
  rig.listen();
  const MonoTime before = rig.clock().now();
  for (std::uint8_t i = 0; i < 3; ++i) rig.arrives(0x7f0, {i});
  MonoTime last = before;
  for (std::uint8_t i = 0; i < 3; ++i) {
    const auto heard = rig.next();
    ASSERT_TRUE(heard);
    EXPECT_THAT(heard->bytes, ElementsAre(i));
    EXPECT_GE(heard->at, last);
    last = heard->at;
  }
  EXPECT_LE(last, rig.clock().now());
  EXPECT_FALSE(rig.next());
}

// Several are read by one call; so few that the socket has room for them.
TEST(CanListener, LeavesNoneOut) {
  ListeningRig rig;
  rig.listen();
  std::uint8_t heard = 0;
  for (std::uint8_t sent = 0; sent < 64;) {
    for (int i = 0; i < 8; ++i) rig.arrives(0x7f0, {sent++});
    while (const auto one = rig.next()) EXPECT_THAT(one->bytes, ElementsAre(heard++));
    EXPECT_EQ(heard, sent);
  }
}

TEST(CanListener, WhatIsNoFrameIsPassedOver) {
  ListeningRig rig;
  rig.listen();
  const char text[] = "no frame";
  ASSERT_EQ(::send(CanRig::ends().get(), text, sizeof text, 0), static_cast<ssize_t>(sizeof text));
  EXPECT_EQ(rig.of(0x7f0, {1}).address, "0x7f0");
}

TEST(CanListener, NothingIsHeardUntilThen) {
  ListeningRig rig;
  rig.listen();
  const MonoTime until = rig.clock().now() + 20_ms;
  EXPECT_FALSE(rig.next(until));
  EXPECT_GE(rig.clock().now(), until);
}

// A signal that comes while it waits ends nothing.
TEST(CanListener, WaitsForTheNext) {
  ListeningRig rig;
  rig.listen();
  struct sigaction act {};
  act.sa_handler = [](int) {};
  struct sigaction before {};
  ASSERT_EQ(::sigaction(SIGUSR1, &act, &before), 0);
  const std::jthread sends([&, waits = ::pthread_self()] {
    for (int i = 0; i < 5; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      ::pthread_kill(waits, SIGUSR1);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    rig.arrives(0x7f0, {7});
  });
  const auto heard = rig.next(rig.clock().now() + 60_s);
  ASSERT_TRUE(heard);
  EXPECT_THAT(heard->bytes, ElementsAre(7));
  ASSERT_EQ(::sigaction(SIGUSR1, &before, nullptr), 0);
}

// ---- beside a run, and what goes wrong ---------------------------------------------------------

TEST(CanListener, HasASocketOfItsOwn) {
  ListeningRig rig(CanRig::Texts{{"transmit.Command.send", "each"}});
  rig.input("Status.Speed");
  rig.output("Command.Torque");
  rig.open();
  rig.start();
  const Descriptor bus = std::move(CanRig::ends());  // of the device that runs
  rig.listen();
  EXPECT_EQ(rig.of(0x100, {2, 0, 0, 0}).name, "Status");
  EXPECT_THAT(rig.read(), ElementsAre(10)) << "it takes nothing from the run";
  EXPECT_THAT(rig.sent(), IsEmpty()) << "and sends nothing";
}

/// A socket that counts what it has no room for, as one of CAN does: of UDP, with little room.
Result<Descriptor> open_narrow(const can::Link& /*link*/, std::span<const can_filter> /*wanted*/) {
  Descriptor in(::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  CanRig::ends() = Descriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const int on = 1;
  const int little = 1;  // the least there is
  EXPECT_EQ(::setsockopt(in.get(), SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on), 0);
  EXPECT_EQ(::setsockopt(in.get(), SOL_SOCKET, SO_RCVBUF, &little, sizeof little), 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof here;
  EXPECT_EQ(::bind(in.get(), reinterpret_cast<const sockaddr*>(&here), size), 0);
  EXPECT_EQ(::getsockname(in.get(), reinterpret_cast<sockaddr*>(&here), &size), 0);
  EXPECT_EQ(::connect(CanRig::ends().get(), reinterpret_cast<const sockaddr*>(&here), size), 0);
  return in;
}

TEST(CanListener, TellsOfThoseForWhichThereWasNoRoom) {
  ListeningRig rig({}, open_narrow);
  rig.listen();
  constexpr int sent = 200;
  for (int i = 0; i < sent; ++i) rig.arrives(0x7f0, {1});
  int heard = 0;
  for (; const auto one = rig.next(); ++heard) EXPECT_EQ(one->remark, "");
  ASSERT_LT(heard, sent);
  EXPECT_EQ(rig.of(0x7f0, {2}).remark,
            fmt::format("{} before it were lost, for which the kernel had no room", sent - heard));
  EXPECT_EQ(rig.of(0x7f0, {3}).remark, "") << "once";
  for (int i = 0; i < sent; ++i) rig.arrives(0x7f0, {1});
  while (rig.next()) continue;
  EXPECT_THAT(rig.of(0x201, {}).remark, HasSubstr("no room; shorter than its message"));
}

TEST(CanListener, ABusThatIsNotThereIsToldAsAtOpening) {
  ListeningRig rig({}, [](const can::Link& link, std::span<const can_filter>) {
    return Result<Descriptor>(fail(ExitCode::device_failed, "{} is down", link.interface.view()));
  });
  const auto made = rig.device().listener(rig.clock());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message, "vcan7 is down");
  EXPECT_EQ(made.error().code, ExitCode::device_failed);
}

TEST(CanListener, ABusThatIsGoneIsTold) {
  ListeningRig rig({}, [](const can::Link&, std::span<const can_filter>) {
    return Result<Descriptor>(Descriptor(::eventfd(0, EFD_CLOEXEC)));  // no socket
  });
  rig.listen();
  const auto heard = rig.listener->hear(at_once);
  ASSERT_FALSE(heard);
  EXPECT_EQ(heard.error().code, ExitCode::device_failed);
  EXPECT_THAT(heard.error().message, HasSubstr("cannot receive on vcan7: Socket operation on "
                                               "non-socket; look at the interface"));
}

}  // namespace
}  // namespace hild::test
