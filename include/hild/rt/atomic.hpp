// SPDX-License-Identifier: Apache-2.0
/// \file
/// Single values that cross threads. All atomics of the project are in this room.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

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

/// A count that any number of threads raise, also those of several processes that have it mapped;
/// that costs each an atomic addition. Real-time safe.
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

/// A short text that any number of threads write and read, also those of several processes that
/// have it mapped. At most size - 1 characters; written by several at once it is some of each; it
/// always ends. Zeroed memory is an empty text. Holds no pointers. Real-time safe.
template <std::size_t size>
class SharedText {
 public:
  /// What does not fit is cut.
  void set(std::string_view text) noexcept {
    std::size_t n = 0;
    for (; n < text.size() && n + 1 < size; ++n) {
      bytes_[n].store(text[n], std::memory_order_relaxed);
    }
    bytes_[n].store('\0', std::memory_order_relaxed);
  }
  /// A copy, with a 0 at its end.
  [[nodiscard]] std::array<char, size> get() const noexcept {
    std::array<char, size> text{};
    for (std::size_t n = 0; n + 1 < size; ++n) {
      text[n] = bytes_[n].load(std::memory_order_relaxed);
      if (text[n] == '\0') break;
    }
    return text;
  }

 private:
  std::array<std::atomic<char>, size> bytes_{};
  static_assert(size > 0 && std::atomic<char>::is_always_lock_free);
};

}  // namespace hild::rt
