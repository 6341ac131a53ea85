// SPDX-License-Identifier: Apache-2.0
/// \file
/// The files of src/control/server/page as they were when the program was built.
#pragma once

#include <span>
#include <string_view>

namespace hild::server {

struct Asset {
  std::string_view path;  ///< "/app.js"; "/" for index.html
  std::string_view content_type;
  std::string_view body;
};

[[nodiscard]] std::span<const Asset> assets();

}  // namespace hild::server
