// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequence lock over a run of doubles: one writer that never waits, readers that retry. Carries
/// data outward (status, images) and works in memory shared between processes, since it holds no
/// pointers to itself. The words are relaxed atomics, so that no read is a data race.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

namespace hild::rt {

/// The lock word; lives beside the data it protects, zero-initialised memory is a valid state.
struct SeqlockWord {
  /// Twice the number of images written; odd while one is being written.
  std::atomic<std::uint64_t> sequence;
};

/// One side of a sequence lock, made where it is needed: a reference to its words, which it does
/// not own.
class Seqlock {
 public:
  /// Both outlive it. The image is as long as `data`.
  Seqlock(SeqlockWord& word, std::span<std::atomic<std::uint64_t>> data) noexcept
      : word_(&word), data_(data) {}

  /// Writer (one at a time). Real-time safe, bounded by the size. What goes beyond the image is
  /// left out.
  void write(std::span<const double> values) noexcept;

  /// Reader: a whole image, or false after `attempts` torn ones (a writer that died half-way).
  [[nodiscard]] bool read(std::span<double> values, int attempts = 1000) const noexcept;

  /// Number of images written so far.
  [[nodiscard]] std::uint64_t writes() const noexcept {
    return word_->sequence.load(std::memory_order_acquire) / 2;
  }

 private:
  SeqlockWord* word_;
  std::span<std::atomic<std::uint64_t>> data_;
};

}  // namespace hild::rt
