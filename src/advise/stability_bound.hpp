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
/// zero). A damped mode, Re lambda < 0, asks for all roots of the method within the unit circle. A
/// mode that does not decay would make that meaningless: its roots must not grow faster than the
/// mode itself by more than `accuracy` |lambda|, that is |z| <= exp((Re lambda + accuracy |lambda|)
/// h). Infinite where nothing bounds it; 0 where no step is stable.
[[nodiscard]] double stability_bound(const analysis::Roots& roots, std::span<const Complex> lambda,
                                     double accuracy);

}  // namespace hild::advise
