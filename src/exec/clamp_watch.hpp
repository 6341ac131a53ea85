// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches for outputs that are cut to their limits: what the converter carries is then not what
/// the model says. A stretch is a row of writes of which each cut some value. It is counted and
/// told; where the configuration says so, one that lasts too long ends the run. Real-time safe.
#pragma once

#include "exec/settings.hpp"
#include "exec/statistics.hpp"

namespace hild::exec {

class ClampWatch {
 public:
  /// `cut` counts the values that were cut, and outlives the watch, as `statistics` does; none:
  /// nobody cuts any.
  ClampWatch(const Clamping& settings, const Grid& grid, const rt::Counter* cut,
             Statistics& statistics) noexcept
      : limit_(settings.stop ? (settings.after.ns + grid.period().ns - 1) / grid.period().ns : -1),
        cut_(cut),
        seen_(cut != nullptr ? cut->get() : 0),
        usual_(seen_),
        statistics_(&statistics) {}

  /// After the write of a frame, by the number of its tick. True: a stretch has lasted as long as
  /// it may.
  [[nodiscard]] bool reached(std::int64_t frame) noexcept {
    const std::int64_t now = cut_ != nullptr ? cut_->get() : seen_;
    return now != usual_ && changed(now, frame);
  }

 private:
  [[gnu::noinline]] bool changed(std::int64_t now, std::int64_t frame) noexcept {
    if (now == seen_) {
      since_ = -1;
      usual_ = seen_;
      statistics_->clamped_since.set(-1);
      return false;
    }
    seen_ = now;
    usual_ = -1;
    if (since_ < 0) {
      since_ = frame;
      last_ = frame - 1;
      statistics_->clamp_stretches.add();
    }
    statistics_->clamped_frames.add(frame - last_);
    statistics_->clamped_since.set(since_);
    last_ = frame;
    return limit_ >= 0 && frame - since_ >= limit_;
  }

  std::int64_t limit_;  // frames; below 0: none
  const rt::Counter* cut_;
  std::int64_t seen_;
  std::int64_t usual_;  // the count with which there is nothing to do; none within a stretch
  Statistics* statistics_;
  std::int64_t since_ = -1;  // the frame the stretch began with; below 0: there is none
  std::int64_t last_ = 0;
};

}  // namespace hild::exec
