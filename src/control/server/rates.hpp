// SPDX-License-Identifier: Apache-2.0
/// \file
/// Limits the rate of requests, of one sender or of many.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <unordered_map>

namespace hild::server {

/// Limits a rate: so many a second on average, and at most a second's worth at once.
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

/// A limit for each sender separately, told apart by a name: a sender that asks too much does not
/// affect the others. Of bounded size: if there are too many senders at a time, those beyond share
/// one allowance.
class Rates {
 public:
  using Clock = TokenBucket::Clock;
  static constexpr std::size_t most = 1024;

  explicit Rates(double per_second) : rate_(per_second), others_(per_second) {}

  /// The bucket of the sender `who`; valid until the next call.
  [[nodiscard]] TokenBucket& of(const std::string& who, Clock::time_point now) {
    if (const auto found = buckets_.find(who); found != buckets_.end()) {
      found->second.asked = now;
      return found->second.bucket;
    }
    // After a second without requests a bucket is full, as a new one is.
    if (buckets_.size() >= most && now - forgot_ > std::chrono::seconds(1)) {
      forgot_ = now;
      std::erase_if(buckets_, [&](const auto& one) {
        return now - one.second.asked > std::chrono::seconds(1);
      });
    }
    if (buckets_.size() >= most) return others_;
    return buckets_.emplace(who, Bucket{TokenBucket(rate_), now}).first->second.bucket;
  }

 private:
  struct Bucket {
    TokenBucket bucket;
    Clock::time_point asked;
  };

  double rate_;
  TokenBucket others_;
  std::unordered_map<std::string, Bucket> buckets_;
  Clock::time_point forgot_{};
};

}  // namespace hild::server
