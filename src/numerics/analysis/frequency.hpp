// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gain and phase errors for a sinusoidal input: x' = lambda x + u, u = e^(j omega t), sampled at
/// the nodes of the passes. Frequencies are omega h, eigenvalues lambda h. Not real-time.
#pragma once

#include <optional>

#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::analysis {

struct FrequencyError {
  double gain = 0;   ///< |H*| / |H| - 1
  double phase = 0;  ///< arg H* - arg H, rad
};

/// The errors of the digital transfer function H*(e^(j omega h)), exactly; H = 1 / (j omega -
/// lambda). Nothing for a method that does not consist of explicit passes.
[[nodiscard]] std::optional<FrequencyError> frequency_error(const numerics::Method& method,
                                                            double omega_h, Complex lambda_h);

/// Whether Howe's eq. 16 holds: every derivative of the last formula comes from an estimate of the
/// order of the method. Runge-Kutta methods have estimates of lower orders.
[[nodiscard]] bool asymptotic_holds(const numerics::Method& method);

/// Howe eq. 16: H*/H - 1 = -e_I j omega / (j omega - lambda) (j omega h)^k, for small omega h.
[[nodiscard]] FrequencyError asymptotic_error(double error_coefficient, int order, double omega_h,
                                              Complex lambda_h);

}  // namespace hild::analysis
