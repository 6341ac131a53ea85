// SPDX-License-Identifier: Apache-2.0
#include "drivers/stamped_reads.hpp"

#include <linux/net_tstamp.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace hild {
namespace {

// The kernel makes them of 64 bits, into which they fit again whatever the hardware told.
std::int64_t in_ns(const timespec& t) noexcept {
  const auto sum =
      static_cast<std::uint64_t>(t.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(t.tv_nsec);
  return static_cast<std::int64_t>(sum);
}

template <class T>
T content_of(const cmsghdr& c) noexcept {
  T content{};
  if (c.cmsg_len >= CMSG_LEN(sizeof content)) std::memcpy(&content, CMSG_DATA(&c), sizeof content);
  return content;
}

std::int64_t wall_clock() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return in_ns(t);
}

}  // namespace

bool ask_for_hardware_stamps(int socket) noexcept {
  const int wanted = SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE;
  return ::setsockopt(socket, SOL_SOCKET, SO_TIMESTAMPING, &wanted, sizeof wanted) == 0;
}

Told told_of(msghdr& header) noexcept {
  Told told;
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SO_TIMESTAMPNS) {
      told.wall_ns = in_ns(content_of<timespec>(*c));
    } else if (c->cmsg_type == SO_TIMESTAMPING) {
      told.hardware_ns = in_ns(content_of<ThreeStamps>(*c)[2]);
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      told.dropped = content_of<std::uint32_t>(*c);
    }
  }
  return told;
}

StampedReads::StampedReads(const std::vector<iovec>& rooms, MonoTime opened, rt::Counter& dropped,
                           StampCounts* stamps, ReceiveMany receive)
    : times_(opened),
      stamps_(stamps),
      receive_(receive),
      slots_(rooms.size()),
      headers_(rooms.size()),
      dropped_(&dropped) {
  for (std::size_t i = 0; i < rooms.size(); ++i) {
    slots_[i].room = rooms[i];
    clean(i);
  }
}

// What the kernel writes into a header it also reads from there.
void StampedReads::clean(std::size_t i) noexcept {
  Slot& s = slots_[i];
  msghdr& header = headers_[i].msg_hdr;
  header = {};
  header.msg_name = &s.sender;
  header.msg_namelen = sizeof s.sender;
  header.msg_iov = &s.room;
  header.msg_iovlen = 1;
  header.msg_control = s.told.bytes.data();
  header.msg_controllen = s.told.bytes.size();
}

int StampedReads::read(int socket, rt::Clock& clock) noexcept {
  const MonoTime began = clock.now();
  const MonoTime short_read = std::exchange(short_read_, MonoTime{});
  const int came = receive_(socket, headers_.data(), static_cast<unsigned>(headers_.size()),
                            MSG_DONTWAIT, nullptr);
  if (came < 0 && errno != EAGAIN) return came;
  if (short_read.ns != 0) times_.emptied(short_read);
  if (came < 0) {
    times_.emptied(began);
    errno = EAGAIN;
    return came;
  }
  const std::int64_t wall = wall_clock();
  times_.look(wall, clock.now());
  // Or an error stands behind what was read, and more behind that: the next read tells.
  if (came < most()) short_read_ = began;
  return came;
}

[[gnu::flatten]] StampedReads::Datagram StampedReads::take(std::size_t i) noexcept {
  msghdr& header = headers_[i].msg_hdr;
  const Datagram taken{headers_[i].msg_len, arrival_of(header), &slots_[i].sender,
                       header.msg_namelen};
  clean(i);
  return taken;
}

MonoTime StampedReads::arrival_of(msghdr& header) noexcept {
  const Told told = told_of(header);
  if (told.dropped != 0) {
    dropped_->add(told.dropped - told_dropped_);
    told_dropped_ = told.dropped;
  }
  if (told.wall_ns == 0) return times_.now();
  return told.hardware_ns == 0 ? times_.arrived(told.wall_ns) : arrival_at_hardware(told);
}

[[gnu::noinline]] MonoTime StampedReads::arrival_at_hardware(const Told& told) noexcept {
  const MonoTime arrived = hardware_.arrived(told.hardware_ns, told.wall_ns, times_);
  if (stamps_ != nullptr) {
    stamps_->by_hardware.add();
    stamps_->restarts.set(hardware_.restarts());
  }
  return arrived;
}

}  // namespace hild
