// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits the number of lines a second, by the times of the records and not by a clock.
#pragma once

#include "hild/core/time.hpp"

namespace hild::record {

class RateLimit {
 public:
  explicit RateLimit(int lines) noexcept : lines_(lines) {}

  /// Whether one more line may be logged at `now`. The first line opens a window of a second.
  [[nodiscard]] bool admit(MonoTime now) noexcept {
    if (!open_) {
      open_ = true;
      start_ = now;
      admitted_ = 0;
    }
    return admitted_++ < lines_;
  }
  [[nodiscard]] bool over(MonoTime now) const noexcept { return open_ && now - start_ >= 1_s; }
  [[nodiscard]] Duration age(MonoTime now) const noexcept { return now - start_; }
  void close() noexcept { open_ = false; }

 private:
  int lines_;
  int admitted_ = 0;
  bool open_ = false;
  MonoTime start_{};
};

}  // namespace hild::record
