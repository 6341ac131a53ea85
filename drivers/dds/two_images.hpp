// SPDX-License-Identifier: Apache-2.0
/// \file
/// The two newest images of a node, in slots of the page that take turns: who wants one that has
/// been there for a while finds it though a newer one has come.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "hild/rt/image_slot.hpp"

namespace hild::dds {

class TwoImages {
 public:
  TwoImages(const rt::ImageSlot& first, const rt::ImageSlot& second) noexcept
      : slots_{first, second} {}

  /// Writer (one): in place of the older one.
  template <std::size_t head_size>
  void write(const std::array<double, head_size>& head, std::span<const double> body) noexcept {
    slots_[writes() % 2].write(head, body);
  }
  /// Images written so far, which is the number of the newest one.
  [[nodiscard]] std::uint64_t writes() const noexcept {
    return slots_[0].writes() + slots_[1].writes();
  }
  /// By its number, while it is one of the newest two. Precondition: at least 1.
  [[nodiscard]] const rt::ImageSlot& image(std::uint64_t number) const noexcept {
    return slots_[(number - 1) % 2];
  }

 private:
  std::array<rt::ImageSlot, 2> slots_;
};

}  // namespace hild::dds
