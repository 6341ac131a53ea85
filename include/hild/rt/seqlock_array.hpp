// SPDX-License-Identifier: Apache-2.0
/// \file
/// N doubles under a sequence lock, with the lock beside them: the shape to lay into memory shared
/// between processes. Zeroed memory is a valid state, an image of zeros.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <span>

#include "hild/rt/seqlock.hpp"

namespace hild::rt {

/// An image of `N` doubles and its lock, without pointers. It stays where it was made.
template <std::size_t N>
class SeqlockArray {
 public:
  /// One writer at a time. Real-time safe.
  void write(std::span<const double> values) noexcept { Seqlock(word_, data_).write(values); }
  /// A whole image, or false when none came; `values` is then to be ignored.
  [[nodiscard]] bool read(std::span<double> values) const noexcept {
    // Seqlock serves both sides and so takes its memory writable; reading writes nothing, which
    // lets a process read from a mapping it has no right to write.
    auto& self = const_cast<SeqlockArray&>(*this);
    return Seqlock(self.word_, self.data_).read(values);
  }

 private:
  SeqlockWord word_{};
  std::array<std::atomic<std::uint64_t>, N> data_{};
};

}  // namespace hild::rt
