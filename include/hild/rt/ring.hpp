// SPDX-License-Identifier: Apache-2.0
/// \file
/// Single-producer single-consumer ring of fixed-size slots, allocated once. The slot size is a
/// run-time number because a frame record grows with the model. A full ring refuses: the producer
/// never waits. Real-time safe after construction.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>

namespace hild::rt {

/// A ring of raw bytes between two threads: a producer that claims, writes and publishes a slot,
/// and a consumer that reads and releases it. Slots are zeroed at first, and then hold what was in
/// them.
class SlotRing {
 public:
  /// `slots` is rounded up to a power of two; each slot is aligned to 8 bytes. Allocates.
  SlotRing(std::size_t slot_bytes, std::size_t slots)
      : stride_((slot_bytes + 7) / 8 * 8),
        mask_(std::bit_ceil(slots) - 1),
        // Value-initialised, so that the pages are touched before the loop starts.
        store_(std::make_unique<std::byte[]>(stride_ * (mask_ + 1))) {}

  /// Producer: the next free slot, or nullptr when full. Write it, then publish().
  [[nodiscard]] std::byte* claim() noexcept {
    const auto head = head_.load(std::memory_order_relaxed);
    if (head - tail_seen_ > mask_) {
      tail_seen_ = tail_.load(std::memory_order_acquire);
      if (head - tail_seen_ > mask_) return nullptr;
    }
    return slot(head);
  }
  /// Producer: hands the claimed slot over. Precondition: claim() gave one.
  void publish() noexcept {
    head_.store(head_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Producer: whether fewer than `places` slots are free, the one claimed counted as free.
  [[nodiscard]] bool full(std::size_t places = 1) const noexcept {
    return head_.load(std::memory_order_relaxed) - tail_.load(std::memory_order_acquire) + places >
           mask_ + 1;
  }

  /// Consumer: the oldest slot, or nullptr when empty. Read it, then release().
  [[nodiscard]] const std::byte* front() noexcept {
    const auto tail = tail_.load(std::memory_order_relaxed);
    if (tail == head_.load(std::memory_order_acquire)) return nullptr;
    return slot(tail);
  }
  /// Consumer: how many slots are there to be read.
  [[nodiscard]] std::size_t ready() const noexcept {
    return head_.load(std::memory_order_acquire) - tail_.load(std::memory_order_relaxed);
  }
  /// Consumer: the slot so many behind the oldest one. Precondition: behind < ready().
  [[nodiscard]] const std::byte* peek(std::size_t behind) const noexcept {
    return slot(tail_.load(std::memory_order_relaxed) + behind);
  }
  /// Consumer: gives the oldest slot back; the producer may write it at once. Precondition: there
  /// was one to be read.
  void release() noexcept {
    tail_.store(tail_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// The size of a slot: what was asked for, rounded up to a multiple of 8.
  [[nodiscard]] std::size_t slot_bytes() const noexcept { return stride_; }
  /// How many slots there are, after rounding up.
  [[nodiscard]] std::size_t slots() const noexcept { return mask_ + 1; }

 private:
  [[nodiscard]] std::byte* slot(std::size_t index) const noexcept {
    return store_.get() + (index & mask_) * stride_;
  }

  static constexpr std::size_t line = 64;  // a cache line, so that the two sides do not share one
  std::size_t stride_;
  std::size_t mask_;
  std::unique_ptr<std::byte[]> store_;
  alignas(line) std::atomic<std::size_t> head_{0};
  std::size_t tail_seen_ = 0;  // the producer's last view of tail_
  alignas(line) std::atomic<std::size_t> tail_{0};
};

}  // namespace hild::rt
