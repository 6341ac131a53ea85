// SPDX-License-Identifier: Apache-2.0
/// \file
/// Divides the states into fast and slow ones, for multirate and mixed-mode integration (Cellier,
/// Multi-rate Integration VI, Mixed-mode Integration IV): modes are divided at a gap, and states by
/// the modes they take part in. Upper bounds follow partition by partition: from the modes of each
/// diagonal block of the Jacobians under the partition's method and step h / ratio. This is exact
/// for parts that are not coupled, and an estimate for weakly coupled ones, which is what Cellier
/// asks for (Mixed-mode Integration); what the interface between them adds is not counted. Not
/// real-time.
#pragma once

#include <optional>

#include "hild/model/multirate.hpp"
#include "offline/advise/trajectory.hpp"
#include "offline/advise/window.hpp"

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

/// What must be accurate, and how inputs are sampled.
struct BlockDemand {
  Demand demand;    ///< its modes and responses are replaced by those of each block
  double band = 0;  ///< omega of interest, rad/s
  Sampled sampled{.by = exec::Sampling::frame};
};

/// The block of the states `rows`, each named once.
[[nodiscard]] SparseMatrix block(const SparseMatrix& jacobian, std::span<const std::size_t> rows);

/// The smallest bounds of all partitions, for the frame h.
[[nodiscard]] Upper by_blocks(const model::Multirate& rates, const model::Description& model,
                              std::span<const Point> points, const BlockDemand& demand);

/// The modes with |lambda| within the band; the slowest where none is. `lambda` begins with the
/// fastest.
[[nodiscard]] std::vector<Complex> modes_within(std::span<const Complex> lambda, double band);

}  // namespace hild::advise
