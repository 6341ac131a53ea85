// SPDX-License-Identifier: Apache-2.0
/// \file
/// Follows the model offline, to find its modes and the bands of its signals on the way. Not
/// real-time.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/plan/assembly.hpp"
#include "offline/advise/modes.hpp"

namespace hild::advise {

struct Point {
  double t = 0;                     ///< s
  SparseMatrix jacobian{};          ///< d dx_i / d x_k at (i, k)
  std::vector<double> of_inputs{};  ///< d dx_i / d u_k, at [i * inputs + k]
  Spectrum modes{};
};

struct Trajectory {
  Duration duration{};        ///< as long as states were finite
  std::string_view method{};  ///< the method that integrated most of it
  double shortest_step = 0;   ///< s
  std::vector<Point> points{};
  /// The inputs of the model and of interlocks, each at 0, between, 2 between ...
  std::vector<std::vector<double>> inputs{};
  Duration between{1};
  std::optional<double> input_hz{};  ///< the band of the inputs; nothing when they are constant
  std::optional<double> state_hz{};  ///< of the states
  std::vector<std::string> notes{};  ///< what the user should know about how it was computed
};

/// Follows the configured model from its initial states, with the inputs of simulated devices on a
/// virtual clock; those of hardware keep their start values, and no hardware is touched. RK-4 with
/// |lambda| h <= 2/3, or linearly implicit Radau IIA where that would take millions of steps, or
/// fewer of many states; where that too would take long, it is looked at where it starts. The
/// assembly is used up: its devices have been opened. Error: a device, or states that are not
/// finite from the beginning. `effort` is the share of the usual number of steps at most.
[[nodiscard]] Result<Trajectory> follow(plan::Assembly& assembly, Duration duration,
                                        double effort = 1);

/// Whether all values are finite.
[[nodiscard]] bool finite(std::span<const double> x);

/// The duration followed unless the user gives one: 1 s or 1000 frames, whichever is longer.
[[nodiscard]] Duration usual_duration(Duration frame);

/// The frequency in Hz below which 99 % of the power of the samples lies, without their mean
/// (Hann's window; `rate_hz` samples a second). Nothing for a constant (changes below a thousandth
/// of its size), for a signal as broad as noise, and for fewer than 16 samples.
[[nodiscard]] std::optional<double> band_of(std::span<const double> samples, double rate_hz);

}  // namespace hild::advise
