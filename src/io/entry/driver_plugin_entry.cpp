// SPDX-License-Identifier: Apache-2.0
/// Compiled into every plug-in with a driver, by its own compiler: what it says of itself, and its
/// driver, which registers itself as a built-in one does.
#include "hild/io/plugin.hpp"

extern "C" [[gnu::visibility("default")]] const hild::io::DriverPlugin* hild_driver_plugin() {
  namespace io = hild::io;
  static const io::DriverPlugin plugin{io::driver_plugin_abi, sizeof(io::DriverPlugin),
                                       hild::plugin_library,  io::driver_plugin_layout,
                                       io::drivers().data(),  io::drivers().size()};
  return &plugin;
}
