// SPDX-License-Identifier: Apache-2.0
/// \file
/// The eigenvalues of a Jacobian, and which states take part in each mode. Not real-time.
#pragma once

#include <span>
#include <vector>

#include "hild/model/system.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;

struct Spectrum {
  /// The eigenvalues in rad/s, the fastest first. Rounding errors around zero are removed.
  std::vector<Complex> lambda{};
  /// share[i][k]: the participation of state k in mode i, |v_ki w_ik| of the right and the left
  /// eigenvector; 1 in sum over the states.
  std::vector<std::vector<double>> share{};
};

/// The spectrum of an n by n matrix, J(i, k) at jacobian[i * n + k]. Precondition: all finite.
[[nodiscard]] Spectrum spectrum(std::span<const double> jacobian, std::size_t n);

/// The Jacobian of a plant; by central differences where it has none.
[[nodiscard]] std::vector<double> jacobian_of(model::System& system, double t,
                                              std::span<const double> x, std::span<const double> u);

}  // namespace hild::advise
