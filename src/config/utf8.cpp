// SPDX-License-Identifier: Apache-2.0
#include "config/utf8.hpp"

#include <cstdint>

namespace hild::config {
namespace {

struct Lead {
  std::size_t length;    ///< bytes of the character, 0: not a lead byte
  std::uint32_t lowest;  ///< code points below are written shorter
  std::uint32_t bits;    ///< those of the lead byte
};

constexpr Lead lead(unsigned char c) noexcept {
  if (c < 0x80) return {1, 0, c};
  if ((c & 0xE0U) == 0xC0) return {2, 0x80, c & 0x1FU};
  if ((c & 0xF0U) == 0xE0) return {3, 0x800, c & 0x0FU};
  if ((c & 0xF8U) == 0xF0) return {4, 0x10000, c & 0x07U};
  return {0, 0, 0};
}

constexpr bool printable(std::uint32_t code) noexcept {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return !surrogate && code != 0x7F && code <= 0x10FFFF;
}

}  // namespace

std::size_t first_bad_byte(std::string_view text) noexcept {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto [length, lowest, bits] = lead(static_cast<unsigned char>(text[at]));
    if (length == 0 || at + length > text.size()) return at;
    std::uint32_t code = bits;
    for (std::size_t i = 1; i < length; ++i) {
      const auto c = static_cast<unsigned char>(text[at + i]);
      if ((c & 0xC0U) != 0x80) return at;
      code = (code << 6U) | (c & 0x3FU);
    }
    if (code < lowest || !printable(code)) return at;
    at += length;
  }
  return at;
}

}  // namespace hild::config
