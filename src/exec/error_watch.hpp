// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the accuracy of a method with an embedded pair: puts the estimated error of every step,
/// relative to the largest value its state has had, into a histogram. Real-time safe after
/// construction.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "exec/statistics.hpp"
#include "hild/model/stepper.hpp"

namespace hild::exec {

class ErrorWatch {
 public:
  explicit ErrorWatch(const model::Stepper& plant)
      : any_(plant.method().embedded.order > 0),
        error_(plant.description().states.size()),
        largest_(error_.size()) {}

  /// Whether the method has an embedded pair, without which there is no estimate.
  [[nodiscard]] bool any() const noexcept { return any_; }
  /// Looks at the estimate of the step just taken.
  void look(model::Stepper& plant, Statistics& statistics) noexcept {
    if (!plant.error_estimate(error_)) return;
    const auto x = plant.states();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      largest_[i] = std::max(largest_[i], std::abs(x[i]));
      if (largest_[i] > 0) worst = std::max(worst, std::abs(error_[i]) / largest_[i]);
    }
    statistics.local_error.add(part({1'000'000'000}, std::min(worst, 1e3)));
  }

 private:
  bool any_;
  std::vector<double> error_;    // the estimated error of the last step, for each state
  std::vector<double> largest_;  // the largest magnitude each state has had
};

}  // namespace hild::exec
