// SPDX-License-Identifier: Apache-2.0
/// \file
/// How many members the classes of a file have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hild::rooms {

struct ClassMembers {
  std::string name;
  int line;
  int members;  ///< what it holds by names with a final `_`: plain data, as parts of it may be, has
                ///< no such names
};

/// Those of every class, nested ones apart, in `code` without comments and literals.
[[nodiscard]] std::vector<ClassMembers> members_of_classes(std::string_view code);

}  // namespace hild::rooms
