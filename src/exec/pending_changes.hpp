// SPDX-License-Identifier: Apache-2.0
/// \file
/// The transactions that are prepared and wait for their frame, soonest first; those of one frame
/// in the order they were posted in. Some places are reserved for the next frame: they are free
/// again a frame later, so that transactions for a frame far ahead never delay others. Of fixed
/// size; only small indices are moved. Real-time safe after construction.
#pragma once

#include <limits>
#include <vector>

#include "exec/admission.hpp"

namespace hild::exec {

class PendingChanges {
 public:
  static constexpr std::size_t capacity_usual = 64;
  /// All places; those beyond capacity_usual are for freezes.
  static constexpr std::size_t capacity = capacity_usual + 4;
  static constexpr std::size_t capacity_ahead = 48;  ///< for frames after the next
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  PendingChanges() : places_(capacity) {
    for (std::size_t i = 0; i < capacity; ++i) order_[i] = static_cast<std::uint8_t>(i);
  }

  [[nodiscard]] bool full() const noexcept { return count_ == capacity; }
  [[nodiscard]] bool full_of_usual() const noexcept { return count_ >= capacity_usual; }
  /// Whether transactions for frames after `frame` have taken all the places they may have.
  [[nodiscard]] bool full_after(std::int64_t frame) const noexcept {
    return count_ >= capacity_ahead && places_[order_[count_ - capacity_ahead]].frame > frame;
  }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// The frame of the soonest transaction, `never` when there is none.
  [[nodiscard]] std::int64_t soonest() const noexcept { return soonest_; }
  /// Valid until the next add(). Precondition: size() > 0.
  [[nodiscard]] const Transaction& front() const noexcept { return places_[order_[0]].what; }
  /// How many changes of each class wait for the frames `first` to `last`.
  [[nodiscard]] ClassCounts changes(std::int64_t first, std::int64_t last) const noexcept {
    ClassCounts sum{};
    for (std::size_t i = 0; i < count_ && places_[order_[i]].frame <= last; ++i) {
      const Pending& place = places_[order_[i]];
      if (place.frame < first) continue;
      for (std::size_t c = 0; c < event_classes; ++c) sum[c] += place.classes[c];
    }
    return sum;
  }

  /// Precondition: not full.
  void add(const Transaction& t, const ClassCounts& classes, std::int64_t frame) noexcept {
    std::size_t at = count_++;
    const std::uint8_t place = order_[at];
    for (; at > 0 && places_[order_[at - 1]].frame > frame; --at) order_[at] = order_[at - 1];
    order_[at] = place;
    places_[place].what = t;
    places_[place].classes = classes;
    places_[place].frame = frame;
    renew();
  }
  /// Brings the transaction with this id to the front; false when there is none.
  bool bring(std::uint64_t id) noexcept {
    std::size_t at = 0;
    while (at < count_ && places_[order_[at]].what.id != id) ++at;
    if (at == count_) return false;
    const std::uint8_t place = order_[at];
    for (; at > 0; --at) order_[at] = order_[at - 1];
    order_[0] = place;
    return true;
  }
  void pop() noexcept {
    const std::uint8_t place = order_[0];
    --count_;
    for (std::size_t i = 0; i < count_; ++i) order_[i] = order_[i + 1];
    order_[count_] = place;
    renew();
  }

 private:
  void renew() noexcept { soonest_ = count_ > 0 ? places_[order_[0]].frame : never; }

  struct Pending {
    Transaction what;
    ClassCounts classes{};
    std::int64_t frame = 0;
  };
  std::vector<Pending> places_;
  std::array<std::uint8_t, capacity> order_{};  // the first count_ in use, the others free
  std::size_t count_ = 0;
  std::int64_t soonest_ = never;
};

}  // namespace hild::exec
