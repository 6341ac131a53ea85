// SPDX-License-Identifier: Apache-2.0
// The driver `dds`: other nodes over DDS, hild or not. At most one system call a device call, which
// wakes the gateway, a process of its own.
//   devices: {rig: {driver: dds, domain: 42, system: rig, node: plant, interface: lo,
//                   peers: "10.0.0.2, 10.0.0.3", priority: 70, gateway_loss: age,
//                   min_age: 0.5 ms, security: /etc/hild/dds/plant,
//                   members: "plant, engine"}}
//   inputs:  {torque: {device: rig, node: engine, signal: torque, unit: N m, held: false,
//                      start: 0 N m}}
//   outputs: {speed: {device: rig, signal: speed, unit: rad/s, range: -9 rad/s..9 rad/s}}
#include "drivers/dds_options.hpp"

namespace hild::dds {
namespace {

std::unique_ptr<io::Device> make_dds(std::string_view name, io::Options& options) {
  Settings settings = read_settings(name, options);
  Descriptor file;
  auto page = Page::make(file);
  if (!page) options.reject("driver", page.error().message);
  return std::make_unique<DdsDevice>(std::move(settings), std::move(*page), std::move(file));
}

HILD_DRIVER(dds, "other nodes over DDS, by a process of its own", make_dds);

}  // namespace
}  // namespace hild::dds
