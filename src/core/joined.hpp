// SPDX-License-Identifier: Apache-2.0
/// \file
/// Lists in texts.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <string_view>

namespace hild {

/// What `of` gives of each, with `separator` between two of them: "a, b, c".
template <class Range, class Of = std::identity>
[[nodiscard]] std::string joined(const Range& all, std::string_view separator, Of of = {}) {
  std::string text;
  std::string_view before;
  for (const auto& one : all) {
    text += fmt::format("{}{}", before, std::invoke(of, one));
    before = separator;
  }
  return text;
}

}  // namespace hild
