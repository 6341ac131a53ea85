// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits a rate of requests: so many a second on average, and at most a second's worth at once.
#pragma once

#include <algorithm>
#include <chrono>

namespace hild::server {

class TokenBucket {
 public:
  using Clock = std::chrono::steady_clock;

  explicit TokenBucket(double per_second) : rate_(per_second), tokens_(per_second) {}

  /// Takes a token at `now`; false when there is none.
  [[nodiscard]] bool take(Clock::time_point now) {
    const double passed = std::chrono::duration<double>(now - last_).count();
    if (last_ != Clock::time_point{}) tokens_ = std::min(rate_, tokens_ + passed * rate_);
    last_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }
  /// The time until there is a token, as of the last take().
  [[nodiscard]] std::chrono::duration<double> wait() const {
    return std::chrono::duration<double>(std::max(0.0, (1 - tokens_) / rate_));
  }

 private:
  double rate_;
  double tokens_;
  Clock::time_point last_{};
};

}  // namespace hild::server
