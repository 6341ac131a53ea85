// SPDX-License-Identifier: Apache-2.0
/// \file
/// Divides the states into fast and slow ones, for multirate and mixed-mode integration (Cellier,
/// Multi-rate Integration VI, Mixed-mode Integration IV): modes are divided at a gap, and states by
/// the modes they take part in. Not real-time.
#pragma once

#include <optional>

#include "hild/model/multirate.hpp"
#include "offline/advise/spectrum.hpp"

namespace hild::advise {

/// The smallest ratio of |lambda| across a gap for which separate steps are worth while.
inline constexpr double least_gap = 10;

struct Split {
  std::vector<std::size_t> fast{};  ///< states, in the model's order
  std::vector<std::size_t> slow{};
  double fastest_slow = 0;  ///< |lambda|, 1/s, over the trajectory
  double slowest_fast = 0;
  double fastest_fast = 0;

  /// A |lambda| within the gap; modes above it are the fast ones.
  [[nodiscard]] double edge() const noexcept;
  /// The number of steps of the fast part in one of the slow part: k of Cellier's formulas.
  [[nodiscard]] double ratio() const noexcept;
};

/// Divides at the widest gap between any two |lambda| of the trajectory. A state is fast when,
/// averaged over all points, more of its participation lies in fast modes than in slow ones.
/// Nothing without a gap of `least_gap`, or when all states fall on one side.
[[nodiscard]] std::optional<Split> split_of(std::span<const Spectrum> points);

/// Expresses the split by the model's partitions: AB-2 for the slow ones, and for the fast ones
/// AB-2 at the ratio, or LIBE where the ratio is beyond model::max_ratio. Nothing where the model
/// has no partitions, or one of them has states of both kinds.
[[nodiscard]] std::optional<model::Multirate> rates_of(const Split& split,
                                                       const model::Description& model);

}  // namespace hild::advise
