// SPDX-License-Identifier: Apache-2.0
/// \file
/// An exchange calls no heap: whatever arrives, and whether anybody takes what is sent.
#include <gtest/gtest.h>

#include "drivers/udp_rig.hpp"
#include "support/heap_trap.hpp"

namespace hild::udp {
namespace {

using test::HeapTrap;
using test::UdpPeer;
using test::UdpRig;

static_assert(HeapTrap::counting, "these tests are left out where nothing is counted");

TEST(UdpHeap, IsNotCalledByAnExchange) {
  const UdpPeer peer;
  UdpRig rig({{"send", "127.0.0.1:" + std::to_string(test::free_port())},
              {"from", peer.address()},
              {"receive.length", "3"},
              {"receive.sequence.at", "0"},
              {"receive.sequence.type", "u8"},
              {"transmit.length", "9"},
              {"transmit.time.at", "0"},
              {"transmit.time.type", "f64"}});
  rig.input({{"at", "1"}, {"type", "i16"}});
  rig.output({{"at", "8"}, {"type", "u8"}});
  rig.open();
  rig.device().start(rig.clock().now());
  const UdpPeer stranger;
  const std::array outputs{7.0};
  std::array inputs{0.0};
  std::array sampled{MonoTime{}};
  const HeapTrap trap;
  for (int n = 0; n < 100; ++n) {
    for (const UdpPeer* from : {&peer, &stranger}) {
      const std::array packet{std::byte(n % 7), std::byte{1}, std::byte{2}, std::byte{3}};
      const sockaddr_in to = UdpPeer::at(rig.port());
      const std::size_t length = n % 5 == 0 ? 4 : 3;
      (void)::sendto(from->fd(), packet.data(), length, 0, reinterpret_cast<const sockaddr*>(&to),
                     sizeof to);
    }
    ASSERT_TRUE(rig.device().exchange(outputs, inputs, sampled));
    ASSERT_TRUE(rig.device().exchange({}, inputs, sampled));
  }
  EXPECT_EQ(trap.calls(), 0) << trap.first_call();
  EXPECT_GT(rig.count("received"), 0);
}

}  // namespace
}  // namespace hild::udp
