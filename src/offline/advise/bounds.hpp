// SPDX-License-Identifier: Apache-2.0
/// \file
/// The largest step at which a method is stable (Cellier, The Race Against Time II: the upper
/// bound), and the largest at which modes that grow do not grow too fast; and the error of a method
/// at a given step, as fractions, from its tableau:
///
///   a mode      |e_I| |lambda h|^k   of the characteristic root (Howe eq. 15),
///   the input   |e_I| (omega h)^k    of the transfer function at most (Howe eq. 16),
///   sampling    what holding or carrying on a sampled input to the nodes adds: with c_i the nodes,
///               r_i the releases and b_i the weights of the last formula, to first order a delay
///               of h sum b_i (c_i - r_i) when held, so omega h sum b_i (c_i - r_i); a polynomial
///               of degree d through images h/s apart leaves
///               (omega h)^(d+1) / (d+1)! sum b_i prod_j (c_i - r_i + j/s), j = 0 ... d.
///
/// k is the order for linear models; that of linearly implicit Radau IIA is one higher. These are
/// the leading terms for small h; errors of the stages themselves and of state events are not
/// counted. Not real-time.
#pragma once

#include <limits>
#include <span>

#include "exec/settings.hpp"
#include "hild/numerics/method.hpp"
#include "numerics/analysis/error_coefficient.hpp"
#include "numerics/analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Whether a mode grows by more than the accuracy hides.
[[nodiscard]] bool grows(Complex lambda, double accuracy);

/// The largest h in s such that no smaller one is unstable for any lambda (rad/s, none of them
/// zero) that does not grow: all roots of the method lie within the unit circle. For a mode whose
/// damping or growth is below the accuracy this would be meaningless: its roots may grow faster
/// than it by that fraction of |lambda|, |z| <= exp(max(0, Re lambda + accuracy |lambda|) h). Modes
/// that grow faster do not count: whether a method keeps up with them is a question of accuracy.
/// Infinite where nothing bounds it; 0 where no step is stable.
[[nodiscard]] double stability_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                     double accuracy);

/// The largest h in s up to which modes that grow do so too fast by no more than the accuracy: |z|
/// <= exp((Re lambda + accuracy |lambda|) h). Infinite or 0 as above.
[[nodiscard]] double growth_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                  double accuracy);

/// The error of the growth of modes with Re lambda > 0 at h, as the largest fraction of |lambda|; 0
/// where there are none.
[[nodiscard]] double growth_error(const analysis::Roots& roots, std::span<const Complex> lambda,
                                  double h);

/// What must be accurate, and to which fraction.
struct Demand {
  double accuracy = 1e-3;  ///< the largest fraction
  double mode = 0;         ///< |lambda| of the fastest mode that matters, 1/s; 0: none
  double input = 0;        ///< omega of the fastest part of the inputs, rad/s; 0: constant
};

/// c (omega h)^power
struct Term {
  double coefficient = 0;
  int power = 1;

  [[nodiscard]] double at(double omega_h) const noexcept;
  /// The largest h with at(omega h) <= accuracy; infinite without an error.
  [[nodiscard]] double bound(double omega, double accuracy) const noexcept;
};

struct ErrorTerms {
  Term root{};    ///< of modes and inputs
  Term lag{};     ///< of inputs that are taken too early, by sampling or by the method
  Term beyond{};  ///< of inputs that are extrapolated

  /// The largest of the errors at h.
  [[nodiscard]] double at(double h, const Demand& demand) const noexcept;
};

/// The error terms of a method with its characteristic polynomial; `degree` is
/// exec::Settings::extrapolation.
[[nodiscard]] ErrorTerms error_terms(const numerics::Method& method,
                                     const analysis::Characteristic& characteristic,
                                     exec::Sampling sampling, int degree);

}  // namespace hild::advise
