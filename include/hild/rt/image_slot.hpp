// SPDX-License-Identifier: Apache-2.0
/// \file
/// An image of doubles in memory that two processes have mapped: what Seqlock is between threads,
/// with one writer that never waits and readers that retry, but copied as a whole, at a tenth of
/// the instructions. Its words are no atomics: writer and reader are processes of their own, or
/// take turns. Real-time safe.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace hild::rt {

/// The counter of an image: twice the number of images written, odd while one is being written.
/// Zeroed memory is one that has none yet.
using ImageSequence = std::atomic<std::uint64_t>;

/// A view of such a memory, which outlives it. The image has a head and a body, which lie side by
/// side; readers and writers divide it alike.
class ImageSlot {
 public:
  /// The counter and the words are somewhere else.
  ImageSlot(ImageSequence& sequence, std::span<double> words) noexcept
      : sequence_(&sequence), words_(words) {}

  /// Writer (one at a time). What of the body goes beyond the image is left out. Precondition: the
  /// head does not.
  template <std::size_t head_size>
  void write(const std::array<double, head_size>& head, std::span<const double> body) noexcept {
    // A writer that died half-way left an odd number; it is taken over as it is.
    const auto writing = sequence_->load(std::memory_order_relaxed) | 1;
    sequence_->store(writing, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    copy(head.data(), head_size, words_.data());
    copy(body.data(), std::min(body.size(), words_.size() - head_size), words_.data() + head_size);
    sequence_->store(writing + 1, std::memory_order_release);
  }

  /// Reader: a whole image from its beginning, or false after `attempts` torn ones (a writer that
  /// died half-way); `image` is then to be ignored. Whoever may write there may have written
  /// anything: what came is to be checked, and is not read again.
  [[nodiscard]] bool read(std::span<double> image, int attempts) const noexcept {
    const std::size_t n = std::min(image.size(), words_.size());
    for (; attempts > 0; --attempts) {
      const auto before = sequence_->load(std::memory_order_acquire);
      if ((before & 1) != 0) continue;
      copy(words_.data(), n, image.data());
      std::atomic_thread_fence(std::memory_order_acquire);
      if (sequence_->load(std::memory_order_relaxed) == before) return true;
    }
    return false;
  }

  /// Images written so far.
  [[nodiscard]] std::uint64_t writes() const noexcept {
    return sequence_->load(std::memory_order_acquire) / 2;
  }
  /// The doubles of an image, its head included.
  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }

 private:
  static void copy(const double* from, std::size_t n, double* to) noexcept {
    if (n != 0) std::memcpy(to, from, n * sizeof(double));
  }

  ImageSequence* sequence_;
  std::span<double> words_;
  static_assert(ImageSequence::is_always_lock_free);
};

}  // namespace hild::rt
