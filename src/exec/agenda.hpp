// SPDX-License-Identifier: Apache-2.0
/// \file
/// Transactions that are prepared and wait for their frame, soonest first; those of one frame in
/// the order they were posted in. Of fixed size; nothing moves but small indices. Real-time safe
/// after construction.
#pragma once

#include <limits>
#include <vector>

#include "exec/transaction.hpp"

namespace hild::exec {

class Agenda {
 public:
  static constexpr std::size_t capacity = 64;
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  Agenda() : places_(capacity) {
    for (std::size_t i = 0; i < capacity; ++i) order_[i] = static_cast<std::uint8_t>(i);
  }

  [[nodiscard]] bool full() const noexcept { return count_ == capacity; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  /// The frame of the soonest, `never` when there is none.
  [[nodiscard]] std::int64_t soonest() const noexcept { return soonest_; }
  /// Valid until the next add(). Precondition: size() > 0.
  [[nodiscard]] const Transaction& front() const noexcept { return places_[order_[0]].what; }

  /// Precondition: not full.
  void add(const Transaction& t, std::int64_t frame) noexcept {
    std::size_t at = count_++;
    const std::uint8_t place = order_[at];
    for (; at > 0 && places_[order_[at - 1]].frame > frame; --at) order_[at] = order_[at - 1];
    order_[at] = place;
    places_[place].what = t;
    places_[place].frame = frame;
    renew();
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

  struct Place {
    Transaction what;
    std::int64_t frame = 0;
  };
  std::vector<Place> places_;
  std::array<std::uint8_t, capacity> order_{};  // the first count_ in use, the others free
  std::size_t count_ = 0;
  std::int64_t soonest_ = never;
};

}  // namespace hild::exec
