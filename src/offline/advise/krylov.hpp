// SPDX-License-Identifier: Apache-2.0
/// \file
/// The modes at the edges of the spectrum of a large Jacobian, by Arnoldi's method with implicit
/// restarts (Sorensen 1992), which multiplies by the matrix and solves with it, but transforms
/// none.
#pragma once

#include "offline/advise/modes.hpp"

namespace hild::advise {

/// Up to `modes_of_an_edge` at each edge: of the largest size, of the largest and of the smallest
/// real part, of the largest imaginary part, and of the smallest size. No shares. What does not
/// converge is left out; nothing does where the matrix is not finite.
[[nodiscard]] Spectrum edges_of_spectrum(const SparseMatrix& jacobian);

/// How many are looked for at each edge.
inline constexpr int modes_of_an_edge = 12;

}  // namespace hild::advise
