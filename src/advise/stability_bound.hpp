// SPDX-License-Identifier: Apache-2.0
/// \file
/// The largest step with which a method is stable (Cellier, The Race Against Time II: the upper
/// bound). Not real-time.
#pragma once

#include <limits>
#include <span>

#include "analysis/roots.hpp"

namespace hild::advise {

using analysis::Complex;
inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// The largest h in s such that no smaller one is unstable for any lambda (rad/s, none of them
/// zero): the largest root of the method has |z| <= exp(max(0, Re lambda + accuracy |lambda|) h).
/// For a damped mode these are roots within the unit circle. A mode whose damping is below the
/// accuracy would make that meaningless, the more so one that grows: there the roots may grow
/// faster than the mode by that fraction of |lambda|, and no more. Infinite where nothing bounds
/// it; 0 where no step is stable.
[[nodiscard]] double stability_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                     double accuracy);

}  // namespace hild::advise
