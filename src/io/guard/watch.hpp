// SPDX-License-Identifier: Apache-2.0
/// \file
/// Judges by a heartbeat whether another process hangs. The heartbeat is a number: a run changes it
/// with every frame, its guard with every look.
#pragma once

#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::guard {

/// Counts futile looks, made at about equal intervals. A machine that stands still as a whole makes
/// one look late rather than many futile, and so is not taken for a hang.
class HangWatch {
 public:
  static constexpr int futile_looks = 4;  ///< futile looks in a row that make a hang
  /// Looks that fit into the time allowed; those after a hang leave time to kill and to make safe.
  static constexpr int looks_within = 8;

  explicit HangWatch(Duration within) : interval_(within / looks_within) {}

  [[nodiscard]] Duration interval() const noexcept { return interval_; }

  /// When to look next: within an interval, at the last instant at which a run whose last frame
  /// began at `beat` has its slack, three quarters of a frame after its start. The guard is the
  /// more urgent of the two, and where they share a CPU its look would otherwise make a frame late.
  /// Frames so long that few fit into an interval are ignored: a hang is four looks, and must not
  /// be declared one too early.
  [[nodiscard]] MonoTime next_look(MonoTime now, std::int64_t beat, Duration frame) const noexcept {
    const MonoTime latest = now + interval_;
    const MonoTime slack = MonoTime{beat} + frame * 3 / 4;
    if (beat == 0 || frame <= Duration{} || frame * 4 > interval_ || slack > latest) {
      return latest;
    }
    return slack + frame * ((latest - slack).ns / frame.ns);
  }

  /// Looks at the heartbeat; before the first beat, while it is 0, nothing is expected. True when
  /// the process hangs.
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
