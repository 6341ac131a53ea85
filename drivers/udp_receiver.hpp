// SPDX-License-Identifier: Apache-2.0
/// \file
/// What arrives: a bounded read of the socket, of which the newest packet is taken. All memory is
/// there from the start.
#pragma once

#include <vector>

#include "drivers/stamped_reads.hpp"
#include "drivers/udp_address.hpp"
#include "drivers/udp_counts.hpp"
#include "drivers/udp_packet.hpp"
#include "drivers/udp_sequence.hpp"
#include "hild/rt/clock.hpp"

namespace hild::udp {

/// What the time in a packet is of.
enum class SenderClock : std::uint8_t {
  own,        ///< nothing that is known here
  monotonic,  ///< CLOCK_MONOTONIC of this machine
  realtime,   ///< the wall clock, which both machines keep together
};

struct ReceiveSettings {
  Packet packet{};
  SenderClock clock = SenderClock::own;
  std::optional<Address> from{};  ///< none: anybody
  std::size_t at_once = 16;       ///< packets of a read
};

class Receiver {
 public:
  Receiver() = default;
  /// Its values are `start` until a packet has come, which is said to be of long ago. `counts`
  /// outlives it.
  Receiver(ReceiveSettings settings, std::vector<double> start, MonoTime opened, Counts& counts);
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  Receiver(Receiver&&) = default;
  Receiver& operator=(Receiver&&) = default;

  /// Reads what is there, once. 0, or the errno of a socket that is of no more use. Real-time safe.
  [[nodiscard]] int read(int socket, rt::Clock& clock) noexcept;

  /// Of the packet taken last: its values, and when they were made or arrived.
  [[nodiscard]] std::span<const double> values() const noexcept { return values_; }
  [[nodiscard]] MonoTime sampled() const noexcept { return sampled_; }

 private:
  void look_at(std::size_t slot) noexcept;
  [[nodiscard]] bool in_order(std::span<const std::byte> packet) noexcept;
  [[nodiscard]] MonoTime made_at(std::span<const std::byte> packet,
                                 MonoTime arrived) const noexcept;

  ReceiveSettings settings_;
  Sequence sequence_;
  Counts* counts_ = nullptr;
  std::vector<std::byte> memory_;
  StampedReads reads_;
  std::vector<double> values_;
  std::vector<double> incoming_;
  MonoTime sampled_{};
};

}  // namespace hild::udp
