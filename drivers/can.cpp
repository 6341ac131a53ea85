// SPDX-License-Identifier: Apache-2.0
// The driver `can`: signals in messages on a CAN bus, as a DBC file has them, by SocketCAN.
//   devices: {bus: {driver: can, interface: can0, dbc: plant.dbc, fd: false, frames: 64,
//                   receive: {Status: {protect: {profile: e2e-1, data_id: 291}}},
//                   transmit: {Command: {send: cyclic, cycle: 10 ms, offset: 2 ms, when_dead: safe,
//                                        protect: {profile: crc-8, crc_byte: 7, counter_bit:
//                                        48}}}}}
//   inputs:  {speed: {device: bus, signal: Status.Speed, unit: rpm, held: false, start: 0 rpm}}
//   outputs: {torque: {device: bus, signal: Command.Torque}, go: {device: bus, trigger: Start}}
#include "drivers/can_device.hpp"

namespace hild::can {
namespace {

std::unique_ptr<io::Device> make_can(std::string_view, io::Options& options) {
  return std::make_unique<CanDevice>(options);
}

HILD_DRIVER(can, "messages on a CAN bus, by a DBC file", make_can);

}  // namespace
}  // namespace hild::can
