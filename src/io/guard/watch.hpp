// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether another process hangs, judged by its heartbeat: a number that changes. A run's does with
/// every frame, its guard's with every look.
#pragma once

#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::guard {

/// Looks at equal intervals. A machine that stands still as a whole makes one look late, not many
/// of them futile, and so is not taken for a hang.
class HangWatch {
 public:
  static constexpr int futile_looks = 4;  ///< in a row, that make a hang
  static constexpr int looks_within = 8;  ///< the rest is for killing, and for the outputs

  explicit HangWatch(Duration within) : interval_(within / looks_within) {}

  [[nodiscard]] Duration interval() const noexcept { return interval_; }

  /// When to look next: within an interval, at the last instant at which a run whose last frame
  /// began at `beat` has its slack, three quarters on in a frame: the guard is the more urgent of
  /// the two, and where they share a CPU its look would make a frame late. Frames of which few fit
  /// into an interval are not heeded: a hang is four looks, and is not to be called one early.
  [[nodiscard]] MonoTime next_look(MonoTime now, std::int64_t beat, Duration frame) const noexcept {
    const MonoTime latest = now + interval_;
    const MonoTime slack = MonoTime{beat} + frame * 3 / 4;
    if (beat == 0 || frame <= Duration{} || frame * 4 > interval_ || slack > latest) {
      return latest;
    }
    return slack + frame * ((latest - slack).ns / frame.ns);
  }

  /// A look at the heartbeat; before the first beat, 0, nothing is expected. Whether it is a hang.
  [[nodiscard]] bool hangs(std::int64_t beat) noexcept {
    futile_ = beat == seen_ && beat != 0 ? futile_ + 1 : 0;
    seen_ = beat;
    return futile_ >= futile_looks;
  }

 private:
  Duration interval_;
  std::int64_t seen_ = 0;
  int futile_ = 0;
};

}  // namespace hild::guard
