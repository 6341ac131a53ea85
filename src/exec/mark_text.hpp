// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a person calls a mark. It is kept beside the change, for the loop has no use for it.
#pragma once

#include <string_view>

#include "core/control_characters.hpp"
#include "hild/core/result.hpp"

namespace hild::exec {

inline constexpr std::size_t longest_mark_text = 80;  ///< in bytes

/// Error: it is too long, or not one line; what was found, and what is expected. For whoever reads
/// what people write: not real-time safe.
[[nodiscard]] inline Result<void> check_mark_text(std::string_view text) {
  if (text.size() > longest_mark_text) {
    return fail("found {} bytes, expected {} at most", text.size(), longest_mark_text);
  }
  const std::size_t control = find_control(text);
  if (control == text.npos) return {};
  return fail("found a control character at byte {}, expected one line of text", control + 1);
}

}  // namespace hild::exec
