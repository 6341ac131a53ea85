// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits the number of lines a second, by the times of the records and not by a clock.
#pragma once

#include <utility>

#include "hild/core/time.hpp"

namespace hild::record {

class RateLimit {
 public:
  explicit RateLimit(int lines) noexcept : lines_(lines) {}

  /// Whether one more line may be logged at `now`; else it is counted. The first line opens a
  /// window of a second.
  [[nodiscard]] bool admit(MonoTime now) noexcept {
    if (!open_) open(now);
    if (admitted_++ < lines_) return true;
    ++refused_;
    return false;
  }
  /// Counts lines that are not even tried.
  void refuse(std::int64_t lines) noexcept { refused_ += lines; }
  [[nodiscard]] bool over(MonoTime now) const noexcept { return open_ && now - start_ >= 1_s; }
  [[nodiscard]] Duration age(MonoTime now) const noexcept { return now - start_; }
  /// Ends the window and returns how many lines were refused. Where there were some, what sums them
  /// up is the first line of the next window.
  [[nodiscard]] std::int64_t close(MonoTime now) noexcept {
    open_ = false;
    if (refused_ == 0) return 0;
    open(now);
    ++admitted_;
    return std::exchange(refused_, 0);
  }

 private:
  void open(MonoTime now) noexcept {
    open_ = true;
    start_ = now;
    admitted_ = 0;
  }

  int lines_;
  int admitted_ = 0;
  std::int64_t refused_ = 0;
  bool open_ = false;
  MonoTime start_{};
};

}  // namespace hild::record
