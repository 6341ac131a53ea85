// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where within a step an event function crosses zero: one interpolation, never an iteration on
/// the model (Cellier, Discontinuous Systems III). Real-time safe, fixed work.
#pragma once

#include <span>

namespace hild::exec {

/// Regula falsi between g(0) = g0 and g(1) = g1, for first-order methods. In [0, 1].
[[nodiscard]] double regula_falsi(double g0, double g1) noexcept;

/// First root in [0, 1] of the cubic through the values at 0, 1/3, 2/3 and 1.
/// Precondition: g0 and g1 differ in sign (0 counts as having crossed at 1).
[[nodiscard]] double cubic_root(double g0, double g_third, double g_two_thirds, double g1) noexcept;

/// The state at t_n + theta h by the cubic Hermite polynomial of a step's ends, of which `h` is
/// the length in seconds. All spans have the number of states.
void hermite(double theta, double h, std::span<const double> x0, std::span<const double> f0,
             std::span<const double> x1, std::span<const double> f1, std::span<double> x) noexcept;

}  // namespace hild::exec
