// SPDX-License-Identifier: Apache-2.0
/// \file
/// Locates where within a step an event function crosses zero: by one interpolation, never by an
/// iteration on the model (Cellier, Discontinuous Systems III). Real-time safe, fixed work.
#pragma once

#include <span>

namespace hild::exec {

/// The root between g(0) = g0 and g(1) = g1 by one step of regula falsi, for methods of first
/// order. In [0, 1].
[[nodiscard]] double regula_falsi(double g0, double g1) noexcept;

/// The first root in [0, 1] of the cubic through the values at 0, 1/3, 2/3 and 1. Precondition: g0
/// and g1 differ in sign (0 counts as having crossed at 1).
[[nodiscard]] double cubic_root(double g0, double g_third, double g_two_thirds, double g1) noexcept;

/// The state `x` at t_n + theta h by the cubic Hermite polynomial through states and derivatives at
/// the two ends of a step of `h` seconds. All spans have the number of states.
void hermite(double theta, double h, std::span<const double> x0, std::span<const double> f0,
             std::span<const double> x1, std::span<const double> f1, std::span<double> x) noexcept;

}  // namespace hild::exec
