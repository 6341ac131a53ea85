// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is sent: a packet a call, whose sequence number goes on where the run forks its guard. All
/// memory is there from the start.
#pragma once

#include <vector>

#include "drivers/udp_address.hpp"
#include "drivers/udp_counts.hpp"
#include "drivers/udp_packet.hpp"
#include "hild/rt/clock.hpp"
#include "hild/rt/shared_memory.hpp"

namespace hild::udp {

class Sender {
 public:
  Sender() = default;

  /// Load time. `counts` outlives it. Error: no memory.
  [[nodiscard]] static Result<Sender> make(Packet packet, const Address& to, Counts& counts);

  /// When the time in the packets is 0; without it they say 0.
  void start(MonoTime zero) noexcept;
  /// One packet. 0, or the errno of a socket that is of no more use. Real-time safe.
  [[nodiscard]] int send(int socket, rt::Clock& clock, std::span<const double> outputs) noexcept;
  /// Sends the last packet once more where the kernel did not take it. False where it still does
  /// not. Real-time safe.
  [[nodiscard]] bool flush(int socket) noexcept;
  /// What was sent last, by this process or one forked from it. False before the first packet.
  [[nodiscard]] bool last(std::span<double> outputs) const noexcept;

 private:
  /// What a run and its guard have in common; behind it the outputs sent last.
  struct Shared {
    rt::Tally packets;  ///< sequence numbers given away
    rt::Counter sent;   ///< 1 once there was one
    rt::Counter zero_ns;
    rt::Counter started;
  };
  static_assert(sizeof(Shared) % sizeof(double) == 0);

  [[nodiscard]] std::span<double> outputs() const noexcept {
    return memory_.doubles().subspan(sizeof(Shared) / sizeof(double));
  }
  [[nodiscard]] int hand_out(int socket) noexcept;
  [[nodiscard]] int hand_over(int socket) noexcept;

  Packet packet_;
  Address to_;
  Counts* counts_ = nullptr;
  rt::SharedMemory memory_;
  Shared* shared_ = nullptr;
  std::vector<std::byte> bytes_;
  std::vector<double> values_;  // of the last packet
  bool unsent_ = false;         // which the kernel did not take
};

}  // namespace hild::udp
