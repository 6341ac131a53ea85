// SPDX-License-Identifier: Apache-2.0
#include "drivers/sim_controller.hpp"

#include <algorithm>
#include <cmath>

#include "drivers/sim_converter.hpp"

namespace hild::sim {
namespace {

int read_channel(io::Options& options, std::string_view key) {
  return static_cast<int>(options.integer(key, 0, highest_channel));
}

Pi read_pi(io::Options& options) {
  (void)options.choice("type", {"pi"});
  return {options.number("kp", "V/V"), options.number("ki", "V/V/s", 0.0),
          options.interval("limits", "V", io::Interval{-10, 10})};
}

}  // namespace

double Pi::step(double error, double dt) noexcept {
  const double integral = integral_ + ki_ * error * dt;
  const double wanted = kp_ * error + integral;
  const double command = std::clamp(wanted, limits_.low, limits_.high);
  const bool winding = (wanted > limits_.high && integral > integral_) ||
                       (wanted < limits_.low && integral < integral_);
  if (!winding) integral_ = integral;
  return command;
}

Grid grid_of_rate(double hertz) noexcept {
  if (hertz == std::floor(hertz)) return Grid::of_rate_hz(static_cast<std::int64_t>(hertz));
  return Grid::of_period(from_seconds(1 / hertz));
}

Controller::Controller(io::Options& options)
    : measure_(read_channel(options, "measure")),
      command_(read_channel(options, "command")),
      rate_(options.number("rate", "Hz", {}, {.low = 1e-3, .high = 1e6})),
      grid_(grid_of_rate(rate_)),
      phase_(options.duration("phase", Duration{0})),
      setpoint_(read_setpoint(options, "setpoint", "V")),
      pi_(read_pi(options)) {}

double Controller::tick(Duration elapsed, double measured) noexcept {
  const double setpoint = setpoint_->at({.elapsed = elapsed, .outputs = {}});
  return pi_.step(setpoint - measured, 1 / rate_);
}

}  // namespace hild::sim
