// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches for outputs that are cut to their limits: the converter then does not carry what the
/// model computed. A stretch is a run of consecutive writes in each of which some value was cut.
/// Stretches are counted and reported; where the configuration says so, one that lasts too long
/// ends the run. Real-time safe.
#pragma once

#include "exec/settings.hpp"
#include "exec/statistics.hpp"

namespace hild::exec {

class ClampWatch {
 public:
  /// `cut` counts the values that were cut; null: no device cuts any. It and `statistics` must
  /// outlive the watch.
  ClampWatch(const Clamping& settings, const Grid& grid, const rt::Counter* cut,
             Statistics& statistics) noexcept
      : limit_(settings.stop ? (settings.after.ns + grid.period().ns - 1) / grid.period().ns : -1),
        cut_(cut),
        seen_(cut != nullptr ? cut->get() : 0),
        usual_(seen_),
        statistics_(&statistics) {}

  /// To be asked after the write of each frame: whether reached() is to be called.
  [[nodiscard]] bool due() const noexcept { return cut_ != nullptr && cut_->get() != usual_; }
  /// Where due(), with the number of the tick of that frame: true when a stretch has lasted as long
  /// as it may.
  [[nodiscard, gnu::noinline]] bool reached(std::int64_t frame) noexcept {
    const std::int64_t now = cut_->get();
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

 private:
  std::int64_t limit_;  // frames a stretch may last; below 0: any number
  const rt::Counter* cut_;
  std::int64_t seen_;
  // the count outside a stretch, for which there is nothing to do; -1 within one
  std::int64_t usual_;
  Statistics* statistics_;
  std::int64_t since_ = -1;  // the frame the stretch began at; below 0: there is none
  std::int64_t last_ = 0;
};

}  // namespace hild::exec
