// SPDX-License-Identifier: Apache-2.0
/// \file
/// Derivatives that no caller can look into: compiled apart, called through a pointer, of a size
/// known when running.
#pragma once

#include <cstddef>

namespace hild::bench {

using Derivative = void (*)(double t, const double* x, double u, double* dx, std::size_t n);

/// Cellier's circuit with load, thirteen states; and Van der Pol's oscillator, two.
void circuit(double t, const double* x, double u, double* dx, std::size_t n);
void van_der_pol(double t, const double* x, double u, double* dx, std::size_t n);

}  // namespace hild::bench
