// SPDX-License-Identifier: Apache-2.0
/// The other end of a `udp` device, in the rig, and a witness of what arrives there.
///   udp_peer exchange HERE PORT THERE PORT
///       on each line "send COUNT PERIOD_US" of its input it sends so many packets, and says "sent
///       ALL", how many those are by now; on "tell" it says "received ALL NEWEST", of packets that
///       came. It takes what comes all the time.
///       Sends: u16 number, from 65000 on; f64 at 4, CLOCK_MONOTONIC in s; f32 at 12, 5; f32 at
///       16, 0.02. Takes: u32 number.
///   udp_peer watch INTERFACE PORT
///       the number of each packet that arrives at the port, in their order, a line each, until it
///       is killed: below the socket that they are for
///   udp_peer flood ADDRESS COUNT PORT...
///       so many packets to each of the ports, as fast as they go: of random bytes and lengths,
///       every second one with the first bytes of a message of DDS
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/udp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <span>
#include <string>
#include <string_view>

namespace {

constexpr unsigned first_number = 65'000;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

sockaddr_in address_of(const char* host, const char* port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  if (::inet_pton(AF_INET, host, &address.sin_addr) != 1) fail(host);
  return address;
}

timespec monotonic() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return t;
}

// ---- the peer ----------------------------------------------------------------------------------

class Peer {
 public:
  Peer(const sockaddr_in& here, const sockaddr_in& there)
      : wire_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    const auto* at = reinterpret_cast<const sockaddr*>(&here);
    const auto* to = reinterpret_cast<const sockaddr*>(&there);
    if (::bind(wire_, at, sizeof here) != 0 || ::connect(wire_, to, sizeof there) != 0) {
      fail("udp_peer");
    }
  }

  // Words come in one piece: whoever writes them writes lines.
  int run() {
    std::array<pollfd, 2> ready{pollfd{.fd = wire_, .events = POLLIN, .revents = 0},
                                pollfd{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0}};
    while (::poll(ready.data(), ready.size(), -1) > 0) {
      take();
      if ((ready[1].revents & (POLLIN | POLLHUP)) == 0) continue;
      std::array<char, 256> text{};
      if (::read(STDIN_FILENO, text.data(), text.size() - 1) <= 0) return 0;
      obey(text.data());
    }
    return 1;
  }

 private:
  void obey(const char* text) {
    unsigned long count = 0;
    long period_us = 0;
    if (std::sscanf(text, "send %lu %ld", &count, &period_us) == 2) {
      send(count, period_us);
      std::printf("sent %lu\n", sent_);
    } else {
      std::printf("received %lu %u\n", received_, newest_);
    }
    std::fflush(stdout);
  }
  void send(unsigned long count, long period_us) {
    timespec due = monotonic();
    for (unsigned long i = 0; i < count; ++i) {
      due.tv_nsec += 1000 * period_us;
      due.tv_sec += due.tv_nsec / 1'000'000'000;
      due.tv_nsec %= 1'000'000'000;
      ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nullptr);
      take();
      send_one();
    }
  }
  void send_one() {
    std::array<char, 20> packet{};
    const auto number = static_cast<std::uint16_t>(first_number + sent_);
    const timespec t = monotonic();
    const double time = static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    const float voltage = 5, torque = 0.02F;
    std::memcpy(packet.data(), &number, sizeof number);
    std::memcpy(packet.data() + 4, &time, sizeof time);
    std::memcpy(packet.data() + 12, &voltage, sizeof voltage);
    std::memcpy(packet.data() + 16, &torque, sizeof torque);
    // What the network told of an earlier packet is no reason not to send this one.
    while (::send(wire_, packet.data(), packet.size(), 0) < 0) {
      if (errno != ECONNREFUSED && errno != EAGAIN) fail("udp_peer: send");
    }
    ++sent_;
  }
  void take() {
    std::uint32_t number = 0;
    while (::recv(wire_, &number, sizeof number, 0) >= static_cast<ssize_t>(sizeof number)) {
      ++received_;
      newest_ = number;
    }
  }

  int wire_;
  unsigned long sent_ = 0, received_ = 0;
  unsigned newest_ = 0;
};

// ---- the flood ---------------------------------------------------------------------------------

int flood(const char* host, unsigned long count, std::span<char*> ports) {
  constexpr std::string_view first_bytes("RTPS\x02\x01\x01\x10", 8);
  const int wire = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  std::minstd_rand dice(1);
  std::array<char, 1400> bytes{};
  unsigned long sent = 0;
  for (unsigned long i = 0; i < count; ++i) {
    const std::size_t length = 1 + dice() % bytes.size();
    // Each differs from the one before in some places, not in all: what takes the time is to send
    // them.
    for (int n = 0; n < 16; ++n) bytes[dice() % bytes.size()] = static_cast<char>(dice());
    if (i % 2 == 0) std::ranges::copy(first_bytes, bytes.begin());
    for (const char* const port : ports) {
      const sockaddr_in to = address_of(host, port);
      const auto* const there = reinterpret_cast<const sockaddr*>(&to);
      if (::sendto(wire, bytes.data(), length, 0, there, sizeof to) >= 0) ++sent;
    }
  }
  std::printf("sent %lu\n", sent);
  return 0;
}

// ---- the witness -------------------------------------------------------------------------------

int watch(const char* interface, int port) {
  const int all = ::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_IP));
  sockaddr_ll address{};
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_IP);
  address.sll_ifindex = static_cast<int>(::if_nametoindex(interface));
  if (::bind(all, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("watch");
  const int room = 16 << 20;
  if (::setsockopt(all, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room) != 0) fail("watch");
  std::printf("watches\n");
  std::fflush(stdout);
  for (;;) {
    std::array<char, 256> bytes{};
    sockaddr_ll from{};
    socklen_t size = sizeof from;
    const ssize_t length = ::recvfrom(all, bytes.data(), bytes.size(), MSG_TRUNC,
                                      reinterpret_cast<sockaddr*>(&from), &size);
    if (length < 0) fail("watch");
    if (from.sll_pkttype == PACKET_OUTGOING) continue;
    iphdr ip{};
    udphdr udp{};
    std::uint16_t number = 0;
    std::memcpy(&ip, bytes.data(), sizeof ip);
    std::memcpy(&udp, bytes.data() + 4 * ip.ihl, sizeof udp);
    std::memcpy(&number, bytes.data() + 4 * ip.ihl + sizeof udp, sizeof number);
    if (ip.protocol != IPPROTO_UDP || ntohs(udp.dest) != port) continue;
    std::printf("%u\n", unsigned{number});
    std::fflush(stdout);
  }
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "exchange" && count == 6) {
    return Peer(address_of(words[2], words[3]), address_of(words[4], words[5])).run();
  }
  if (what == "watch" && count == 4) return watch(words[2], std::atoi(words[3]));
  if (what == "flood" && count > 4) {
    const std::span ports(words + 4, static_cast<std::size_t>(count - 4));
    return flood(words[2], std::strtoul(words[3], nullptr, 10), ports);
  }
  return 2;
}
