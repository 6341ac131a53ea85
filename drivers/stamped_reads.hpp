// SPDX-License-Identifier: Apache-2.0
/// \file
/// Datagrams of a socket, several by one call, each with when it arrived: what a tick reads of a
/// network. The socket has SO_TIMESTAMPNS and SO_RXQ_OVFL, and may have been asked for stamps of
/// the hardware. All memory is there from the start; one thread at a time. Real-time safe but for
/// its making.
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <vector>

#include "drivers/hardware_time.hpp"
#include "drivers/receive_time.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/clock.hpp"

namespace hild {

/// Before the first datagram there was none for longer than any input may be old.
constexpr Duration before_any = 31'536'000_s;

/// Asks for the stamps of an interface whose hardware makes them, beside those of the kernel. Gives
/// whether they may come; where it cannot be asked, by an old kernel or a filter of system calls,
/// those of the kernel come as ever. Changes nothing of the interface, which others use too. Load
/// time.
bool ask_for_hardware_stamps(int socket) noexcept;

/// What the kernel tells beside a datagram; 0: nothing.
struct Told {
  std::int64_t wall_ns = 0;      ///< when the kernel had it
  std::int64_t hardware_ns = 0;  ///< when the interface had it, by its own clock
  std::uint32_t dropped = 0;     ///< for which there was no room, since the socket is there
};
/// What stands in a message of SO_TIMESTAMPING, scm_timestamping of <linux/errqueue.h>: the stamp
/// of the kernel, one of no use any more, that of the hardware.
using ThreeStamps = std::array<timespec, 3>;
/// That of a header as recvmmsg() leaves it. Real-time safe.
[[nodiscard]] Told told_of(msghdr& header) noexcept;

/// Of the stamps of the hardware. Written by the thread that reads, read by any.
struct StampCounts {
  rt::Counter by_hardware{};  ///< datagrams that had one
  rt::Counter restarts{};     ///< times the clock of the hardware was learned anew
};

/// recvmmsg(), where no test has one of its own.
using ReceiveMany = int (*)(int socket, mmsghdr* headers, unsigned count, int flags,
                            timespec* wait);

class StampedReads {
 public:
  StampedReads() = default;
  /// At most as many datagrams a call as there are `rooms`, which are the caller's. Nothing arrives
  /// before `opened`. `dropped` counts what the kernel had no room for. It and `stamps` outlive it.
  StampedReads(const std::vector<iovec>& rooms, MonoTime opened, rt::Counter& dropped,
               StampCounts* stamps = nullptr, ReceiveMany receive = ::recvmmsg);
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
    MonoTime arrived;    ///< at the interface, where that tells; else at the kernel
    const sockaddr_storage* sender;
    socklen_t sender_size;
  };
  /// One of those that came last; to be asked for once.
  [[nodiscard]] Datagram take(std::size_t i) noexcept;

  /// The clocks, as they were at the last read that brought something.
  [[nodiscard]] const ReceiveTimes& times() const noexcept { return times_; }

 private:
  /// Room for what the kernel tells beside a datagram: when it arrived, when by the hardware, what
  /// there was no room for.
  struct alignas(cmsghdr) Room {
    std::array<std::byte, CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(ThreeStamps)) +
                              CMSG_SPACE(sizeof(std::uint32_t))>
        bytes;
  };
  struct Slot {
    iovec room;
    sockaddr_storage sender;
    Room told;
  };
  void clean(std::size_t i) noexcept;
  [[nodiscard]] MonoTime arrival_of(msghdr& header) noexcept;
  [[nodiscard]] MonoTime arrival_at_hardware(const Told& told) noexcept;

  ReceiveTimes times_;
  HardwareTimes hardware_;
  StampCounts* stamps_ = nullptr;
  ReceiveMany receive_ = ::recvmmsg;
  std::vector<Slot> slots_;
  std::vector<mmsghdr> headers_;
  rt::Counter* dropped_ = nullptr;
  std::uint32_t told_dropped_ = 0;  // by the kernel, since the socket is there, with 32 bits
  MonoTime short_read_{};  // began then, and got less than there was room for; 0: the last did not
};

}  // namespace hild
