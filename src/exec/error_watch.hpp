// SPDX-License-Identifier: Apache-2.0
/// \file
/// Watches the accuracy of a method with an embedded pair: the estimate of every step against the
/// size of its states. Real-time safe after construction.
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

  [[nodiscard]] bool any() const noexcept { return any_; }
  void look(const model::Stepper& plant, Statistics& statistics) noexcept {
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
  std::vector<double> error_;    // of the last step, estimated
  std::vector<double> largest_;  // what each state has been at most
};

}  // namespace hild::exec
