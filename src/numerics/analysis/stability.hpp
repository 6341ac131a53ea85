// SPDX-License-Identifier: Apache-2.0
/// \file
/// The region of the plane of mu = lambda h in which a method is stable: no root outside the unit
/// circle (Howe, figures 1 to 4). Not real-time.
#pragma once

#include <optional>

#include "numerics/analysis/roots.hpp"

namespace hild::analysis {

struct StabilityLimits {
  /// The first point of the negative real axis, seen from 0, where stability ends; negative.
  std::optional<double> real;
  /// Likewise on the positive imaginary axis. Nothing where no interval of at least 0.1 is stable.
  std::optional<double> imaginary;
  bool real_unlimited = false;  ///< the whole negative real axis is stable
  bool imaginary_unlimited = false;
};

[[nodiscard]] StabilityLimits stability_limits(const Roots& roots);

using Curve = std::vector<Complex>;

/// The boundary of the stable region in the upper half plane, one curve for each piece, each point
/// within 1e-6. An unlimited region is shown within `window` of 0.
[[nodiscard]] std::vector<Curve> stability_boundary(const Roots& roots, double window = 12);

}  // namespace hild::analysis
