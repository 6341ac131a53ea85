// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a shared object with a model says of itself before anything of it is used: one C function,
/// hild_model_plugin(), which share/hild/plugin_entry.cpp defines in every plug-in. hild loads it
/// only where all of this is as hild has it, since plants are C++ objects that cross over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hild/model/registry.hpp"

namespace hild::model {

/// Raised by every change of what plug-ins are compiled against: System, Stepper, Registration,
/// Description, Method and what they hold.
inline constexpr std::uint32_t plugin_abi = 10;

/// Sizes of what crosses over: they differ where headers were changed without raising the number.
using Layout = std::array<std::uint32_t, 8>;
/// Those of the headers that are being compiled.
inline constexpr Layout plugin_layout{
    sizeof(Registration),     sizeof(Description), sizeof(State),
    sizeof(Parameter),        sizeof(Event),       sizeof(Multirate),
    sizeof(numerics::Method), sizeof(Algebraic)};

/// The standard library, whose types cross over too. Zero-terminated.
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* plugin_library = "libstdc++ (C++11 ABI)";
#elif defined(__GLIBCXX__)
inline constexpr const char* plugin_library = "libstdc++ (old ABI)";
#else
inline constexpr const char* plugin_library = "libc++";
#endif

/// What hild_model_plugin() points to: static data of the plug-in, which stays loaded.
struct Plugin {
  std::uint32_t abi;                  ///< plugin_abi; first, in every version
  std::uint32_t size;                 ///< of this struct, in bytes
  const char* library;                ///< plugin_library
  Layout layout;                      ///< plugin_layout
  const Registration* const* models;  ///< its models; hild takes plug-ins of exactly one
  std::size_t count;                  ///< how many models
};

/// The symbol that is looked up in a plug-in, of type PluginEntry and with C linkage.
inline constexpr const char* plugin_entry = "hild_model_plugin";
/// The function of that name, called after loading; it never returns null.
using PluginEntry = const Plugin* (*)();

}  // namespace hild::model
