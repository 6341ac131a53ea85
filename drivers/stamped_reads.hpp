// SPDX-License-Identifier: Apache-2.0
/// \file
/// Datagrams of a socket, several by one call, each with when it arrived: what a tick reads of a
/// network. The socket has SO_TIMESTAMPNS and SO_RXQ_OVFL. All memory is there from the start; one
/// thread at a time. Real-time safe but for its making.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#include "drivers/receive_time.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild {

/// Before the first datagram there was none for longer than any input may be old.
constexpr Duration before_any = 31'536'000_s;

class StampedReads {
 public:
  StampedReads() = default;
  /// At most as many datagrams a call as there are `rooms`, which are the caller's. Nothing arrives
  /// before `opened`. `dropped` counts what the kernel had no room for, and outlives it.
  StampedReads(const std::vector<iovec>& rooms, MonoTime opened, rt::Counter& dropped);
  StampedReads(const StampedReads&) = delete;
  StampedReads& operator=(const StampedReads&) = delete;
  StampedReads(StampedReads&&) = default;
  StampedReads& operator=(StampedReads&&) = default;

  /// Reads what is there, once: as many as came, or -1 and errno, as recvmmsg() has it.
  [[nodiscard]] int read(int socket, rt::Clock& clock) noexcept;
  /// The most that come by one call: where they did, more may wait.
  [[nodiscard]] int most() const noexcept { return static_cast<int>(headers_.size()); }

  struct Datagram {
    std::size_t length;  ///< bytes in its room
    MonoTime arrived;
    const sockaddr_storage* sender;
    socklen_t sender_size;
  };
  /// One of those that came last; to be asked for once.
  [[nodiscard]] Datagram take(std::size_t i) noexcept;

  /// The clocks, as they were at the last read that brought something.
  [[nodiscard]] const ReceiveTimes& times() const noexcept { return times_; }

 private:
  /// Room for what the kernel tells beside a datagram: when it arrived, what there was no room for.
  struct alignas(cmsghdr) Told {
    std::array<std::byte, CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(std::uint32_t))> bytes;
  };
  struct Slot {
    iovec room;
    sockaddr_storage sender;
    Told told;
  };
  void clean(std::size_t i) noexcept;
  [[nodiscard]] MonoTime arrival_of(msghdr& header) noexcept;

  ReceiveTimes times_;
  std::vector<Slot> slots_;
  std::vector<mmsghdr> headers_;
  rt::Counter* dropped_ = nullptr;
  std::uint32_t told_dropped_ = 0;  // by the kernel, since the socket is there, with 32 bits
  MonoTime short_read_{};  // began then, and got less than there was room for; 0: the last did not
};

}  // namespace hild
