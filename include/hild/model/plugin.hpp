// SPDX-License-Identifier: Apache-2.0
/// \file
/// A shared object with a model: its C function hild_model_plugin(), which
/// share/hild/plugin_entry.cpp defines in every such plug-in.
#pragma once

#include "hild/core/plugin.hpp"
#include "hild/model/registry.hpp"

namespace hild::model {

/// Raised by every change of what plug-ins are compiled against: System, Stepper, Registration,
/// Description, Method and what they hold.
inline constexpr std::uint32_t plugin_abi = 10;

/// Those of the headers that are being compiled.
inline constexpr PluginLayout plugin_layout{
    sizeof(Registration),     sizeof(Description), sizeof(State),
    sizeof(Parameter),        sizeof(Event),       sizeof(Multirate),
    sizeof(numerics::Method), sizeof(Algebraic)};

/// What hild_model_plugin() points to.
using Plugin = PluginOf<Registration>;

/// The symbol that is looked up in a plug-in, of type PluginEntry and with C linkage.
inline constexpr const char* plugin_entry = "hild_model_plugin";
/// The function of that name, called after loading; it never returns null.
using PluginEntry = const Plugin* (*)();

}  // namespace hild::model
