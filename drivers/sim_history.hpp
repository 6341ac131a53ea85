// SPDX-License-Identifier: Apache-2.0
/// \file
/// The history of what lines held, and since when: the last images with the instants they began at,
/// so that a converter with a delay sees the world as it was. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::sim {

class InputHistory {
 public:
  /// Images kept where lines are looked at with a delay: enough for the longest of a channel
  /// (10 ms) at 100 000 images a second.
  static constexpr std::size_t deep = 1024;

  /// Keeps `depth` images, at least one; 1: only what is held now. `initial` is what the lines held
  /// at all earlier times.
  InputHistory(std::span<const double> initial, std::size_t depth)
      : width_(initial.size()), since_(depth) {
    values_.reserve(depth * width_);
    for (std::size_t i = 0; i < depth; ++i) {
      values_.insert(values_.end(), initial.begin(), initial.end());
    }
    since_[0] = {std::numeric_limits<std::int64_t>::min()};
  }

  /// Where to put what the lines hold from `since` on. Instants never decrease. A line that is
  /// never put there holds what it did initially.
  [[nodiscard]] std::span<double> record(MonoTime since) noexcept {
    newest_ = (newest_ + 1) % since_.size();
    count_ = std::min(count_ + 1, since_.size());
    since_[newest_] = since;
    return image(newest_);
  }

  [[nodiscard]] std::span<const double> latest() const noexcept { return image(newest_); }

  /// The values held at `t`; the oldest image kept when `t` is before all of them.
  [[nodiscard]] std::span<const double> at(MonoTime t) const noexcept {
    std::size_t i = newest_;
    for (std::size_t back = 1; back < count_ && since_[i] > t; ++back) {
      i = (i + since_.size() - 1) % since_.size();
    }
    return image(i);
  }

 private:
  [[nodiscard]] std::span<double> image(std::size_t i) noexcept {
    return std::span(values_).subspan(i * width_, width_);
  }
  [[nodiscard]] std::span<const double> image(std::size_t i) const noexcept {
    return std::span(values_).subspan(i * width_, width_);
  }

  std::size_t width_;
  std::vector<double> values_;
  std::vector<MonoTime> since_;
  std::size_t newest_ = 0;
  std::size_t count_ = 1;
};

}  // namespace hild::sim
