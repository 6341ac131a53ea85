// SPDX-License-Identifier: Apache-2.0
/// \file
/// What something usually costs: a decaying maximum of the times measured, so that a single long
/// one, such as a preemption, is forgotten in time; never less than a rehearsal found, nor than the
/// shortest of two times measured or more. Real-time safe.
#pragma once

#include <algorithm>

#include "hild/core/time.hpp"

namespace hild::exec {

class CostEstimate {
 public:
  /// What a rehearsal measured, at the high end. To be called before the run.
  void seed(Duration cost) noexcept { now_ = floor_ = cost; }
  [[nodiscard]] Duration now() const noexcept { return now_; }

  void learn(Duration took) noexcept {
    // A single one may have been an outlier, which would hold it up for good.
    if (once_.ns >= 0) least_ = std::min(least_.ns >= 0 ? least_ : once_, took);
    once_ = took;
    decay();
    now_ = std::max(now_, took);
  }
  /// It waits since it costs so much: an outlier must not hold it up for good.
  void decay() noexcept { now_ = std::max({now_ - Duration{(now_.ns + 63) / 64}, floor_, least_}); }

 private:
  Duration now_{};
  Duration floor_{};
  Duration once_{-1};   // measured last
  Duration least_{-1};  // of those
};

}  // namespace hild::exec
