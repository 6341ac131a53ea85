// SPDX-License-Identifier: Apache-2.0
/// \file
/// Gain and phase errors for a sinusoidal input: x' = lambda x + u, u = e^(j omega t), sampled at
/// the nodes of the passes. Frequencies are omega h, eigenvalues lambda h. Not real-time.
#pragma once

#include <optional>
#include <span>

#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::analysis {

struct FrequencyError {
  double gain = 0;   ///< |H*| / |H| - 1
  double phase = 0;  ///< arg H* - arg H, rad
};

/// H*(e^(j omega h)) / H(j omega), exactly: Howe's gain and phase error in one number, less 1. The
/// input of pass i is inputs[i] times that at the start of the step; without `inputs` it is the one
/// at the node, e^(j omega c_i h). The method is not of the multirate family, and omega is not 0.
[[nodiscard]] Complex response_ratio(const numerics::Method& method, double omega_h,
                                     Complex lambda_h, std::span<const Complex> inputs = {});

/// Gain and phase error of it; nothing for a method of the multirate family.
[[nodiscard]] std::optional<FrequencyError> frequency_error(const numerics::Method& method,
                                                            double omega_h, Complex lambda_h);

/// Whether Howe's eq. 16 holds: every derivative of the last formula comes from an estimate of the
/// order of the method. Runge-Kutta methods have estimates of lower orders.
[[nodiscard]] bool asymptotic_holds(const numerics::Method& method);

/// Howe eq. 16: H*/H - 1 = -e_I j omega / (j omega - lambda) (j omega h)^k, for small omega h.
[[nodiscard]] FrequencyError asymptotic_error(double error_coefficient, int order, double omega_h,
                                              Complex lambda_h);

}  // namespace hild::analysis
