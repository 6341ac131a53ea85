// SPDX-License-Identifier: Apache-2.0
/// \file
/// What became of packets. Written by the thread that exchanges, read by any.
#pragma once

#include <array>

#include "hild/io/device.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::udp {

struct Counts {
  rt::Counter received{};
  rt::Counter lost{};
  rt::Counter reordered{};
  rt::Counter doubled{};
  rt::Counter restarts{};
  rt::Counter wrong_length{};
  rt::Counter wrong_sender{};
  rt::Counter not_finite{};
  rt::Counter dropped{};
  rt::Counter full{};
  rt::Counter sent{};
  rt::Counter unsent{};
  rt::Counter refused{};

  /// All of them in words; they live as long as these counts.
  [[nodiscard]] std::array<io::DeviceCounter, 13> all() const noexcept {
    return {
        {{"received", "Packets of the right sender and length.", &received},
         {"lost", "Sequence numbers that were missing when a later one came.", &lost, true},
         {"reordered", "Packets that came after a newer one, and were not taken.", &reordered,
          true},
         {"doubled", "Packets of the sequence number that was taken last.", &doubled, true},
         {"restarts", "Times the sender began to count anew.", &restarts, true},
         {"wrong_length", "Packets of another length, which were not taken.", &wrong_length, true},
         {"wrong_sender", "Packets of another sender, which were not taken.", &wrong_sender, true},
         {"not_finite", "Packets with a value that is not a number, which were not taken.",
          &not_finite, true},
         {"dropped", "Packets for which the kernel had no room.", &dropped, true},
         {"full", "Times as many packets were read as may be in a tick: more may have waited.",
          &full, true},
         {"sent", "Packets handed to the kernel.", &sent},
         {"unsent", "Packets that the kernel did not take.", &unsent, true},
         {"refused", "Times the network told that nobody took what was sent before.", &refused,
          true}}};
  }
};

}  // namespace hild::udp
