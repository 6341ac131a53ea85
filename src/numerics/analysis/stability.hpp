// SPDX-License-Identifier: Apache-2.0
/// \file
/// The region of the plane of mu = lambda h in which a method is stable: no root outside the unit
/// circle (Howe, figures 1 to 4). Not real-time.
#pragma once

#include <optional>

#include "numerics/analysis/roots.hpp"

namespace hild::analysis {

/// A stretch of an axis, in |mu|.
struct Stretch {
  double from = 0;
  double to = 0;  ///< infinite: it does not end
};

/// The stable stretches of an axis, seen from 0: none, one, or several. One that begins at 0 or
/// ends beyond 0.1 counts; below, roots of high order leave the circle by less than rounding hides.
struct AxisStability {
  std::vector<Stretch> stretches{};

  /// The end of the stretch that begins at 0; nothing without one, or where it does not end.
  [[nodiscard]] std::optional<double> end() const;
  /// Whether the whole axis is stable.
  [[nodiscard]] bool unlimited() const;
};

struct StabilityLimits {
  AxisStability real;       ///< of the negative real axis
  AxisStability imaginary;  ///< of the positive imaginary axis
};

[[nodiscard]] StabilityLimits stability_limits(const Roots& roots);

using Curve = std::vector<Complex>;

/// The boundary of the stable region in the upper half plane, one curve for each piece, each point
/// within 1e-6. An unlimited region is shown within `window` of 0.
[[nodiscard]] std::vector<Curve> stability_boundary(const Roots& roots, double window = 12);

}  // namespace hild::analysis
