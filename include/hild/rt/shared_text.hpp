// SPDX-License-Identifier: Apache-2.0
/// \file
/// A short text that any number of threads write and read, also those of several processes that
/// have it mapped. Written by several at once it is some of each; it always ends. Real-time safe.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string_view>

namespace hild::rt {

/// At most size - 1 characters; zeroed memory is an empty text. Holds no pointers.
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
