// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether a run hangs, judged by its heartbeat: a number that changes with every frame.
#pragma once

#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::guard {

/// Looks at equal intervals. A machine that stands still as a whole makes one look late, not many
/// of them futile, and so is not taken for a hang of the run.
class Watch {
 public:
  static constexpr int futile_looks = 4;  ///< in a row, that make a hang
  static constexpr int looks_within = 8;  ///< the rest is for killing, and for the outputs

  explicit Watch(Duration within) : interval_(within / looks_within) {}

  [[nodiscard]] Duration interval() const noexcept { return interval_; }

  /// A look at the heartbeat; before the first beat, 0, nothing is expected. Whether the run hangs.
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
