// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the driver reads of the configuration. What is wrong is told by Options::reject().
#pragma once

#include "drivers/udp_device.hpp"

namespace hild::udp {

/// `devices: {robot: {driver: udp, ...}}`
[[nodiscard]] Settings read_settings(io::Options& options);

/// Of a channel.
struct ChannelKeys {
  Field field{};
  io::Interval range{};  ///< of its values
  bool held = false;
  double start = 0;
  Name unit{"1"};
};
/// `{at: 8, type: f32, unit: rad/s}`; `big`: the byte order where nothing else is said.
[[nodiscard]] ChannelKeys read_channel(io::Direction direction, io::Options& entry, bool big);
[[nodiscard]] io::Channel describe(const ChannelKeys& keys);

}  // namespace hild::udp
