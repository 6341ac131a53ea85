// SPDX-License-Identifier: Apache-2.0
/// \file
/// What became of frames, and of the bus. Written by the thread that exchanges, read by any.
#pragma once

#include <array>

#include "drivers/stamped_reads.hpp"
#include "hild/io/device.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::can {

struct Counts {
  rt::Counter received{};
  rt::Counter wrong_length{};
  rt::Counter wrong_crc{};
  rt::Counter wrong_counter{};
  rt::Counter lost{};
  rt::Counter not_finite{};
  rt::Counter dropped{};
  rt::Counter full{};
  rt::Counter sent{};
  rt::Counter unsent{};
  rt::Counter bus_errors{};
  rt::Counter error_passive{};
  rt::Counter bus_off{};
  rt::Counter restarts{};
  rt::Counter overflow{};
  StampCounts stamps{};

  /// All of them in words; they live as long as these counts.
  [[nodiscard]] std::array<io::DeviceCounter, 17> all() const noexcept {
    return {
        {{"received", "Frames of the messages wanted, right or wrong.", &received},
         {"wrong_length", "Frames shorter than their message, which were not taken.", &wrong_length,
          true},
         {"wrong_crc", "Frames with a wrong checksum, which were not taken.", &wrong_crc, true},
         {"wrong_counter", "Frames whose counter does not follow, which were not taken.",
          &wrong_counter, true},
         {"lost", "Frames that were taken though some before them were missing.", &lost, true},
         {"not_finite", "Frames with a value that is not a number, which were not taken.",
          &not_finite, true},
         {"dropped", "Frames for which the kernel had no room.", &dropped, true},
         {"full", "Times as many frames were read as may be in a tick: more may have waited.",
          &full, true},
         {"sent", "Frames handed to the kernel.", &sent},
         {"unsent", "Frames that the kernel did not take.", &unsent, true},
         {"bus_errors", "Errors on the bus that the controller told of.", &bus_errors, true},
         {"error_passive", "Times the controller came to be error-passive.", &error_passive, true},
         {"bus_off", "Times the controller went off the bus.", &bus_off, true},
         {"restarts", "Times the controller was restarted.", &restarts, true},
         {"overflow", "Times the controller had no room for what it received.", &overflow, true},
         {"hardware_stamped", "Frames that the adapter stamped when they came.",
          &stamps.by_hardware},
         {"stamp_restarts", "Times the clock of the adapter jumped, and was learned anew.",
          &stamps.restarts, true}}};
  }
};

}  // namespace hild::can
