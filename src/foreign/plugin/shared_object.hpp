// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shared objects with something that registers itself, as the two kinds of plug-ins are. Load time
/// only.
#pragma once

#include <filesystem>
#include <string_view>

#include "hild/core/plugin.hpp"
#include "hild/core/result.hpp"

namespace hild::plugin {

/// What tells one kind of plug-in from another.
struct Kind {
  std::string_view what;  ///< "model"
  const char* entry;      ///< the symbol that is looked up
  std::uint32_t abi;
  PluginLayout layout;
  std::string_view made_by;  ///< of CMake
  std::string_view macro;    ///< that registers one
};

/// Checks what can be checked of the file before its code runs: that nobody else could have written
/// it, and that it is a shared object for this machine. An absolute name.
[[nodiscard]] Result<void> check_file(const std::filesystem::path& file);

/// Loads what has passed check_file(), for good, and returns what its entry gives, which has the
/// version asked for. An absolute name.
[[nodiscard]] Result<const void*> open_file(const std::filesystem::path& file, const Kind& kind);

/// The one thing that a plug-in of this kind holds.
template <class Item>
Result<const Item*> open_one(const std::filesystem::path& file, const Kind& kind) {
  const auto said = open_file(file, kind);
  if (!said) return tl::make_unexpected(said.error());
  return static_cast<const PluginOf<Item>*>(*said)->items[0];
}

/// "plug-in FILE: what is wrong"
[[nodiscard]] tl::unexpected<Error> refusal(const std::filesystem::path& file, const Error& error);

}  // namespace hild::plugin
