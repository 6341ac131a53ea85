// SPDX-License-Identifier: Apache-2.0
/// \file
/// A packet that did not leave is known, and sent when it can be.
#include "drivers/udp_sender.hpp"

#include <array>

#include "tests/drivers/udp_rig.hpp"

namespace hild::udp {
namespace {

TEST(UdpSender, WhatDidNotLeaveIsSentByAFlush) {
  const test::UdpPeer peer;
  const test::UdpPeer own;
  Packet packet(8);
  ASSERT_TRUE(packet.place_value(Field{.at = 0, .type = Type::u8}));
  Counts counts;
  auto sender = Sender::make(packet, *parse_address(peer.address(), Without::nothing), counts);
  ASSERT_TRUE(sender);
  EXPECT_TRUE(sender->flush(own.fd())) << "nothing was to be sent";
  rt::VirtualClock clock;
  constexpr int no_socket = -1;
  EXPECT_NE(sender->send(no_socket, clock, std::array{7.0}), 0);
  EXPECT_FALSE(sender->flush(no_socket));
  std::array<double, 1> last{};
  EXPECT_FALSE(sender->last(last));
  EXPECT_TRUE(sender->flush(own.fd()));
  EXPECT_EQ(peer.receive(), test::bytes({7, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_TRUE(sender->last(last));
  EXPECT_EQ(last[0], 7);
  EXPECT_TRUE(sender->flush(no_socket)) << "there is nothing more to send";
}

}  // namespace
}  // namespace hild::udp
