// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequence lock over a run of doubles: one writer that never waits, readers that retry. Carries
/// data outward (status, images), also through memory shared between processes. The words are
/// atomics, so that no read is a data race.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hild::rt {

/// An image of doubles and its lock, which stays where it was made. An image of zeros at first.
/// `Words` holds the doubles; `Sequence` is the counter, or a reference to it where it lies in
/// memory that others see.
///
/// Release stores and acquire loads of the words stand where fences would: whoever sees a word of
/// an image also sees that its writing had begun. On x86 they cost plain moves, and the thread
/// sanitizer understands them.
template <class Words, class Sequence = std::atomic<std::uint64_t>>
class Seqlock {
 public:
  /// With these words, or with so many of them.
  template <class Made>
  explicit Seqlock(Made words) : words_(words) {}
  /// The same with a counter that is somewhere else. Both outlive this.
  Seqlock(Sequence sequence, Words words) : sequence_(sequence), words_(words) {}

  /// Writer (one at a time). Real-time safe, bounded by the size. What goes beyond the image is
  /// left out.
  void write(std::span<const double> values) noexcept {
    // A writer that died half-way left an odd number; it is taken over as it is.
    const auto writing = sequence_.load(std::memory_order_relaxed) | 1;
    sequence_.store(writing, std::memory_order_relaxed);
    const std::size_t n = std::min(values.size(), words_.size());
    for (std::size_t i = 0; i < n; ++i) {
      words_[i].store(std::bit_cast<std::uint64_t>(values[i]), std::memory_order_release);
    }
    sequence_.store(writing + 1, std::memory_order_release);
  }

  /// Reader: a whole image, or false after `attempts` torn ones (a writer that died half-way);
  /// `values` is then to be ignored. Writes nothing, so that a process may read from a mapping that
  /// it has no right to write.
  [[nodiscard]] bool read(std::span<double> values, int attempts = 1000) const noexcept {
    const std::size_t n = std::min(values.size(), words_.size());
    for (; attempts > 0; --attempts) {
      const auto before = sequence_.load(std::memory_order_acquire);
      if ((before & 1) != 0) continue;
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = std::bit_cast<double>(words_[i].load(std::memory_order_acquire));
      }
      if (sequence_.load(std::memory_order_relaxed) == before) return true;
    }
    return false;
  }

  /// Images written so far, that of zeros not counted.
  [[nodiscard]] std::uint64_t writes() const noexcept {
    return sequence_.load(std::memory_order_acquire) / 2;
  }
  /// The doubles of an image.
  [[nodiscard]] std::size_t size() const noexcept { return words_.size(); }

 private:
  /// Twice the number of images written; odd while one is being written.
  Sequence sequence_{};
  Words words_;
};

/// A word of memory that a lock lies over: its counter, or a double of its image.
using SeqlockWord = std::atomic<std::uint64_t>;
/// A lock over memory that lies elsewhere, such as what processes share: the counter and the words
/// are given when it is made. Zeroed memory is a valid state.
using SeqlockView = Seqlock<std::span<SeqlockWord>, SeqlockWord&>;
/// As many as are asked for when it is made, for readers in the same process. Allocates then.
using SeqlockBuffer = Seqlock<std::vector<std::atomic<std::uint64_t>>>;

}  // namespace hild::rt
