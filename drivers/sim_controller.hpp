// SPDX-License-Identifier: Apache-2.0
/// \file
/// The simulated controller under test. It sees the plant only through the converters: it reads a
/// D/A channel and commands an A/D channel, at a rate of its own.
///   controller: {type: pi, measure: 0, command: 0, setpoint: {constant: 2 V}, rate: 500 Hz,
///                phase: 0 s, kp: 1 V/V, ki: 10 V/V/s, limits: -10 V..10 V}
/// The setpoint is a constant, a step, a sine or a recording (see sim_source.hpp).
#pragma once

#include <memory>

#include "drivers/sim_source.hpp"
#include "hild/core/grid.hpp"

namespace hild::sim {

/// A PI controller: u = kp e + I, I being the sum of ki e dt up to and including now. While the
/// limits cut u, I does not add errors that drive it further out (anti-windup).
class Pi {
 public:
  Pi(double kp, double ki, io::Interval limits) noexcept : kp_(kp), ki_(ki), limits_(limits) {}
  [[nodiscard]] double step(double error, double dt) noexcept;

 private:
  double kp_;
  double ki_;
  io::Interval limits_;
  double integral_ = 0;
};

/// The grid of a rate in Hz, from 1e-3 to 1e6; whole rates exactly.
[[nodiscard]] Grid grid_of_rate(double hertz) noexcept;

class Controller {
 public:
  explicit Controller(io::Options& options);

  [[nodiscard]] int measure() const noexcept { return measure_; }  ///< D/A channel
  [[nodiscard]] int command() const noexcept { return command_; }  ///< A/D channel
  [[nodiscard]] const Grid& grid() const noexcept { return grid_; }
  /// When tick k (k >= 0) is due, counted from the start of the device.
  [[nodiscard]] Duration due(std::int64_t k) const noexcept { return phase_ + grid_.tick(k); }
  [[nodiscard]] Duration phase() const noexcept { return phase_; }

  /// One sample of its loop: returns the command for a measured voltage. Real-time safe.
  [[nodiscard]] double tick(Duration elapsed, double measured) noexcept;

 private:
  int measure_;
  int command_;
  double rate_;
  Grid grid_;
  Duration phase_;
  SourcePtr setpoint_;
  Pi pi_;
};

}  // namespace hild::sim
