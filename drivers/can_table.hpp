// SPDX-License-Identifier: Apache-2.0
/// \file
/// Which message a frame is of, by its identifier: the first of those it matches, however many
/// there are. Made at load time; asking is real-time safe.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <span>
#include <vector>

#include "drivers/can_message.hpp"

namespace hild::can {

class MessageTable {
 public:
  MessageTable() = default;
  explicit MessageTable(std::span<const Incoming> messages) {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      kind_of(messages[m].mask, messages.size()).add(messages[m].id, m);
    }
  }

  /// The index of the message, as they were given.
  [[nodiscard]] std::optional<std::size_t> find(canid_t id) const noexcept {
    std::optional<std::size_t> found;
    for (const Kind& kind : kinds_) {
      const Slot& slot = kind.slots[kind.place_of(id & kind.mask)];
      if (slot.taken && (!found || slot.message < *found)) found = slot.message;
    }
    return found;
  }

 private:
  struct Slot {
    canid_t id = 0;
    bool taken = false;
    std::size_t message = 0;
  };
  /// Messages of which the same bits count: those of 11 bits, of 29, of J1939's groups. At least
  /// half of the slots stay free, and are a power of two.
  struct Kind {
    canid_t mask;
    std::vector<Slot> slots;

    /// Of that identifier, or the free one where it would be: that where its hash (Knuth's, by the
    /// golden ratio) points to, or the next.
    [[nodiscard]] std::size_t place_of(canid_t id) const noexcept {
      const std::size_t last = slots.size() - 1;
      std::size_t i = (id * std::uint64_t{0x9e3779b97f4a7c15U} >> 32) & last;
      while (slots[i].taken && slots[i].id != id) i = (i + 1) & last;
      return i;
    }
    void add(canid_t id, std::size_t message) {
      Slot& slot = slots[place_of(id)];
      if (!slot.taken) slot = {id, true, message};
    }
  };
  Kind& kind_of(canid_t mask, std::size_t messages) {
    const auto known = std::ranges::find(kinds_, mask, &Kind::mask);
    if (known != kinds_.end()) return *known;
    return kinds_.emplace_back(Kind{mask, std::vector<Slot>(std::bit_ceil(2 * messages))});
  }

  std::vector<Kind> kinds_;
};

}  // namespace hild::can
