// SPDX-License-Identifier: Apache-2.0
/// \file
/// The projects that `hild new-model` and `hild new-driver` write: the files of new_project/model
/// and new_project/driver, compiled in by .cmake/assets.cmake. The model is a first-order lag, the
/// driver some wires, as starting points for others. In their texts @name@ is the name that was
/// asked for, @file@ the same for files, @word@ with underscores for words of C, @Struct@ for types
/// of C++, @packages@ what it is built with, @page@ where the documentation tells of it.
#pragma once

#include <span>
#include <string_view>

namespace hild::commands {

struct Asset {
  std::string_view path;
  std::string_view content_type;
  std::string_view body;
};
[[nodiscard]] std::span<const Asset> assets();

}  // namespace hild::commands
