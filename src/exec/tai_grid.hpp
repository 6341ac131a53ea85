// SPDX-License-Identifier: Apache-2.0
/// \file
/// A grid of ticks that stands on International Atomic Time: at a phase behind each whole frame
/// since its epoch, so that machines whose clocks agree have their ticks together. Real-time safe.
#pragma once

#include <algorithm>

#include "hild/core/grid.hpp"
#include "hild/rt/tai.hpp"

namespace hild::exec {

/// Frames in phase with those of other machines.
struct Align {
  Duration phase{};           ///< of ticks, behind whole frames of TAI
  bool ends_on_step = false;  ///< a step of the clock ends the run; else frames move to where it is
};

/// Keeps a grid there.
class TaiGrid {
 public:
  /// The grid is moved by a thousandth of a frame from one tick to the next at most: where a clock
  /// is set by half a frame, it takes five hundred.
  static constexpr std::int64_t slew_in = 1000;
  /// Readings that are more uncertain tell nothing. So what changes by more than twice that was
  /// set.
  static constexpr Duration most_uncertain = 5'000_ns;

  TaiGrid(const Align& align, Grid grid) noexcept
      : grid_(grid), phase_(align.phase), most_(grid.period().ns / slew_in) {}

  /// The first tick that is not before `earliest`, where TAI is so far ahead of the time of both.
  [[nodiscard]] MonoTime first_tick(MonoTime earliest, Duration ahead) const noexcept {
    const Duration on_grid{earliest.ns + ahead.ns - phase_.ns};
    return {grid_.tick(grid_.frames_in(on_grid)).ns - ahead.ns + phase_.ns};
  }

  /// What a tick at `tick` is late by, at most half a frame either way.
  [[nodiscard]] Duration error(MonoTime tick, Duration ahead) const noexcept {
    const Duration on_grid{tick.ns + ahead.ns - phase_.ns};
    const std::int64_t next = grid_.frames_in(on_grid);
    const Duration early = grid_.tick(next) - on_grid;
    const Duration late = on_grid - grid_.tick(next - 1);
    return early <= late ? Duration{-early.ns} : late;
  }

  /// What comes of a look at the clock before a tick.
  struct Seen {
    Duration error{};      ///< what the tick would be late by
    Duration move{};       ///< what it is to be moved by
    bool stepped = false;  ///< the clock was set since the last look
  };
  [[nodiscard]] Seen see(MonoTime tick, const rt::TaiReading& tai) noexcept {
    Seen seen;
    if (tai.uncertain <= most_uncertain) {
      const Duration change = tai.ahead - ahead_;
      seen.stepped = known_ && (change > most_uncertain * 2 || change < most_uncertain * -2);
      ahead_ = tai.ahead;
      known_ = true;
    }
    if (!known_) return seen;
    seen.error = error(tick, ahead_);
    seen.move = {std::clamp(-seen.error.ns, -most_, most_)};
    return seen;
  }

 private:
  Grid grid_;
  Duration phase_;
  std::int64_t most_;  // ns a frame
  Duration ahead_{};   // of TAI
  bool known_ = false;
};

}  // namespace hild::exec
