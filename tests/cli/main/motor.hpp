// SPDX-License-Identifier: Apache-2.0
/// \file
/// The configuration most of these tests start from: a motor at a constant voltage, two simulated
/// devices, outputs whose safe values no run produces by itself. A slow frame, so that it runs on
/// any machine under any load.
#pragma once

#include <gmock/gmock.h>

#include <string>

#include "cli/main/program.hpp"

namespace hild::test {

/// V, at the converter.
inline constexpr double safe_speed = 3;
inline constexpr double safe_current = -2;

struct Motor {
  Folder folder;
  std::string rig = folder.image("rig");      ///< armature voltage in, shaft speed out
  std::string meter = folder.image("meter");  ///< current out
  std::string file = folder.file("motor.yaml", text());

  [[nodiscard]] std::string text() const {
    return "frame: {period: 10 ms, clock: sleep, priority: 80}\n"
           "model: {type: dc-motor}\n"
           "integrator: {method: rtam-2, sampling: stage}\n"
           "devices:\n"
           "  rig: {driver: sim, image: " +
           rig +
           "}\n"
           "  meter: {driver: sim, image: " +
           meter +
           "}\n"
           "inputs:\n"
           "  armature_voltage: {device: rig, channel: 0, scale: 1 V/V, source: {constant: 5 V}}\n"
           "outputs:\n"
           "  shaft_speed: {device: rig, channel: 0, scale: 20 rad/s/V, safe: 3 V}\n"
           "  current: {device: meter, channel: 1, scale: 2 A/V, safe: -2 V}\n"
           "overrun: {policy: double, then: continue, standstill: 10 s}\n"
           // A machine that stalls is no run that hangs.
           "safety: {within: 10 s}\n";
  }

  /// What the outputs hold now: speed, current.
  [[nodiscard]] std::vector<double> held() const {
    const auto speed = voltages(rig);
    const auto current = voltages(meter);
    if (!speed || !current) return {};
    return {(*speed)[0], (*current)[1]};
  }
};

/// 16 bits over 20 V.
inline constexpr double one_step = 20.0 / 65535;

/// What held() is of a motor whose outputs have their safe values.
inline const auto are_safe = ::testing::ElementsAre(::testing::DoubleNear(safe_speed, one_step),
                                                    ::testing::DoubleNear(safe_current, one_step));

}  // namespace hild::test
