// SPDX-License-Identifier: Apache-2.0
/// \file
/// Weights that integrate the polynomial through given nodes: how an Adams formula follows from
/// the times of its derivatives, whatever their spacing. The same code proves the printed weights
/// with fractions while compiling and renews them with doubles after a doubled step.
#pragma once

#include <array>
#include <cstddef>

namespace hild::numerics {

inline constexpr std::size_t max_nodes = 8;  ///< of one formula

/// weights[i] = integral from 0 to theta of the Lagrange polynomial of node i. The nodes differ
/// from each other; only the first `count` are used, the other weights are zero. Real-time
/// safe: about count^3 operations.
template <class Scalar>
constexpr std::array<Scalar, max_nodes> interpolatory_weights(
    const std::array<Scalar, max_nodes>& nodes, std::size_t count, Scalar theta) noexcept {
  std::array<Scalar, max_nodes> weights{};
  for (std::size_t i = 0; i < count; ++i) {
    // product of (tau - node_j) over j != i, by rising powers of tau
    std::array<Scalar, max_nodes + 1> power{};
    power[0] = Scalar(1);
    Scalar scale(1);
    std::size_t degree = 0;
    for (std::size_t j = 0; j < count; ++j) {
      if (j == i) continue;
      scale = scale * (nodes[i] - nodes[j]);
      ++degree;
      for (std::size_t k = degree; k > 0; --k) power[k] = power[k - 1] - nodes[j] * power[k];
      power[0] = -(nodes[j] * power[0]);
    }
    Scalar sum(0);
    for (std::size_t k = degree + 1; k > 0; --k) {
      sum = sum * theta + power[k - 1] / Scalar(static_cast<int>(k));
    }
    weights[i] = sum * theta / scale;
  }
  return weights;
}

}  // namespace hild::numerics
