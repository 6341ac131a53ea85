// SPDX-License-Identifier: Apache-2.0
/// \file
/// The eigenvalues of a Jacobian, and which states take part in each mode; and the modes of a whole
/// trajectory: how fast, how slow, how stiff. Not real-time.
#pragma once

#include <Eigen/SparseCore>
#include <optional>
#include <span>
#include <vector>

#include "hild/model/system.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;

/// A matrix of states by states, of which only what is not zero is kept.
using SparseMatrix = Eigen::SparseMatrix<double>;

struct Spectrum {
  /// The eigenvalues in rad/s, the fastest first. Rounding errors around zero are removed.
  std::vector<Complex> lambda{};
  /// share[i][k]: the participation of state k in mode i, |v_ki w_ik| of the right and the left
  /// eigenvector; 1 in sum over the states. Empty where not all eigenvalues were found.
  std::vector<std::vector<double>> share{};
  /// Whether these are all eigenvalues, or those at the edges of the spectrum alone.
  bool whole = true;
};

/// The spectrum of an n by n matrix, J(i, k) at jacobian[i * n + k]. Precondition: all finite.
[[nodiscard]] Spectrum spectrum(std::span<const double> jacobian, std::size_t n);

/// The part of the largest eigenvalue up to which others may be rounding.
inline constexpr double rounded_part = 1e-13;
/// The part of its size by which a mode may differ from another, and still count as the same.
inline constexpr double alike = 1e-3;

/// States up to which all modes are found: the work grows with their cube.
inline constexpr std::size_t most_of_all_modes = 300;

/// The same of a sparse matrix. Of more than most_of_all_modes states only the modes at the edges
/// are found, by Arnoldi's method to a ten-thousandth: the fastest, those that grow most or are
/// damped least, those that oscillate fastest, and the slowest.
[[nodiscard]] Spectrum spectrum(const SparseMatrix& jacobian);

/// The Jacobian of a plant; by central differences where it has none.
[[nodiscard]] SparseMatrix jacobian_of(model::System& system, double t, std::span<const double> x,
                                       std::span<const double> u);

/// Whether all that is kept of it is finite.
[[nodiscard]] bool finite(const SparseMatrix& jacobian);

/// How its derivatives depend on its inputs, by central differences: states by inputs.
[[nodiscard]] std::vector<double> input_jacobian_of(model::System& system, double t,
                                                    std::span<const double> x,
                                                    std::span<const double> u);

/// The stiffness from which a model counts as stiff.
inline constexpr double stiff_from = 1000;

struct Modes {
  /// Modes that differ by more than a thousandth, of conjugates the upper one, without zeros; the
  /// fastest first. rad/s.
  std::vector<Complex> distinct{};
  double fastest = 0;  ///< the largest |lambda|, 1/s; 0: there are only integrators
  double slowest = 0;  ///< the smallest that is not zero
  /// Largest over smallest |Re lambda| of the damped modes; 1 with fewer than two.
  double stiffness = 1;
  std::optional<double> least_damping{};  ///< zeta = -Re lambda / |lambda|, of oscillating modes
  bool grows = false;                     ///< some mode has Re lambda > 0 somewhere

  [[nodiscard]] bool stiff() const noexcept { return stiffness >= stiff_from; }
};

/// Of modes in the same direction from 0 the first, which is the fastest where `lambda` begins with
/// the fastest: what holds of it up to a step holds of the others.
[[nodiscard]] std::vector<Complex> leading_of(std::span<const Complex> lambda);

[[nodiscard]] Modes modes_of(std::span<const Spectrum> points);

}  // namespace hild::advise
