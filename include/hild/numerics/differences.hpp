// SPDX-License-Identifier: Apache-2.0
/// \file
/// A Jacobian by forward differences: for models that give none. Columns that share no row are
/// moved together, so that it costs n + 1 evaluations of the derivatives, lower + upper + 2 of a
/// band, and one more than there are colours of a pattern (Curtis, Powell and Reid 1974); the one
/// at x itself is needed anyway. The relative error
/// is about 1e-8 of the larger elements. Fixed work; real-time safe.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>

#include "hild/numerics/jacobian.hpp"

namespace hild::numerics {

/// What state j is to be moved by: half of the digits of its size, or of `nominal` where it is
/// smaller. Rounding moves it by a little else: divide by the difference of the two states.
inline double moved_by(double x, double nominal) noexcept {
  return 0x1p-26 * std::max(std::abs(x), nominal);
}

/// A state smaller than this part of its usual size is moved as if it were as large.
inline constexpr double least_moved = 1e-3;

/// `derivatives(x, dx)`; f = derivatives at x; `nominal` has the usual sizes of the states, above
/// 0; `moved` and `there` are scratch of n elements.
template <class Derivatives>
void differences(Derivatives&& derivatives, std::span<const double> x, std::span<const double> f,
                 std::span<const double> nominal, std::span<double> moved, std::span<double> there,
                 Jacobian j) noexcept {
  const std::size_t n = x.size();
  const Structure& s = j.structure();
  const std::size_t colours = s.colours(n);
  std::copy(x.begin(), x.end(), moved.begin());
  for (std::size_t colour = 0; colour < colours; ++colour) {
    s.each_of_colour(colour, n, [&](std::size_t k) {
      moved[k] = x[k] + moved_by(x[k], least_moved * nominal[k]);
    });
    derivatives(moved, there);
    s.each_of_colour(colour, n, [&](std::size_t k) {
      const double by = moved[k] - x[k];
      moved[k] = x[k];
      double* to = j.column(k).data();
      s.each_row(k, n, [&](std::size_t i) { *to++ = (there[i] - f[i]) / by; });
    });
  }
}

}  // namespace hild::numerics
