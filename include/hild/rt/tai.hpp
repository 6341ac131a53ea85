// SPDX-License-Identifier: Apache-2.0
/// \file
/// International Atomic Time, by which machines that keep their clocks together (PTP, NTP) agree on
/// when something is. A run counts by CLOCK_MONOTONIC; how far CLOCK_TAI is ahead of it changes
/// when somebody sets the clock or tells the kernel of leap seconds, and at no other time: slewing
/// moves both alike.
#pragma once

#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::rt {

/// How far it is ahead.
struct TaiReading {
  Duration ahead{};      ///< CLOCK_TAI less CLOCK_MONOTONIC
  Duration uncertain{};  ///< by which that may be off, either way: two clocks are not read at once
};

/// Tells how far it is ahead. Real-time safe.
class TaiClock {
 public:
  TaiClock() = default;
  TaiClock(const TaiClock&) = delete;
  TaiClock& operator=(const TaiClock&) = delete;
  virtual ~TaiClock() = default;

  /// Now.
  [[nodiscard]] virtual TaiReading read() noexcept = 0;
};

/// The kernel's; both clocks are read through the vDSO. One that was interrupted between the two is
/// read again, up to three times; the closest reading counts. Lives as long as the program.
[[nodiscard]] TaiClock& kernel_tai() noexcept;

/// Seconds by which the wall clock, UTC, is behind CLOCK_TAI; 0: nobody has told the kernel. Not by
/// adjtimex(2), which services that may not set the clock may not call.
[[nodiscard]] std::int64_t utc_behind_tai() noexcept;

}  // namespace hild::rt
