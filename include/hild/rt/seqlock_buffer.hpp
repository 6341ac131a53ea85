// SPDX-License-Identifier: Apache-2.0
/// \file
/// Doubles under a sequence lock, as many as are asked for when it is made: one writer that never
/// waits, any number of readers in the same process. See seqlock.hpp.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "hild/rt/seqlock.hpp"

namespace hild::rt {

/// An image of doubles and its lock, which owns its memory. Allocates when it is made.
class SeqlockBuffer {
 public:
  /// An image of zeros.
  explicit SeqlockBuffer(std::size_t size) : data_(size) {}
  SeqlockBuffer(const SeqlockBuffer&) = delete;
  SeqlockBuffer& operator=(const SeqlockBuffer&) = delete;
  ~SeqlockBuffer() = default;

  /// One thread. Real-time safe.
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
  // A Seqlock takes what it reads writable, but reading writes nothing.
  mutable SeqlockWord word_{};
  mutable std::vector<std::atomic<std::uint64_t>> data_;
};

}  // namespace hild::rt
