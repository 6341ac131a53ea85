// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether what a run will compute is the plant: the stability and the accuracy of a method at the
/// step of the configuration. Found by advise (`advise/soundness.hpp`), told with the plan.
#pragma once

#include <complex>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace hild::plan {

/// Of one model.
struct Soundness {
  std::string model{};   ///< its name, of several
  std::string method{};  ///< that advances it
  double h = 0;          ///< the step it takes, s
  /// Why nothing can be said; empty: all below holds.
  std::string unknown{};
  /// Where its modes were taken: "over 1 s", "at its start, by itself".
  std::string seen{};

  double stable_to = std::numeric_limits<double>::infinity();  ///< the largest stable step, s
  /// The mode that bounds it, 1/s, the upper of a pair; none: nothing does, or it is not told.
  std::optional<std::complex<double>> limiting{};
  double limiting_at = 0;  ///< when it was so, s
  double growth = 0;       ///< what the step multiplies the fastest growing of such modes by

  double accuracy = 1e-3;         ///< asked for, a fraction
  std::optional<double> error{};  ///< at this step, as advise estimates it; none: not told
  double accurate_to = std::numeric_limits<double>::infinity();  ///< the largest such step, s
  std::vector<std::string> notes{};

  [[nodiscard]] bool known() const { return unknown.empty(); }
  [[nodiscard]] bool stable() const { return h <= stable_to * (1 + 1e-9); }
  /// Of the double steps that follow an overrun.
  [[nodiscard]] bool doubled_stable() const { return 2 * h <= stable_to * (1 + 1e-9); }
  /// Wrong by more than a tenth: not a coarse picture of the plant but another plant.
  [[nodiscard]] bool far_off() const { return error && *error > 0.1; }
};

}  // namespace hild::plan
