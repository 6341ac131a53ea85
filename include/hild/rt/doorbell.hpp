// SPDX-License-Identifier: Apache-2.0
/// \file
/// A count that one process raises and another waits for, in memory that both have mapped: the one
/// wake-up and the one bounded wait of a call into another process. What was written before ring()
/// is seen after wait(). Real-time safe.
#pragma once

#include <atomic>
#include <cstdint>

#include "hild/core/time.hpp"

namespace hild::rt {

/// A count to ring with; zeroed memory is one that has not rung. Holds no pointers, so that
/// processes may have it mapped at different places.
class Doorbell {
 public:
  /// Counts on and wakes one that waits: one system call that does not wait. Any thread or process.
  void ring() noexcept;
  /// How often it has rung so far: what wait() is to be told before what it waits for is asked for.
  [[nodiscard]] std::uint32_t rung() const noexcept {
    return count_.load(std::memory_order_acquire);
  }
  /// Until it has rung more often than `seen`; false when that took longer than `left`, by an
  /// absolute instant of the monotonic clock. What it took is taken off `left`.
  [[nodiscard]] bool wait(std::uint32_t seen, Duration& left) noexcept;
  /// The same without a bound: for who serves, not for the loop.
  void wait(std::uint32_t seen) noexcept;

 private:
  std::atomic<std::uint32_t> count_{0};
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free);
};

}  // namespace hild::rt
