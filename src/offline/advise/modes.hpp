// SPDX-License-Identifier: Apache-2.0
/// \file
/// The modes of a whole trajectory: how fast, how slow, how stiff. Not real-time.
#pragma once

#include <optional>

#include "offline/advise/spectrum.hpp"

namespace hild::advise {

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

[[nodiscard]] Modes modes_of(std::span<const Spectrum> points);

}  // namespace hild::advise
