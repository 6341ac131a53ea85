// SPDX-License-Identifier: Apache-2.0
/// \file
/// A count that any number of threads raise, also those of several processes that have it mapped.
#pragma once

#include <atomic>
#include <cstdint>

namespace hild::rt {

class Tally {
 public:
  /// One more; gives how many there were before, which is nobody else's number. Real-time safe.
  std::int64_t take() noexcept { return value_.fetch_add(1, std::memory_order_relaxed); }
  void add(std::int64_t n) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  [[nodiscard]] std::int64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
};

}  // namespace hild::rt
