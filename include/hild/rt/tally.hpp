// SPDX-License-Identifier: Apache-2.0
/// \file
/// A count that any number of threads raise, also those of several processes that have it mapped.
#pragma once

#include <atomic>
#include <cstdint>

namespace hild::rt {

/// Where a Counter has one writer, this has many; that costs each an atomic addition. Real-time
/// safe.
class Tally {
 public:
  /// One more; gives how many there were before, which is nobody else's number.
  std::int64_t take() noexcept { return value_.fetch_add(1, std::memory_order_relaxed); }
  /// `n` more, or less where it is negative.
  void add(std::int64_t n) noexcept { value_.fetch_add(n, std::memory_order_relaxed); }
  /// How many there are; of what was written beside it, it tells nothing.
  [[nodiscard]] std::int64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
  static_assert(std::atomic<std::int64_t>::is_always_lock_free);
};

}  // namespace hild::rt
