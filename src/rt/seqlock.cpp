// SPDX-License-Identifier: Apache-2.0
#include "hild/rt/seqlock.hpp"

#include <algorithm>
#include <bit>

namespace hild::rt {

// Release stores and acquire loads of the words stand where fences would: whoever sees a word of
// an image also sees that its writing had begun. On x86 they cost plain moves, and the thread
// sanitizer understands them.

void Seqlock::write(std::span<const double> values) noexcept {
  // A writer that died half-way left an odd number; it is taken over as it is.
  const auto writing = word_->sequence.load(std::memory_order_relaxed) | 1;
  word_->sequence.store(writing, std::memory_order_relaxed);
  const std::size_t n = std::min(values.size(), data_.size());
  for (std::size_t i = 0; i < n; ++i) {
    data_[i].store(std::bit_cast<std::uint64_t>(values[i]), std::memory_order_release);
  }
  word_->sequence.store(writing + 1, std::memory_order_release);
}

bool Seqlock::read(std::span<double> values, int attempts) const noexcept {
  const std::size_t n = std::min(values.size(), data_.size());
  for (; attempts > 0; --attempts) {
    const auto before = word_->sequence.load(std::memory_order_acquire);
    if ((before & 1) != 0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = std::bit_cast<double>(data_[i].load(std::memory_order_acquire));
    }
    if (word_->sequence.load(std::memory_order_relaxed) == before) return true;
  }
  return false;
}

}  // namespace hild::rt
