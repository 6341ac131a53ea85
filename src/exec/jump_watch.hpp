// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches for inputs that jump, after which a multistep method must drop its history: a polynomial
/// through derivatives on both sides of a jump fits neither side. Real-time safe after
/// construction.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "io/image_history.hpp"

namespace hild::exec {

class JumpWatch {
 public:
  /// An input jumps when it changes by more than its `jump` from one step to the next.
  explicit JumpWatch(std::span<const io::SampledInput> inputs) {
    const auto limited = [](const io::SampledInput& input) { return std::isfinite(input.jump); };
    if (std::ranges::none_of(inputs, limited)) return;
    for (const io::SampledInput& input : inputs) jumps_.push_back(input.jump);
    last_.resize(jumps_.size());
  }

  [[nodiscard]] bool any() const noexcept { return !jumps_.empty(); }
  /// To be called once a step with its inputs: whether some jumped since the step before.
  [[nodiscard]] bool jumped(std::span<const double> u) noexcept {
    bool any = false;
    for (std::size_t i = 0; i < jumps_.size(); ++i) {
      any = any || std::abs(u[i] - last_[i]) > jumps_[i];
      last_[i] = u[i];
    }
    return std::exchange(begun_, true) && any;
  }
  void transfer(Archive& archive) noexcept { archive(last_, begun_); }

 private:
  std::vector<double> jumps_;
  std::vector<double> last_;
  bool begun_ = false;
};

}  // namespace hild::exec
