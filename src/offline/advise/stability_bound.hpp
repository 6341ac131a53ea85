// SPDX-License-Identifier: Apache-2.0
/// \file
/// The largest step with which a method is stable (Cellier, The Race Against Time II: the upper
/// bound), and with which modes that grow do not do so too fast. Not real-time.
#pragma once

#include <limits>
#include <span>

#include "numerics/analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Whether a mode grows by more than what the accuracy hides.
[[nodiscard]] bool grows(Complex lambda, double accuracy);

/// The largest h in s such that no smaller one is unstable for any lambda (rad/s, none of them
/// zero) that does not grow: all roots of the method within the unit circle. A mode whose damping,
/// or growth, is below the accuracy would make that meaningless: its roots may grow faster than it
/// by that fraction of |lambda|, |z| <= exp(max(0, Re lambda + accuracy |lambda|) h). Modes that
/// grow faster do not count: whether a method keeps up with them is a question of accuracy.
/// Infinite where nothing bounds it; 0 where no step is stable.
[[nodiscard]] double stability_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                     double accuracy);

/// The largest h in s such that with no smaller one those modes grow too fast by more than the
/// accuracy: |z| <= exp((Re lambda + accuracy |lambda|) h). As above, infinite or 0.
[[nodiscard]] double growth_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                  double accuracy);

/// By how much the growth of modes with Re lambda > 0 is wrong at h, as the largest fraction of
/// |lambda|; 0 without any.
[[nodiscard]] double growth_error(const analysis::Roots& roots, std::span<const Complex> lambda,
                                  double h);

}  // namespace hild::advise
