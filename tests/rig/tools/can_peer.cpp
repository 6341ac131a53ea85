// SPDX-License-Identifier: Apache-2.0
/// The other end of a CAN bus, in the rig.
///   can_peer INTERFACE control         what config/can_peer.py does, until it is killed
///   can_peer INTERFACE flood COUNT     so many frames of Command that are damaged, as fast as they
///   go
#include <linux/can.h>
#include <linux/can/raw.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

int open_bus(const char* interface) {
  const int bus = ::socket(PF_CAN, SOCK_RAW | SOCK_CLOEXEC, CAN_RAW);
  sockaddr_can address{};
  address.can_family = AF_CAN;
  address.can_ifindex = static_cast<int>(::if_nametoindex(interface));
  if (::bind(bus, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return bus;
  std::perror(interface);
  std::exit(1);
}

unsigned crc8(const std::uint8_t* data, int bytes) {
  unsigned crc = 0xff;
  for (int i = 0; i < bytes; ++i) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1 ^ ((crc & 0x80) != 0 ? 0x1d : 0)) & 0xff;
  }
  return crc ^ 0xff;
}

bool send(int bus, const can_frame& frame) {
  while (::write(bus, &frame, sizeof frame) != sizeof frame) {
    if (errno != ENOBUFS) return false;
    pollfd ready{.fd = bus, .events = POLLOUT, .revents = 0};
    ::poll(&ready, 1, 10);
  }
  return true;
}

int control(int bus) {
  // Or a storm of others would take the room of those that it waits for.
  const can_filter wanted{.can_id = 256, .can_mask = CAN_EFF_FLAG | CAN_RTR_FLAG | CAN_SFF_MASK};
  if (::setsockopt(bus, SOL_CAN_RAW, CAN_RAW_FILTER, &wanted, sizeof wanted) != 0) return 1;
  double integral = 0;
  unsigned alive = 0;
  for (can_frame frame{}; ::read(bus, &frame, sizeof frame) == sizeof frame;) {
    if (frame.can_id != 256) continue;
    std::int16_t speed = 0;
    std::memcpy(&speed, frame.data, sizeof speed);
    const double error = 100 - 0.1 * speed;
    integral += error * 0.005;
    const auto volts =
        static_cast<unsigned>(std::lround(1000 * std::clamp(0.05 * error + integral, 0.0, 24.0)));
    can_frame command{};
    command.can_id = 512;
    command.can_dlc = 4;
    command.data[0] = static_cast<std::uint8_t>(volts);
    command.data[1] = static_cast<std::uint8_t>(volts >> 8);
    command.data[2] = static_cast<std::uint8_t>(alive);
    command.data[3] = static_cast<std::uint8_t>(crc8(command.data, 3));
    if (!send(bus, command)) return 1;
    alive = (alive + 1) % 16;
  }
  return 1;
}

int flood(int bus, long count) {
  can_frame frame{};
  frame.can_id = 512;
  frame.can_dlc = 4;
  frame.data[3] = static_cast<std::uint8_t>(crc8(frame.data, 3) ^ 1);
  for (long n = 0; n < count; ++n) {
    if (!send(bus, frame)) return 1;
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) return 2;
  const int bus = open_bus(words[1]);
  if (std::string_view(words[2]) == "control") return control(bus);
  return count == 4 ? flood(bus, std::atol(words[3])) : 2;
}
