// SPDX-License-Identifier: Apache-2.0
/// \file
/// Triple buffer: the writer always has a buffer to fill, the reader always gets the newest whole
/// one, and neither waits. One writer thread, one reader thread. Real-time safe after construction.
#pragma once

#include <array>
#include <atomic>

namespace hild::rt {

/// Hands whole values of type `T` from one thread to another; those the reader missed are gone.
template <class T>
class TripleBuffer {
 public:
  /// All three begin as a copy of it: what the reader sees before the first publish().
  explicit TripleBuffer(const T& initial) : buffers_{initial, initial, initial} {}

  /// Writer: the buffer to fill, with some earlier value in it; publish() hands it over.
  [[nodiscard]] T& back() noexcept { return buffers_[back_]; }
  /// Writer: what is in back() is the newest from now on; back() is then another buffer.
  void publish() noexcept {
    back_ = middle_.exchange(back_ | fresh_bit, std::memory_order_acq_rel) & index_mask;
  }

  /// Reader: whether something was handed over since the last front().
  [[nodiscard]] bool fresh() const noexcept {
    return (middle_.load(std::memory_order_relaxed) & fresh_bit) != 0;
  }
  /// Reader: the newest image handed over so far, unchanged until the next call.
  [[nodiscard]] const T& front() noexcept {
    if (fresh()) {
      front_ = middle_.exchange(front_, std::memory_order_acq_rel) & index_mask;
    }
    return buffers_[front_];
  }

 private:
  static constexpr unsigned fresh_bit = 4;
  static constexpr unsigned index_mask = 3;

  std::array<T, 3> buffers_;
  alignas(64) std::atomic<unsigned> middle_{1};
  alignas(64) unsigned back_ = 0;
  alignas(64) unsigned front_ = 2;
};

}  // namespace hild::rt
