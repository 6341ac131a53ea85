// SPDX-License-Identifier: Apache-2.0
/// \file
/// Checksums as the AUTOSAR specification of the CRC library defines them; one look into a table
/// for each byte. Real-time safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace hild::can {

/// A checksum that takes the most significant bit first. Word: as wide as it is.
template <class Word, Word polynomial>
class Crc {
 public:
  /// Begins with a register; what a checksum ended with, before it was inverted, goes on with it.
  constexpr explicit Crc(Word start) noexcept : register_(start) {}

  /// Takes a byte.
  constexpr Crc& add(std::uint8_t byte) noexcept {
    constexpr int bits = std::numeric_limits<Word>::digits;
    const auto top = static_cast<std::uint8_t>(register_ >> (bits - 8));
    register_ = static_cast<Word>(shifted(register_) ^ table[top ^ byte]);
    return *this;
  }
  /// Takes bytes, the first one first.
  constexpr Crc& add(std::span<const std::uint8_t> bytes) noexcept {
    for (const std::uint8_t byte : bytes) add(byte);
    return *this;
  }
  /// The register.
  [[nodiscard]] constexpr Word value() const noexcept { return register_; }
  /// The register, each bit inverted: where the XOR value is all ones.
  [[nodiscard]] constexpr Word inverted() const noexcept { return static_cast<Word>(~register_); }

 private:
  static constexpr Word shifted(Word word) noexcept {
    if constexpr (sizeof(Word) == 1) return 0;
    return static_cast<Word>(word << 8);
  }
  static constexpr std::array<Word, 256> table = [] {
    std::array<Word, 256> made{};
    constexpr int bits = std::numeric_limits<Word>::digits;
    for (std::size_t byte = 0; byte < made.size(); ++byte) {
      auto word = static_cast<Word>(byte << (bits - 8));
      for (int i = 0; i < 8; ++i) {
        const bool carry = (word >> (bits - 1)) != 0;
        word = static_cast<Word>(static_cast<Word>(word << 1) ^ (carry ? polynomial : Word{0}));
      }
      made[byte] = word;
    }
    return made;
  }();

  Word register_;
};

using Crc8 = Crc<std::uint8_t, 0x1d>;      ///< SAE J1850
using Crc8H2F = Crc<std::uint8_t, 0x2f>;   ///< AUTOSAR
using Crc16 = Crc<std::uint16_t, 0x1021>;  ///< CCITT

/// SAE J1850: start 0xff, inverted at the end.
[[nodiscard]] constexpr std::uint8_t crc8_of(std::span<const std::uint8_t> bytes) noexcept {
  return Crc8(0xff).add(bytes).inverted();
}
/// Polynomial 0x2f: start 0xff, inverted at the end.
[[nodiscard]] constexpr std::uint8_t crc8h2f_of(std::span<const std::uint8_t> bytes) noexcept {
  return Crc8H2F(0xff).add(bytes).inverted();
}
/// CCITT ("false"): start 0xffff, as it is at the end.
[[nodiscard]] constexpr std::uint16_t crc16_of(std::span<const std::uint8_t> bytes) noexcept {
  return Crc16(0xffff).add(bytes).value();
}

}  // namespace hild::can
