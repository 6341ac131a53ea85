// SPDX-License-Identifier: Apache-2.0
// The driver `udp`: numbers in packets from and to another program or machine. A system call for
// what is sent and one for what has arrived, a device call.
//   devices: {robot: {driver: udp, listen: 127.0.0.1:5000, send: 127.0.0.1:5001, from:
//   127.0.0.1:5001,
//                     interface: eth0, byte_order: little, packets: 16,
//                     receive: {length: 24, sequence: {at: 0, type: u32},
//                               time: {at: 4, type: f64, unit: s, clock: own}},
//                     transmit: {length: 16, sequence: {at: 0, type: u32}}}}
//   inputs:  {speed: {device: robot, at: 8, type: f32, unit: rad/s, factor: 1 rad/s, add: 0 rad/s,
//                     range: -9 rad/s..9 rad/s, byte_order: big, held: true, start: 0 rad/s}}
//   outputs: {torque: {device: robot, at: 8, type: f32, unit: N m}}
//   either:  {at: 8, type: bool} or {at: 8, bit: 3}
#include "drivers/udp_options.hpp"

namespace hild::udp {
namespace {

std::unique_ptr<io::Device> make_udp(std::string_view, io::Options& options) {
  return std::make_unique<UdpDevice>(read_settings(options));
}

HILD_DRIVER(udp, "packets from and to another program or machine", make_udp);

}  // namespace
}  // namespace hild::udp
