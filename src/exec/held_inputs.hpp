// SPDX-License-Identifier: Apache-2.0
/// \file
/// Inputs that are held, digital lines for one, within a step that reads several images: which
/// value was in force when. A change of one is an instant that state events must not be looked for
/// across. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "io/image_history.hpp"

namespace hild::exec {

class HeldInputs {
 public:
  /// Nothing is kept unless `wanted`.
  HeldInputs(std::span<const io::SampledInput> inputs, bool wanted) {
    for (std::size_t i = 0; wanted && i < inputs.size(); ++i) {
      if (inputs[i].held) which_.push_back(i);
    }
    values_.resize(from_.size() * which_.size());
  }

  [[nodiscard]] bool any() const noexcept { return !which_.empty(); }
  /// A step begins: the next image is its first.
  void begin_step() noexcept { count_ = 0; }
  /// The inputs `u` were read, in force from `nominal` on.
  void take(MonoTime nominal, std::span<const double> u) noexcept {
    const bool same =
        count_ > 0 && std::ranges::equal(which_, row(count_ - 1), {}, [&](auto i) { return u[i]; });
    if (same) return;
    if (count_ < from_.size()) ++count_;
    from_[count_ - 1] = nominal;
    std::ranges::transform(which_, row(count_ - 1).begin(), [&](std::size_t i) { return u[i]; });
  }
  /// Puts the values in force at `t`, an instant of the step, into `u`.
  void put(MonoTime t, std::span<double> u) const noexcept {
    if (count_ == 0) return;
    std::size_t newest = 0;
    while (newest + 1 < count_ && from_[newest + 1] <= t) ++newest;
    for (std::size_t k = 0; k < which_.size(); ++k) u[which_[k]] = row(newest)[k];
  }
  /// The first change after `after` and before `until`; else `until`.
  [[nodiscard]] MonoTime next_change(MonoTime after, MonoTime until) const noexcept {
    for (std::size_t k = 1; k < count_; ++k) {
      if (from_[k] > after) return std::min(from_[k], until);
    }
    return until;
  }

 private:
  [[nodiscard]] std::span<double> row(std::size_t k) noexcept {
    return std::span(values_).subspan(k * which_.size(), which_.size());
  }
  [[nodiscard]] std::span<const double> row(std::size_t k) const noexcept {
    return std::span(values_).subspan(k * which_.size(), which_.size());
  }

  std::vector<std::size_t> which_;              // inputs
  std::array<MonoTime, io::max_slots> from_{};  // when each row came into force
  std::vector<double> values_;                  // of those inputs, a row a change
  std::size_t count_ = 0;                       // rows of the step at hand
};

}  // namespace hild::exec
