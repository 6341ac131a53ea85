// SPDX-License-Identifier: Apache-2.0
/// \file
/// A shared object with a driver: its C function hild_driver_plugin(), which
/// share/hild/driver_plugin_entry.cpp defines in every such plug-in.
#pragma once

#include "hild/core/plugin.hpp"
#include "hild/io/device.hpp"

namespace hild::io {

/// Raised by every change of what driver plug-ins are compiled against: Device, Driver, Channel,
/// Options, rt::Clock and what they hold, virtual functions and their order included.
inline constexpr std::uint32_t driver_plugin_abi = 6;

/// Those of the headers that are being compiled.
inline constexpr PluginLayout driver_plugin_layout{
    sizeof(Driver),   sizeof(Device), sizeof(Channel), sizeof(Result<Channel>),
    sizeof(Interval), sizeof(Signal), sizeof(Error),   sizeof(rt::VirtualClock)};

/// What hild_driver_plugin() points to.
using DriverPlugin = PluginOf<Driver>;

/// The symbol that is looked up in a plug-in, of type DriverPluginEntry and with C linkage.
inline constexpr const char* driver_plugin_entry = "hild_driver_plugin";
/// The function of that name, called after loading; it never returns null.
using DriverPluginEntry = const DriverPlugin* (*)();

}  // namespace hild::io
