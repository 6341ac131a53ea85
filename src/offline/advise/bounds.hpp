// SPDX-License-Identifier: Apache-2.0
/// \file
/// The largest step at which a method is stable (Cellier, The Race Against Time II: the upper
/// bound), and the largest at which modes that grow do not grow too fast. Not real-time.
#pragma once

#include <span>

#include "offline/advise/accuracy.hpp"

namespace hild::advise {

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

}  // namespace hild::advise
