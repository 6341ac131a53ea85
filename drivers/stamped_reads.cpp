// SPDX-License-Identifier: Apache-2.0
#include "drivers/stamped_reads.hpp"

#include <cerrno>
#include <cstring>
#include <utility>

namespace hild {
namespace {

std::int64_t in_ns(const timespec& t) noexcept {
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

std::int64_t wall_clock() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return in_ns(t);
}

}  // namespace

StampedReads::StampedReads(const std::vector<iovec>& rooms, MonoTime opened, rt::Counter& dropped)
    : times_(opened), slots_(rooms.size()), headers_(rooms.size()), dropped_(&dropped) {
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
  const int came = ::recvmmsg(socket, headers_.data(), static_cast<unsigned>(headers_.size()),
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

StampedReads::Datagram StampedReads::take(std::size_t i) noexcept {
  msghdr& header = headers_[i].msg_hdr;
  const Datagram taken{headers_[i].msg_len, arrival_of(header), &slots_[i].sender,
                       header.msg_namelen};
  clean(i);
  return taken;
}

MonoTime StampedReads::arrival_of(msghdr& header) noexcept {
  MonoTime arrived = times_.now();
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SO_TIMESTAMPNS) {
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      arrived = times_.arrived(in_ns(t));
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t all = 0;
      std::memcpy(&all, CMSG_DATA(c), sizeof all);
      dropped_->add(all - told_dropped_);
      told_dropped_ = all;
    }
  }
  return arrived;
}

}  // namespace hild
