// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads of a socket that has more than they take, and of one for which the kernel had no room.
#include "drivers/udp_receiver.hpp"

#include <gtest/gtest.h>
#include <linux/sock_diag.h>

#include "drivers/udp_rig.hpp"
#include "drivers/udp_socket.hpp"

namespace hild::udp {
namespace {

using test::bytes;
using test::comes;
using test::UdpPeer;

class UdpReceiver : public testing::Test {
 protected:
  UdpReceiver() : clock_(rt::make_clock(rt::ClockKind::sleep, {}).value()) {
    for (int tries = 0; tries < 20 && !socket_; ++tries) {
      port_ = test::free_port();
      Ends ends{.listen = Address(UdpPeer::at(port_)), .send = {}, .interface = {}};
      if (auto made = open_socket(ends)) socket_ = std::move(*made);
    }
    EXPECT_TRUE(socket_);
  }
  Receiver receiver(std::size_t at_once) {
    Packet packet(1);
    EXPECT_TRUE(packet.place_value({.at = 0, .type = Type::u8}));
    return {{.packet = packet, .at_once = at_once}, {0.0}, clock_->now(), counts_};
  }
  /// Sends so many, 1, 2, ..., and waits until the kernel has them all: of the same length, they
  /// take the same room.
  void queue(int packets) {
    const std::uint32_t before = room();
    for (int n = 1; n <= packets; ++n) peer_.send(port_, bytes({n}));
    if (each_ == 0) {
      ASSERT_EQ(packets, 1);
      ASSERT_TRUE(comes([&] { return room() > before; }));
      each_ = room() - before;
    }
    ASSERT_TRUE(comes([&] { return room() >= before + static_cast<unsigned>(packets) * each_; }));
  }
  [[nodiscard]] std::uint32_t room() const {
    std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
    socklen_t size = sizeof info;
    EXPECT_EQ(::getsockopt(socket_.get(), SOL_SOCKET, SO_MEMINFO, info.data(), &size), 0);
    return info[SK_MEMINFO_RMEM_ALLOC];
  }

  std::unique_ptr<rt::Clock> clock_;
  Counts counts_;
  Descriptor socket_;
  UdpPeer peer_;
  int port_ = 0;
  std::uint32_t each_ = 0;
};

TEST_F(UdpReceiver, TakesNoMoreThanItMayAtOnce) {
  Receiver receiver = this->receiver(4);
  queue(1);
  ASSERT_EQ(receiver.read(socket_.get(), *clock_), 0);
  EXPECT_EQ(counts_.received.get(), 1);
  queue(10);
  ASSERT_EQ(receiver.read(socket_.get(), *clock_), 0);
  EXPECT_EQ(counts_.received.get(), 5);
  EXPECT_EQ(receiver.values()[0], 4) << "the newest of those that were read";
  EXPECT_EQ(counts_.full.get(), 1);
  ASSERT_EQ(receiver.read(socket_.get(), *clock_), 0);
  EXPECT_EQ(receiver.values()[0], 8);
  EXPECT_EQ(counts_.full.get(), 2);
  ASSERT_EQ(receiver.read(socket_.get(), *clock_), 0);
  EXPECT_EQ(receiver.values()[0], 10);
  EXPECT_EQ(counts_.full.get(), 2);
  ASSERT_EQ(receiver.read(socket_.get(), *clock_), 0);
  EXPECT_EQ(receiver.values()[0], 10);
  EXPECT_EQ(counts_.received.get(), 11);
}

// None is lost uncounted: all that were sent are received, or dropped by the kernel.
TEST_F(UdpReceiver, CountsWhatTheKernelHadNoRoomFor) {
  const int least = 1;  // the kernel makes it the least there is
  ASSERT_EQ(::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &least, sizeof least), 0);
  Receiver receiver = this->receiver(16);
  std::int64_t sent = 0;
  const auto send = [&] { peer_.send(port_, bytes({1})), ++sent; };
  while (sent < 1000) send();
  // It tells with the next one for which there is room again.
  EXPECT_TRUE(comes([&] {
    EXPECT_EQ(receiver.read(socket_.get(), *clock_), 0);
    if (counts_.received.get() + counts_.dropped.get() == sent) return true;
    send();
    return false;
  })) << counts_.received.get()
      << " received, " << counts_.dropped.get() << " dropped of " << sent;
  EXPECT_GT(counts_.dropped.get(), 0);
  // What was told once is not counted again.
  for (int n = 0; n < 10; ++n) {
    send();
    const std::int64_t before = counts_.received.get();
    ASSERT_TRUE(comes([&] {
      return receiver.read(socket_.get(), *clock_) == 0 && counts_.received.get() > before;
    }));
    EXPECT_EQ(counts_.received.get() + counts_.dropped.get(), sent);
  }
}

}  // namespace
}  // namespace hild::udp
