// SPDX-License-Identifier: Apache-2.0
/// \file
/// Sequence lock over a run of doubles: one writer that never waits, readers that retry. Carries
/// data outward (status, images) and works in memory shared between processes, since it holds no
/// pointers to itself. The words are relaxed atomics, so that no read is a data race.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// An image of doubles and its lock, which owns its words and stays where it was made. An image of
/// zeros at first.
template <class Words>
class SeqlockImage {
 public:
  SeqlockImage() = default;
  /// So many doubles, where `Words` does not say how many.
  explicit SeqlockImage(std::size_t size) : data_(size) {}

  /// One writer at a time. Real-time safe.
  void write(std::span<const double> values) noexcept { Seqlock(word_, data_).write(values); }
  /// A whole image, or false when none came; `values` is then to be ignored.
  [[nodiscard]] bool read(std::span<double> values) const noexcept {
    return Seqlock(word_, data_).read(values);
  }
  /// Images written so far, that of zeros not counted.
  [[nodiscard]] std::uint64_t writes() const noexcept { return Seqlock(word_, data_).writes(); }
  /// The doubles of an image.
  [[nodiscard]] std::size_t size() const noexcept { return data_.size(); }

 private:
  // A Seqlock takes what it reads writable, but reading writes nothing, which lets a process read
  // from a mapping that it has no right to write.
  mutable SeqlockWord word_{};
  mutable Words data_{};
};

/// `N` doubles without pointers: the shape to lay into memory shared between processes. Zeroed
/// memory is a valid state.
template <std::size_t N>
using SeqlockArray = SeqlockImage<std::array<std::atomic<std::uint64_t>, N>>;
/// As many as are asked for when it is made, for readers in the same process. Allocates then.
using SeqlockBuffer = SeqlockImage<std::vector<std::atomic<std::uint64_t>>>;

}  // namespace hild::rt
