// SPDX-License-Identifier: Apache-2.0
/// \file
/// The event indicators of an FMU, and on which sides of zero they were at the last event.
/// Real-time safe after construction.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "hild/core/archive.hpp"

namespace hild::fmi {

class EventIndicators {
 public:
  explicit EventIndicators(std::size_t count) : z_(count), sides_(count) {}

  [[nodiscard]] bool empty() const noexcept { return z_.empty(); }
  [[nodiscard]] double operator[](std::size_t index) const noexcept { return z_[index]; }
  /// Where they are to be read into.
  [[nodiscard]] std::span<double> values() noexcept { return z_; }

  /// An event was acted upon: from now on they have crossed when they are elsewhere than now.
  void settle() noexcept { std::ranges::transform(z_, sides_.begin(), side_of); }
  [[nodiscard]] bool crossed(std::size_t index) const noexcept {
    return side_of(z_[index]) != sides_[index];
  }
  [[nodiscard]] bool any_crossed() const noexcept {
    return !std::ranges::equal(z_, sides_, {}, side_of);
  }

  void transfer(Archive& archive) noexcept { archive(z_, sides_); }

 private:
  // The standard's two domains: z > 0 and z <= 0.
  static signed char side_of(double z) noexcept { return z > 0 ? 1 : -1; }

  std::vector<double> z_;
  std::vector<signed char> sides_;
};

}  // namespace hild::fmi
