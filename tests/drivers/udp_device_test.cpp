// SPDX-License-Identifier: Apache-2.0
/// \file
/// The device on the loopback: what is received, counted and sent, and when.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drivers/udp_rig.hpp"

namespace hild::udp {
namespace {

using test::Bytes;
using test::bytes;
using test::comes;
using test::UdpPeer;
using test::UdpRig;
using testing::HasSubstr;

/// Sequence number (u8) and two values (u8).
UdpRig numbered(UdpRig::Texts keys = {}) {
  keys.merge(UdpRig::Texts{
      {"receive.length", "3"}, {"receive.sequence.at", "0"}, {"receive.sequence.type", "u8"}});
  UdpRig rig(std::move(keys));
  rig.input({{"at", "1"}, {"type", "u8"}});
  rig.input({{"at", "2"}, {"type", "u8"}});
  return rig;
}

// ---- what is received --------------------------------------------------------------------------

TEST(UdpDevice, ReadsWholeImages) {
  UdpRig rig = numbered();
  rig.open();
  const UdpPeer peer;
  for (int n = 1; n <= 100; ++n) {
    peer.send(rig.port(), bytes({n, n, 200 - n}));
    ASSERT_TRUE(comes([&] {
      const auto u = rig.exchange();
      EXPECT_EQ(u[1], u[0] == 0 ? 0 : 200 - u[0]);
      return u[0] == n;
    }));
  }
  EXPECT_EQ(rig.count("received"), 100);
  EXPECT_EQ(rig.count("lost"), 0);
}

TEST(UdpDevice, UntilAPacketComesInputsHaveTheirStartAndAreOlderThanAnything) {
  UdpRig rig(UdpRig::Texts{{"receive.length", "9"}});
  rig.input({{"at", "0"}, {"type", "f64"}, {"unit", "rad/s"}, {"start", "-3 rad/s"}});
  rig.input({{"at", "8"}, {"bit", "0"}, {"start", "1"}});
  rig.open();
  EXPECT_EQ(rig.exchange(), (std::vector{-3.0, 1.0}));
  const MonoTime never = rig.sampled();
  EXPECT_GE(seconds(rig.clock().now() - never), 365 * 86400.0);
  EXPECT_EQ(rig.exchange(), (std::vector{-3.0, 1.0}));
  EXPECT_EQ(rig.sampled(), never) << "they do not become new by being read";
}

TEST(UdpDevice, TheNewestBySequenceNumberWins) {
  UdpRig rig = numbered();
  rig.open();
  const UdpPeer peer;
  for (const int n : {250, 251, 254, 252, 254, 1, 0}) peer.send(rig.port(), bytes({n, n, 0}));
  ASSERT_TRUE(rig.reads_until("received", 7));
  EXPECT_EQ(rig.values()[0], 1);
  EXPECT_EQ(rig.count("lost"), 2 + 2);  // 252, 253; 255, 0
  EXPECT_EQ(rig.count("reordered"), 2);
  EXPECT_EQ(rig.count("doubled"), 1);
  EXPECT_EQ(rig.count("restarts"), 0);
}

TEST(UdpDevice, WithoutNumbersTheLastToArriveWins) {
  UdpRig rig(UdpRig::Texts{{"receive.length", "1"}});
  rig.input({{"at", "0"}, {"type", "u8"}});
  rig.open();
  const UdpPeer peer;
  for (const int n : {5, 9, 2}) peer.send(rig.port(), bytes({n}));
  ASSERT_TRUE(rig.reads_until("received", 3));
  EXPECT_EQ(rig.values()[0], 2);
}

TEST(UdpDevice, APeerThatBeginsAnewIsTaken) {
  UdpRig rig = numbered();
  rig.open();
  const UdpPeer peer;
  for (const int n : {120, 0, 1, 2}) peer.send(rig.port(), bytes({n, n, 0}));
  ASSERT_TRUE(rig.reads_until("received", 4));
  EXPECT_EQ(rig.values()[0], 2);
  EXPECT_EQ(rig.count("restarts"), 1);
  EXPECT_EQ(rig.count("reordered"), 1);
}

TEST(UdpDevice, OtherLengthsAreCountedAndIgnored) {
  UdpRig rig = numbered();
  rig.open();
  const UdpPeer peer;
  peer.send(rig.port(), bytes({7, 7, 7}));
  for (const Bytes& other : {bytes({}), bytes({8, 8}), bytes({9, 9, 9, 9}), Bytes(60'000)}) {
    peer.send(rig.port(), other);
  }
  ASSERT_TRUE(rig.reads_until("wrong_length", 4));
  EXPECT_EQ(rig.values()[0], 7);
  EXPECT_EQ(rig.count("received"), 1);
}

TEST(UdpDevice, OtherSendersAreCountedAndIgnored) {
  const UdpPeer peer;
  const UdpPeer stranger;
  UdpRig rig = numbered({{"from", peer.address()}});
  rig.open();
  stranger.send(rig.port(), bytes({200, 99, 99}));
  stranger.send(rig.port(), bytes({200}));
  peer.send(rig.port(), bytes({1, 42, 0}));
  ASSERT_TRUE(rig.reads_until("received", 1));
  ASSERT_TRUE(rig.reads_until("wrong_sender", 2));
  EXPECT_EQ(rig.values()[0], 42);
  EXPECT_EQ(rig.count("wrong_length"), 0) << "what a stranger sends is not looked at";
}

TEST(UdpDevice, AnyPortOfASenderIsTaken) {
  UdpRig rig = numbered({{"from", "127.0.0.1"}});
  rig.open();
  UdpPeer().send(rig.port(), bytes({1, 42, 0}));
  ASSERT_TRUE(rig.reads_until("received", 1));
  EXPECT_EQ(rig.count("wrong_sender"), 0);
}

TEST(UdpDevice, WhatIsNoNumberIsNotTaken) {
  UdpRig rig({{"receive.length", "4"}, {"byte_order", "big"}});
  rig.input({{"at", "0"}, {"type", "f32"}});
  rig.open();
  const UdpPeer peer;
  peer.send(rig.port(), bytes({0x3f, 0xc0, 0, 0}));  // 1.5
  peer.send(rig.port(), bytes({0x7f, 0xc0, 0, 0}));  // NaN
  peer.send(rig.port(), bytes({0x7f, 0x80, 0, 0}));  // infinity
  ASSERT_TRUE(rig.reads_until("not_finite", 2));
  EXPECT_EQ(rig.values()[0], 1.5);
}

TEST(UdpDevice, ImagesAreOfWhenTheyArrived) {
  UdpRig rig = numbered();
  rig.open();
  const UdpPeer peer;
  (void)rig.exchange();
  for (int n = 1; n <= 50; ++n) {
    const MonoTime before = rig.clock().now();
    peer.send(rig.port(), bytes({n, n, 0}));
    ASSERT_TRUE(rig.reads_until("received", n));
    const MonoTime after = rig.clock().now();
    EXPECT_GE(rig.sampled(), before);
    EXPECT_LE(rig.sampled(), after);
    const MonoTime of_image = rig.sampled();
    (void)rig.exchange();
    EXPECT_EQ(rig.sampled(), of_image) << "an image that is read again is not newer";
  }
}

TEST(UdpDevice, ImagesAreOfTheTimeThatTheSenderTells) {
  UdpRig rig({{"receive.length", "9"},
              {"receive.time.at", "0"},
              {"receive.time.type", "u64"},
              {"receive.time.unit", "ns"},
              {"receive.time.clock", "monotonic"}});
  rig.input({{"at", "8"}, {"type", "u8"}});
  rig.open();
  const UdpPeer peer;
  const auto packet = [](std::int64_t ns, int value) {
    Bytes made(9);
    std::memcpy(made.data(), &ns, sizeof ns);  // little, as the machines that hild runs on
    made[8] = static_cast<std::byte>(value);
    return made;
  };
  const MonoTime made_at = rig.clock().now() - 5_ms;
  peer.send(rig.port(), packet(made_at.ns, 1));
  ASSERT_TRUE(rig.reads_until("received", 1));
  // A double has 53 bits: in 100 days of running some ns are rounded off.
  EXPECT_NEAR(static_cast<double>((rig.sampled() - made_at).ns), 0, 8);
  const MonoTime before = rig.clock().now();
  peer.send(rig.port(), packet(before.ns + 3'600'000'000'000, 2));
  ASSERT_TRUE(rig.reads_until("received", 2));
  EXPECT_LE(rig.sampled(), rig.clock().now()) << "what is yet to come is as good as now";
  EXPECT_GE(rig.sampled(), before);
}

// ---- what is sent ------------------------------------------------------------------------------

/// Sequence number (u16, big) and two values.
UdpRig sending(const UdpPeer& peer, UdpRig::Texts keys = {}) {
  keys.merge(UdpRig::Texts{{"send", peer.address()},
                           {"transmit.length", "6"},
                           {"transmit.sequence.at", "0"},
                           {"transmit.sequence.type", "u16"},
                           {"transmit.sequence.byte_order", "big"}});
  UdpRig rig(std::move(keys));
  rig.output({{"at", "2"}, {"type", "i16"}, {"factor", "0.5"}});
  rig.output({{"at", "5"}, {"bit", "4"}});
  return rig;
}

TEST(UdpDevice, SendsAPacketAnExchangeThatWrites) {
  const UdpPeer peer;
  UdpRig rig = sending(peer);
  rig.open();
  std::vector<double> held(2);
  EXPECT_FALSE(rig.device().read_back(held)) << "nothing was sent yet";
  rig.exchange({-1.5, 1});
  EXPECT_EQ(peer.receive(), bytes({0, 0, 0xfd, 0xff, 0, 0x10}));
  EXPECT_EQ(peer.sender(), rig.port()) << "so that the peer can answer";
  rig.exchange();  // reads only
  rig.exchange({300, 0});
  EXPECT_EQ(peer.receive(), bytes({0, 1, 0x58, 0x02, 0, 0}));
  EXPECT_FALSE(peer.any());
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held, (std::vector{300.0, 0.0}));
  EXPECT_EQ(rig.count("sent"), 2);
}

TEST(UdpDevice, TellsTheTimeSinceTheStartOfTheRun) {
  const UdpPeer peer;
  UdpRig rig({{"send", peer.address()},
              {"transmit.length", "16"},
              {"transmit.time.at", "0"},
              {"transmit.time.type", "i64"},
              {"transmit.time.unit", "ns"}});
  rig.output({{"at", "8"}, {"type", "f64"}});
  rig.open();
  const auto time_sent = [&] {
    rig.write({0});
    const Bytes packet = peer.receive();
    std::int64_t ns = -1;
    if (packet.size() == 16) std::memcpy(&ns, packet.data(), sizeof ns);
    return Duration{ns};
  };
  EXPECT_EQ(time_sent(), Duration{0}) << "before the start";
  const MonoTime zero = rig.clock().now() + 10_s;
  rig.device().start(zero);
  const Duration before = rig.clock().now() - zero;
  const Duration sent = time_sent();
  const Duration after = rig.clock().now() - zero;
  EXPECT_GE(sent, before - 2_ns);  // as a double of seconds
  EXPECT_LE(sent, after + 2_ns);
}

TEST(UdpDevice, NobodyListeningIsCountedAndNoFailure) {
  auto peer = std::make_unique<UdpPeer>();
  const int port = peer->port();
  UdpRig rig = sending(*peer);
  rig.open();
  peer.reset();
  ASSERT_TRUE(comes([&] { return rig.exchange({1, 1}), rig.count("refused") > 0; }));
  rig.write({1, 1});
  // What is sent once somebody is there arrives, whatever the network had to tell of those before.
  peer = std::make_unique<UdpPeer>(port);
  rig.write({2, 0});
  const Bytes packet = peer->receive();
  ASSERT_EQ(packet.size(), 6U);
  EXPECT_EQ(Bytes(packet.begin() + 2, packet.end()), bytes({4, 0, 0, 0}));
  EXPECT_EQ(rig.device().failure(), "");
}

// What the network tells of what was sent must not keep out what arrives.
TEST(UdpDevice, ReceivesWhileNobodyTakesWhatItSends) {
  const UdpPeer peer;
  UdpRig rig({{"send", "127.0.0.1:" + std::to_string(test::free_port())},
              {"receive.length", "2"},
              {"transmit.length", "1"},
              {"byte_order", "big"}});
  rig.input({{"at", "0"}, {"type", "u16"}});
  rig.output({{"at", "0"}, {"type", "u8"}});
  rig.open();
  constexpr int many = 2000;  // more than there is room for
  for (int n = 1; n <= many; ++n) {
    peer.send(rig.port(), bytes({n / 256, n % 256}));
    ASSERT_TRUE(comes([&] { return rig.exchange({1})[0] == n; }));
  }
  EXPECT_EQ(rig.count("received"), many);
  // There is room for several at once still.
  int sent = many;
  const auto send = [&] { peer.send(rig.port(), bytes({0, 0})), ++sent; };
  for (int n = 0; n < 30; ++n) send();
  ASSERT_TRUE(comes([&] {
    send();
    rig.exchange();
    return rig.count("received") + rig.count("dropped") == sent;
  }));
  EXPECT_EQ(rig.count("dropped"), 0);
}

// As the guard of a run does.
TEST(UdpDevice, AForkedProcessCarriesOnTheSequence) {
  const UdpPeer peer;
  UdpRig rig = sending(peer);
  rig.open();
  rig.write({1, 0});
  rig.write({2, 0});
  const pid_t guard = ::fork();
  ASSERT_GE(guard, 0);
  if (guard == 0) {
    const std::array safe{-3.0, 1.0};
    ::_exit(rig.device().exchange(safe, {}, {}) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(guard, &status, 0), guard);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(peer.receive(), bytes({0, 0, 2, 0, 0, 0}));
  EXPECT_EQ(peer.receive(), bytes({0, 1, 4, 0, 0, 0}));
  EXPECT_EQ(peer.receive(), bytes({0, 2, 0xfa, 0xff, 0, 0x10}));
  std::vector<double> held(2);
  ASSERT_TRUE(rig.device().read_back(held));
  EXPECT_EQ(held, (std::vector{-3.0, 1.0}));
  rig.write({1, 0});
  EXPECT_EQ(peer.receive(), bytes({0, 3, 2, 0, 0, 0}));
}

TEST(UdpDevice, ASocketThatIsGoneIsAFailureAndStaysOne) {
  const UdpPeer peer;
  UdpRig rig = sending(peer);
  rig.open();
  int socket = -1;
  for (int fd = 0; fd < 1024 && socket < 0; ++fd) {
    sockaddr_in mine{};
    socklen_t size = sizeof mine;
    if (::getsockname(fd, reinterpret_cast<sockaddr*>(&mine), &size) != 0) continue;
    if (mine.sin_family == AF_INET && ntohs(mine.sin_port) == rig.port()) socket = fd;
  }
  ASSERT_GE(socket, 0);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::dup2(null, socket), socket);
  ::close(null);
  EXPECT_FALSE(rig.device().exchange(std::array{1.0, 0.0}, {}, {}));
  EXPECT_THAT(std::string(rig.device().failure()),
              testing::AllOf(HasSubstr("cannot send to " + peer.address()),
                             HasSubstr(std::strerror(ENOTSOCK))));
  std::vector<double> held(2);
  EXPECT_FALSE(rig.device().exchange({}, {}, {}));
  EXPECT_FALSE(rig.device().read_back(held));
}

// ---- groups ------------------------------------------------------------------------------------

// Whether the loopback carries packets to a group here.
bool loopback_has_groups(int port) {
  const Descriptor listener(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const Descriptor sender(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  ip_mreqn group{};
  ::inet_pton(AF_INET, "239.255.77.77", &group.imr_multiaddr);
  group.imr_ifindex = static_cast<int>(::if_nametoindex("lo"));
  sockaddr_in to = UdpPeer::at(port);
  to.sin_addr = group.imr_multiaddr;
  const auto* const address = reinterpret_cast<const sockaddr*>(&to);
  pollfd there{.fd = listener.get(), .events = POLLIN, .revents = 0};
  return ::bind(listener.get(), address, sizeof to) == 0 &&
         ::setsockopt(listener.get(), IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) == 0 &&
         ::setsockopt(sender.get(), IPPROTO_IP, IP_MULTICAST_IF, &group, sizeof group) == 0 &&
         ::sendto(sender.get(), "x", 1, 0, address, sizeof to) == 1 && ::poll(&there, 1, 5000) == 1;
}

TEST(UdpDevice, JoinsAGroupAndSendsToOne) {
  const int port = test::free_port();
  if (!loopback_has_groups(port)) GTEST_SKIP() << "the loopback has no multicast here";
  const std::string group = "239.255.77.77:" + std::to_string(port);
  UdpRig rig({{"listen", group},
              {"send", group},
              {"interface", "lo"},
              {"receive.length", "1"},
              {"transmit.length", "1"}});
  rig.input({{"at", "0"}, {"type", "u8"}});
  rig.output({{"at", "0"}, {"type", "u8"}});
  rig.open();
  rig.write({77});  // this machine hears what it sends
  ASSERT_TRUE(rig.reads_until("received", 1));
  EXPECT_EQ(rig.values()[0], 77);
}

// ---- its life ----------------------------------------------------------------------------------

TEST(UdpDevice, DetachedItReachesNobody) {
  const UdpPeer peer;
  UdpRig rig({{"send", peer.address()}, {"receive.length", "1"}, {"transmit.length", "1"}});
  rig.input({{"at", "0"}, {"type", "u8"}, {"start", "12"}});
  rig.output({{"at", "0"}, {"type", "u8"}});
  const auto device = rig.made();
  ASSERT_TRUE(device->detach());
  rt::VirtualClock clock(MonoTime{5'000'000'000});
  ASSERT_TRUE(device->open(clock));
  device->start(clock.now());
  std::vector<double> u(1);
  std::vector sampled{clock.now()};
  ASSERT_TRUE(device->exchange(std::array{1.0}, u, sampled));
  EXPECT_EQ(u[0], 12);
  EXPECT_EQ(sampled[0], clock.now()) << "what never changes is not old";
  EXPECT_FALSE(device->read_back(u));
  const UdpPeer other(rig.port());  // its port is free
  EXPECT_FALSE(peer.any());
}

TEST(UdpDevice, OfflineItIsRefused) {
  UdpRig rig = numbered();
  rt::VirtualClock clock;
  const auto opened = rig.made()->open(clock);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("driver: sim"));
}

TEST(UdpDevice, IsNotExchangedWithBeforeItIsOpen) {
  UdpRig rig = numbered();
  const auto device = rig.made();
  EXPECT_FALSE(device->exchange({}, {}, {}));
  EXPECT_FALSE(device->read_back({}));
  EXPECT_TRUE(device->hardware());
  EXPECT_FALSE(device->observe());
}

TEST(UdpDevice, APortThatIsTakenIsToldWithHowToFindWhoHasIt) {
  const UdpPeer other;
  UdpRig rig = numbered({{"listen", other.address()}});
  const auto opened = rig.made()->open(rig.clock());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ExitCode::device_failed);
  EXPECT_EQ(opened.error().message, "cannot listen at " + other.address() +
                                        ": it is in use; `ss -ulpn 'sport = :" +
                                        std::to_string(other.port()) + "'` tells by whom");
}

TEST(UdpDevice, AnInterfaceThatIsMissingIsNamed) {
  UdpRig rig = numbered({{"listen", "239.255.77.77:5000"}, {"interface", "hild-none"}});
  const auto opened = rig.made()->open(rig.clock());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ExitCode::device_failed);
  EXPECT_EQ(opened.error().message,
            "there is no interface hild-none (`interface`); `ip -br link` lists those there are");
}

TEST(UdpDevice, AnAddressOfAnotherMachineIsNotListenedAt) {
  UdpRig rig = numbered({{"listen", "192.0.2.1:5000"}});  // of nobody: RFC 5737
  const auto opened = rig.made()->open(rig.clock());
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message,
              HasSubstr("cannot listen at 192.0.2.1:5000: it is no address of this machine"));
}

}  // namespace
}  // namespace hild::udp
