// SPDX-License-Identifier: Apache-2.0
/// \file
/// Identifiers of CAN frames, and what SAE J1939 (J1939-21) makes of those of 29 bits: priority (3
/// bits), extended data page, data page, PDU format (8), PDU specific (8), source address (8).
/// Real-time safe.
#pragma once

#include <cstdint>

namespace hild::can {

constexpr std::uint32_t last_standard_id = 0x7ff;       ///< of 11 bits
constexpr std::uint32_t last_extended_id = 0x1fffffff;  ///< of 29 bits

namespace pdu {
constexpr unsigned format(std::uint32_t id) noexcept { return id >> 16 & 0xffU; }
constexpr unsigned specific(std::uint32_t id) noexcept { return id >> 8 & 0xffU; }
}  // namespace pdu

/// Whether a frame goes to one address (PDU 1), which is then part of its identifier; else to all
/// (PDU 2).
[[nodiscard]] constexpr bool has_destination(std::uint32_t id) noexcept {
  return pdu::format(id) < 240;
}

/// The parameter group number, 18 bits: of PDU 1 its last 8 are 0.
[[nodiscard]] constexpr std::uint32_t pgn_of(std::uint32_t id) noexcept {
  const std::uint32_t pgn = id >> 8 & 0x3ffffU;
  return has_destination(id) ? pgn & ~0xffU : pgn;
}

/// 0 is the most urgent, 7 the least.
[[nodiscard]] constexpr unsigned priority_of(std::uint32_t id) noexcept { return id >> 26 & 7U; }
/// The address it comes from.
[[nodiscard]] constexpr unsigned source_of(std::uint32_t id) noexcept { return id & 0xffU; }
/// The address it goes to; 255, which is all, of PDU 2.
[[nodiscard]] constexpr unsigned destination_of(std::uint32_t id) noexcept {
  return has_destination(id) ? pdu::specific(id) : 0xffU;
}

/// Whether two identifiers are of one parameter group, whatever their priorities and addresses.
[[nodiscard]] constexpr bool same_group(std::uint32_t a, std::uint32_t b) noexcept {
  return pgn_of(a) == pgn_of(b);
}

}  // namespace hild::can
