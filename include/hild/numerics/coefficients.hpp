// SPDX-License-Identifier: Apache-2.0
/// \file
/// A method's weights as doubles: those of the uniform grid, and those of the grid a step really
/// has when a step before was doubled or cut short.
#pragma once

#include <span>

#include "hild/numerics/method.hpp"
#include "hild/numerics/quadrature.hpp"

namespace hild::numerics {

/// The weights of a tableau (method.hpp) as doubles, with its indices.
struct Coefficients {
  /// Where pass i lies, in steps after t_n.
  std::array<double, max_passes> node{};
  /// pass[i][j]: the weight of F_j in formula i.
  std::array<std::array<double, max_passes>, max_passes + 1> pass{};
  /// history[i][k]: the weight of F_{n-1-k} in formula i.
  std::array<std::array<double, max_history>, max_passes + 1> history{};
};

/// The doubles nearest to the weights as they are printed: those of steps of one length. Real-time
/// safe.
constexpr Coefficients uniform_coefficients(const Method& m) noexcept {
  Coefficients c;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(m.passes); ++i) {
    if (i < max_passes) c.node[i] = m.formulas[i].at.value();
    for (std::size_t j = 0; j < max_passes; ++j) c.pass[i][j] = m.formulas[i].pass[j].value();
    for (std::size_t k = 0; k < max_history; ++k) {
      c.history[i][k] = m.formulas[i].history[k].value();
    }
  }
  return c;
}

/// Renews the weights of every formula with history, for derivatives that lie `age[k]` steps
/// before t_n (age[0] of F_{n-1}, all > 0 and rising). `c` starts as the uniform coefficients.
/// Real-time safe: bounded by passes * nodes^3 operations.
constexpr void renew(const Method& m, std::span<const double> age, Coefficients& c) noexcept {
  for (std::size_t i = 1; i <= static_cast<std::size_t>(m.passes); ++i) {
    const Formula& f = m.formulas[i];
    if (f.history == std::array<Rational, max_history>{}) continue;
    std::array<double, max_nodes> node{};
    std::array<double*, max_nodes> weight{};
    std::size_t count = 0;
    for (std::size_t j = 0; j < i; ++j) {
      if (f.pass[j] == Rational(0)) continue;
      node[count] = c.node[j];
      weight[count++] = &c.pass[i][j];
    }
    for (std::size_t k = 0; k < age.size(); ++k) {
      if (f.history[k] == Rational(0)) continue;
      node[count] = -age[k];
      weight[count++] = &c.history[i][k];
    }
    const auto renewed = interpolatory_weights(node, count, f.at.value());
    for (std::size_t k = 0; k < count; ++k) *weight[k] = renewed[k];
  }
}

/// Weights of the passes: those of a result besides the new state.
using PassWeights = std::array<double, max_passes>;

/// What tells the new state from the embedded one: c_i - chat_i (Huang eq. 2 and 9).
constexpr PassWeights error_weights(const Method& m) noexcept {
  PassWeights w{};
  const Formula& last = m.formulas[static_cast<std::size_t>(m.passes)];
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    w[i] = last.pass[i].value() - m.embedded.pass[i].value();
  }
  return w;
}

/// theta c_i(theta) (Huang eq. 13): of the state at the part theta of the step.
constexpr PassWeights dense_weights(const Method& m, double theta) noexcept {
  PassWeights w{};
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.passes); ++i) {
    for (std::size_t k = dense_terms; k > 0; --k) {
      w[i] = (w[i] + m.dense.pass[i][k - 1].value()) * theta;
    }
  }
  return w;
}

}  // namespace hild::numerics
