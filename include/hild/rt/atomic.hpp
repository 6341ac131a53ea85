// SPDX-License-Identifier: Apache-2.0
/// \file
/// Single values that cross threads. All atomics of the project are in this room.
#pragma once

#include <atomic>
#include <cstdint>

namespace hild::rt {

/// A count with one writer and any number of readers; costs the writer one plain addition.
class Counter {
 public:
  Counter() noexcept = default;
  /// Counts from `n`.
  explicit Counter(std::int64_t n) noexcept : value_(n) {}

  /// The writer: counts on; negative: back. Real-time safe.
  void add(std::int64_t n = 1) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + n, std::memory_order_relaxed);
  }
  /// The writer: a value instead of a count. Real-time safe.
  void set(std::int64_t n) noexcept { value_.store(n, std::memory_order_relaxed); }
  /// The newest value that has reached the reader; of what was written beside it, it tells nothing.
  /// Any thread. Real-time safe.
  [[nodiscard]] std::int64_t get() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

/// A request raised by any thread or signal handler; what was written before is seen after.
class Flag {
 public:
  /// It stays raised for good. Real-time safe.
  void raise() noexcept { value_.store(true, std::memory_order_release); }
  /// Whether anybody has. Real-time safe.
  [[nodiscard]] bool raised() const noexcept { return value_.load(std::memory_order_acquire); }

 private:
  std::atomic<bool> value_{false};
};

}  // namespace hild::rt
