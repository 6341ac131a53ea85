// SPDX-License-Identifier: Apache-2.0
/// \file
/// The project that `hild new-model` writes: the files of new_model/, compiled in by
/// .cmake/assets.cmake. It has a first-order lag, as a starting point for other models. In its
/// texts
/// @name@ is the model's name, @file@ the same for files, @Struct@ the same for C++, @packages@
/// what it is built with, @page@ where the documentation tells of models.
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
