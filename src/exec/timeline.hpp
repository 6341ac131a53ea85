// SPDX-License-Identifier: Apache-2.0
/// \file
/// The places of the simulated frames on the monotonic clock. The grid itself never drifts; giving
/// up time (a slip, or a frozen frame) moves the frames to come by whole ticks. Real-time safe.
#pragma once

#include "hild/core/grid.hpp"

namespace hild::exec {

class Timeline {
 public:
  /// The tick of frame `first` is at `start`.
  Timeline(Grid grid, MonoTime start, std::int64_t first = 0) noexcept
      : grid_(grid), start_(start - grid.tick(first)) {}

  /// As it is where `moved` ticks have been given up and frame n comes at `tick`.
  void place(std::int64_t n, std::int64_t moved, MonoTime tick) noexcept {
    start_ = tick - grid_.tick(n + moved);
    moved_ = moved;
  }

  /// Moves all ticks: those of somebody else are followed.
  void shift(Duration by) noexcept { start_ += by; }

  /// The tick of frame n.
  [[nodiscard]] MonoTime tick(std::int64_t n) const noexcept {
    return start_ + grid_.tick(n + moved_);
  }
  [[nodiscard]] SimTime time(std::int64_t n) const noexcept { return {grid_.tick(n).ns}; }
  [[nodiscard]] const Grid& grid() const noexcept { return grid_; }

  /// Ticks the grid has moved so far.
  [[nodiscard]] std::int64_t moved() const noexcept { return moved_; }
  void move(std::int64_t ticks) noexcept { moved_ += ticks; }

  /// Moves the grid by the fewest ticks that bring frame n to `now` or later; returns their number.
  std::int64_t move_past(std::int64_t n, MonoTime now) noexcept {
    const std::int64_t before = moved_;
    // A first guess from the mean period, then single ticks: bounded whatever the lag.
    const Duration lag = now - tick(n);
    if (lag.ns > 0) moved_ += lag.ns / (grid_.period().ns + 1);
    while (tick(n) < now) ++moved_;
    return moved_ - before;
  }

 private:
  Grid grid_;
  MonoTime start_;  ///< the tick of frame 0
  std::int64_t moved_ = 0;
};

}  // namespace hild::exec
