// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the driver dds reads of the configuration. What is wrong is told by Options::reject().
#pragma once

#include "drivers/dds_device.hpp"

namespace hild::dds {

/// `devices: {rig: {driver: dds, ...}}`
[[nodiscard]] Settings read_settings(std::string_view device, io::Options& options);

/// Of a channel that is received.
struct InputKeys {
  Name node{};
  SignalName signal{};
  bool held = false;
  double start = 0;
};
/// `{node: engine, signal: torque, unit: N m}`; `task`: what the device has already.
[[nodiscard]] InputKeys read_input(io::Options& entry, const GatewayTask& task);
[[nodiscard]] io::Channel describe(const InputKeys& keys, std::size_t group);

/// Of a channel that is sent.
struct OutputKeys {
  SignalName signal{};
  io::Interval range{};
};
/// `{signal: speed, unit: rad/s}`
[[nodiscard]] OutputKeys read_output(io::Options& entry, const GatewayTask& task);
[[nodiscard]] io::Channel describe(const OutputKeys& keys);

}  // namespace hild::dds
