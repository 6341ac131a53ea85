// SPDX-License-Identifier: Apache-2.0
/// \file
/// When the scans of a command were complete, on the time line of the run. The kernel tells how
/// many there are and not when they came: they are counted on from the start of the command by the
/// period of the card, and kept to what is possible. A scan that was read was complete before that
/// read ended, and one that a read did not find, though it left nothing behind, was not complete
/// when that read began. So, whatever the card's clock and that of the machine drift apart, a time
/// is late by less than a period, and early by less than the time between two reads. What a card
/// keeps back before it hands it on, in a FIFO of its own say, makes scans look as much younger.
/// One that was waited for is of the time at which it ended the waiting. Not after the last read,
/// and never going back. One thread at a time. Real-time safe.
#pragma once

#include <algorithm>
#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::comedi {

class ScanTimes {
 public:
  ScanTimes() = default;
  /// A command with a scan each `period` was given at `began`; before that there was an image of
  /// `image`. Most cards end their first scan a period after the start.
  ScanTimes(Duration period, MonoTime image, MonoTime began) noexcept
      : period_(period), newest_(image), next_(began + period) {}

  /// A read from `began` to `now` brought so many whole scans; `emptied`: and left none behind.
  void found(std::int64_t scans, bool emptied, MonoTime began, MonoTime now) noexcept {
    if (scans > 0) {
      newest_ = std::max(newest_, std::min(next_ + period_ * (scans - 1), now));
      next_ = newest_ + period_;
    }
    if (emptied) next_ = std::max(next_, began);
  }

  /// Whoever waited for the scan since a read that did not find it was woken by it at `now`.
  void woke(MonoTime now) noexcept { next_ = std::max(next_, now); }

  /// Of the scan that was read last.
  [[nodiscard]] MonoTime newest() const noexcept { return newest_; }

 private:
  Duration period_{};
  MonoTime newest_{};
  MonoTime next_{};  // of the scan that is awaited
};

}  // namespace hild::comedi
