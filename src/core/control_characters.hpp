// SPDX-License-Identifier: Apache-2.0
/// \file
/// Characters that a terminal obeys instead of showing them, in texts of people and other programs.
#pragma once

#include <string>
#include <string_view>

namespace hild {

/// How many bytes at `i` of a UTF-8 text are such a character: U+0000 to U+001F and U+007F one,
/// U+0080 to U+009F two; 0: none begins there.
[[nodiscard]] constexpr std::size_t control_at(std::string_view text, std::size_t i) noexcept {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (byte(i) < 0x20U || byte(i) == 0x7FU) return 1;
  const bool two = byte(i) == 0xC2U && i + 1 < text.size() && byte(i + 1) >= 0x80U;
  return two && byte(i + 1) < 0xA0U ? 2 : 0;
}

/// Where the first one begins; npos: there is none.
[[nodiscard]] constexpr std::size_t find_control(std::string_view text) noexcept {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (control_at(text, i) != 0) return i;
  }
  return std::string_view::npos;
}

/// The text with `instead` for each byte of such characters, but those of `kept`.
[[nodiscard]] inline std::string without_controls(std::string_view text, char instead = ' ',
                                                  std::string_view kept = {}) {
  std::string plain(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t bytes = control_at(text, i);
    if (bytes == 0 || kept.find(text[i]) != kept.npos) continue;
    plain.replace(i, bytes, bytes, instead);
    i += bytes - 1;
  }
  return plain;
}

}  // namespace hild
