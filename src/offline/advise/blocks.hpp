// SPDX-License-Identifier: Apache-2.0
/// \file
/// Computes upper bounds for multirate integration, partition by partition: from the modes of each
/// diagonal block of the Jacobians under the partition's method and step h / ratio. This is exact
/// for parts that are not coupled, and an estimate for weakly coupled ones, which is what Cellier
/// asks for (Mixed-mode Integration); what the interface between them adds is not counted. Not
/// real-time.
#pragma once

#include "offline/advise/trajectory.hpp"
#include "offline/advise/window.hpp"

namespace hild::advise {

/// What must be accurate, and how inputs are sampled.
struct BlockDemand {
  Demand demand;    ///< its `mode` is replaced by that of each block
  double band = 0;  ///< omega of interest, rad/s
  exec::Sampling sampling = exec::Sampling::frame;
  int degree = 1;
};

/// The block of the states `rows` of an n by n matrix.
[[nodiscard]] std::vector<double> block(std::span<const double> jacobian, std::size_t n,
                                        std::span<const std::size_t> rows);

/// The smallest bounds of all partitions, for the frame h.
[[nodiscard]] Upper by_blocks(const model::Multirate& rates, const model::Description& model,
                              std::span<const Point> points, const BlockDemand& demand);

/// The fastest |lambda| within the band; the slowest mode where none is. `lambda` begins with the
/// fastest. 0 without modes.
[[nodiscard]] double fastest_within(std::span<const Complex> lambda, double band);

}  // namespace hild::advise
