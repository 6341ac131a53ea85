// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a signal lies in the payload of a CAN frame and how its bits are a number, in the terms of
/// the DBC format. Real-time safe, but for bits_of() nothing of it is needed there.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace hild::can {

constexpr std::size_t most_bytes = 64;  ///< of the payload of a CAN FD frame
/// The size of a buffer with a payload in it: fields are loaded and stored by eight bytes, and the
/// longest ones touch a ninth, so that what is behind the payload must be there (and be no one
/// else's: it is written with what it was).
constexpr std::size_t buffer_bytes = most_bytes + 8;

/// How the bits of a signal go on from its start.
enum class ByteOrder : std::uint8_t {
  little_endian,  ///< Intel, `@1`: the start is the least significant bit
  big_endian,     ///< Motorola, `@0`: the start is the most significant bit
};

/// What the bits of a signal are.
enum class Number : std::uint8_t {
  integer,  ///< in two's complement where it is signed
  float32,  ///< IEEE 754, 32 bits
  float64,  ///< IEEE 754, 64 bits
};

/// A signal's place and number: physical value = raw value * factor + offset.
struct Layout {
  std::uint16_t start = 0;   ///< bit 8 * byte + bit, bit 7 being a byte's most significant
  std::uint16_t length = 1;  ///< bits, 1 ... 64
  ByteOrder order = ByteOrder::little_endian;
  Number number = Number::integer;
  bool is_signed = false;  ///< of an integer
  double factor = 1;       ///< finite and not 0
  double offset = 0;       ///< finite
};

/// How many bits lie before a big-endian signal's first one, those of a byte counted from its most
/// significant.
[[nodiscard]] constexpr unsigned bits_before(const Layout& layout) noexcept {
  return layout.start / 8U * 8 + (7 - layout.start % 8U);
}

/// How many bytes a payload must have for the signal to lie in it. Precondition: length > 0.
[[nodiscard]] constexpr std::size_t bytes_of(const Layout& layout) noexcept {
  const bool little = layout.order == ByteOrder::little_endian;
  const unsigned first = little ? unsigned{layout.start} : bits_before(layout);
  return (first + layout.length + 7U) / 8U;
}

/// The bits of a payload: bit 8 * byte + bit, bit 7 being a byte's most significant.
using Bits = std::bitset<most_bytes * 8>;

/// Those that a signal has. Precondition: it lies in a payload of most_bytes.
[[nodiscard]] inline Bits bits_of(const Layout& layout) noexcept {
  Bits bits;
  for (unsigned i = 0; i < layout.length; ++i) {
    if (layout.order == ByteOrder::little_endian) {
      bits[layout.start + i] = true;
    } else {
      const unsigned at = bits_before(layout) + i;
      bits[at / 8 * 8 + (7 - at % 8)] = true;
    }
  }
  return bits;
}

}  // namespace hild::can
