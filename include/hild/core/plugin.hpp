// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a shared object says of itself before anything of it is used: a C function that points to
/// one of these. hild loads it only where all of it is as hild has it, since what it holds are C++
/// objects that cross over: models (hild/model/plugin.hpp), drivers (hild/io/plugin.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace hild {

/// Sizes of what crosses over: they differ where headers were changed without raising the number of
/// the interface.
using PluginLayout = std::array<std::uint32_t, 8>;

/// The standard library, whose types cross over too. Zero-terminated.
#if defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
inline constexpr const char* plugin_library = "libstdc++ (C++11 ABI)";
#elif defined(__GLIBCXX__)
inline constexpr const char* plugin_library = "libstdc++ (old ABI)";
#else
inline constexpr const char* plugin_library = "libc++";
#endif

/// Static data of the plug-in, which stays loaded. `Item` is what it registers.
template <class Item>
struct PluginOf {
  std::uint32_t abi;         ///< number of the interface; first, in every version
  std::uint32_t size;        ///< of this struct, in bytes
  const char* library;       ///< plugin_library
  PluginLayout layout;       ///< of the headers it was compiled with
  const Item* const* items;  ///< what it holds; hild takes plug-ins of exactly one
  std::size_t count;         ///< how many
};

}  // namespace hild
