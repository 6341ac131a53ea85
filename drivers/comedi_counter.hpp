// SPDX-License-Identifier: Apache-2.0
/// \file
/// A counter that wraps around, unfolded into a count that does not. One thread at a time.
/// Real-time safe.
#pragma once

#include <comedilib.h>

#include <cstdint>

namespace hild::comedi {

class Unfolded {
 public:
  /// Of a counter that goes on at 0 after `maxdata`, and is at 0 now where it was `reset`.
  Unfolded(lsampl_t maxdata, bool reset) noexcept
      : turn_(std::int64_t{maxdata} + 1), known_(reset) {}

  /// The count, where the counter is read as `raw`: it has moved by less than half a turn since
  /// the last time, in either direction. The first time it is what was read, unless it was reset.
  double follow(lsampl_t raw) noexcept {
    const std::int64_t at = raw % turn_;
    std::int64_t by = at - at_;
    if (by >= turn_ - turn_ / 2) by -= turn_;
    if (by < -(turn_ / 2)) by += turn_;
    count_ = known_ ? count_ + by : at;
    at_ = at;
    known_ = true;
    return static_cast<double>(count_);
  }

 private:
  std::int64_t turn_;
  std::int64_t at_ = 0;
  std::int64_t count_ = 0;
  bool known_;
};

}  // namespace hild::comedi
