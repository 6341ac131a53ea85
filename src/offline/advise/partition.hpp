// SPDX-License-Identifier: Apache-2.0
/// \file
/// Fast and slow states, as multirate and mixed-mode integration want them (Cellier, Multi-rate
/// Integration VI, Mixed-mode Integration IV): modes apart by a gap, and states by which modes they
/// take part in. Not real-time.
#pragma once

#include <optional>

#include "hild/model/multirate.hpp"
#include "offline/advise/spectrum.hpp"

namespace hild::advise {

/// The gap in |lambda| from which parts are worth a step each.
inline constexpr double least_gap = 10;

struct Split {
  std::vector<std::size_t> fast{};  ///< states, in the model's order
  std::vector<std::size_t> slow{};
  double fastest_slow = 0;  ///< |lambda|, 1/s, over the trajectory
  double slowest_fast = 0;
  double fastest_fast = 0;

  /// Between the two edges; modes above it are the fast ones.
  [[nodiscard]] double edge() const noexcept;
  /// Steps of the fast part in one of the slow part: k of Cellier's formulas.
  [[nodiscard]] double ratio() const noexcept;
};

/// At the widest gap between any two |lambda| of the trajectory. A state is fast when, on the mean
/// of all points, more of its participation lies in fast modes than in slow ones. Nothing without a
/// gap of `least_gap`, or when all states fall on one side.
[[nodiscard]] std::optional<Split> split_of(std::span<const Spectrum> points);

/// The split in terms of the model's partitions: AB-2 for the slow ones, and for the fast ones AB-2
/// at the ratio, or LIBE where the ratio is beyond model::max_ratio. Nothing where the model has no
/// partitions, or one of them has states of both kinds.
[[nodiscard]] std::optional<model::Multirate> rates_of(const Split& split,
                                                       const model::Description& model);

}  // namespace hild::advise
