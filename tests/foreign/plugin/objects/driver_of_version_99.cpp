// SPDX-License-Identifier: Apache-2.0
/// Says that it was built for an interface that never was.
#include "hild/io/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::io::DriverPlugin* hild_driver_plugin() {
  static constexpr hild::io::DriverPlugin plugin{
      99, sizeof(hild::io::DriverPlugin), "", {}, nullptr, 0};
  return &plugin;
}
