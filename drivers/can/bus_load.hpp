// SPDX-License-Identifier: Apache-2.0
/// \file
/// How long frames keep the bus. A frame ends with the three bits of the interframe space, since
/// nothing else can be sent in these. Bit counts are for ISO 11898-1:2015. Real-time safe.
#pragma once

#include <array>

namespace hild::can {

/// Bits per second.
struct BitRates {
  double nominal = 500e3;
  double data =
      2e6;  ///< of the data phase of CAN FD; that of a frame without a switch is `nominal`
};

/// Bits of a frame, by the rate they are sent at.
struct FrameBits {
  int nominal = 0;
  int data = 0;
};

/// A classic data frame of 0 ... 8 bytes without stuff bits. Standard: SOF 1, identifier 11, RTR 1,
/// IDE 1, r0 1, DLC 4, CRC 15, its delimiter 1, ACK 2, EOF 7, interframe space 3. An extended one
/// has SRR, 18 bits of identifier and r1 more.
[[nodiscard]] constexpr int bits_without_stuffing(bool extended, int bytes) noexcept {
  return (extended ? 67 : 47) + 8 * bytes;
}

/// The most bits it can have: of those from SOF to the CRC, 34 or 54 and the data, every fourth but
/// the first is followed by a stuff bit (Davis, Burns, Bril, Lukkien 2007, equation 1).
[[nodiscard]] constexpr int most_bits(bool extended, int bytes) noexcept {
  const int stuffed = (extended ? 54 : 34) + 8 * bytes;
  return bits_without_stuffing(extended, bytes) + (stuffed - 1) / 4;
}

/// The length of the CAN FD frame that takes so many bytes: longer than 8 they come in steps.
/// Precondition: 0 ... 64.
[[nodiscard]] constexpr int fd_length(int bytes) noexcept {
  constexpr std::array steps{12, 16, 20, 24, 32, 48, 64};
  if (bytes <= 8) return bytes;
  for (const int step : steps) {
    if (bytes <= step) return step;
  }
  return steps.back();
}

/// An upper bound of the bits of a CAN FD frame with bit rate switch of so many bytes (as
/// fd_length() gives them). At the nominal rate: from SOF to BRS, 17 bits or 36, and from ACK to
/// the interframe space 12. At the other one: ESI 1, DLC 4, the data, the stuff count 4, the CRC 17
/// or from 20 bytes on 21, the fixed stuff bits there 6 or 7, the CRC delimiter 1. From SOF to the
/// data a stuff bit follows on four bits at most, as in classic frames; as many of them as can be
/// are counted at the nominal rate, which is the slower one. The bits in which the rate changes are
/// counted at the rate before.
[[nodiscard]] constexpr FrameBits most_fd_bits(bool extended, int bytes) noexcept {
  const int head = extended ? 36 : 17;
  const int stuffed = head + 5 + 8 * bytes;
  const int slow_stuff = (head - 1) / 4;
  const int crc_field = bytes > 16 ? 4 + 21 + 7 : 4 + 17 + 6;
  return {.nominal = head + slow_stuff + 12,
          .data = 5 + 8 * bytes + (stuffed - 1) / 4 - slow_stuff + crc_field + 1};
}

/// Seconds on the bus.
[[nodiscard]] constexpr double seconds_of(FrameBits bits, BitRates rates) noexcept {
  return bits.nominal / rates.nominal + bits.data / rates.data;
}

/// The longest that a frame can take. One of CAN FD without a switch of the bit rate has both rates
/// the same.
///@{
[[nodiscard]] constexpr double longest_seconds(bool extended, int bytes, BitRates rates) noexcept {
  return seconds_of({.nominal = most_bits(extended, bytes)}, rates);
}
[[nodiscard]] constexpr double longest_fd_seconds(bool extended, int bytes,
                                                  BitRates rates) noexcept {
  return seconds_of(most_fd_bits(extended, bytes), rates);
}
///@}

}  // namespace hild::can
