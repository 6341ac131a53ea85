// SPDX-License-Identifier: Apache-2.0
/// \file
/// Alive counters and checksums in payloads: the end-to-end profiles 1, 2 and 5 of AUTOSAR, and
/// what is common besides. A sender protects a payload when all else is in it; a receiver checks it
/// before it takes anything out. Spans are of the payload alone, without spare bytes behind it.
/// Real-time safe: bounded by the length of the payload.
///
/// Counters are judged as the profiles' tables do, without their states that say whether a line as
/// a whole can be relied on: what follows on the last counter that came with a right checksum is
/// ok; each such counter is the one that the next is compared with, so that a jump is told once.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hild::can {

/// What a receiver finds.
enum class Verdict : std::uint8_t {
  ok,              ///< the next one, or the first that was received
  wrong_crc,       ///< damaged, or meant for another: the counter was not looked at
  wrong_sequence,  ///< more were lost than the profile lets pass, or it is older than the last one
  repeated,        ///< the same counter as in the last one
  lost,            ///< right, but some before it did not arrive
};

/// What a sender keeps of a message.
struct SendState {
  std::uint8_t counter = 0;  ///< of profile 2 the last one, else the next one
};

/// What a receiver keeps of a message.
struct ReceiveState {
  std::uint8_t counter = 0;  ///< the last one with a right checksum
  bool any = false;          ///< whether there was one
};

/// How far apart two counters may be that are `lost` and not `wrong_sequence`: AUTOSAR's
/// MaxDeltaCounter. 1 lets none pass.
using MostSteps = std::uint8_t;

/// Profile 1: CRC-8 SAE J1850 over the Data ID and the payload, a counter of 4 bits that goes from
/// 0 to 14. The register starts with 0 and is not inverted: the profile gives the CRC library 0xff
/// as the end of an earlier call, which the library inverts first, and inverts what it gets.
class Profile1 {
 public:
  /// What of the Data ID goes into the checksum.
  enum class IdMode : std::uint8_t {
    both,       ///< its low byte, then its high byte
    alternate,  ///< its low byte where the counter is even, its high byte where it is odd
    low,        ///< its low byte
    nibble,     ///< its low byte, then 0; the low nibble of its high byte is in the payload
  };
  /// Where what is; the variants 1A (both) and 1C (nibble) of the specification have the defaults.
  struct Settings {
    std::uint16_t data_id = 0;
    IdMode mode = IdMode::both;
    std::uint16_t crc_byte = 0;
    std::uint16_t counter_bit = 8;  ///< of its least significant bit; a multiple of 4
    std::uint16_t nibble_bit = 12;  ///< the same of the Data ID's nibble
    MostSteps most_steps = 1;
  };

  /// Precondition of all but fits(): fits() the payloads.
  explicit Profile1(const Settings& settings) noexcept : s_(settings) {}
  /// Whether all that is put into a payload of so many bytes lies in it, and nothing on another.
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept;
  void protect(std::span<std::uint8_t> payload, SendState& state) const noexcept;
  [[nodiscard]] Verdict check(std::span<const std::uint8_t> payload,
                              ReceiveState& state) const noexcept;

 private:
  [[nodiscard]] std::uint8_t crc_of(std::span<const std::uint8_t> payload,
                                    unsigned counter) const noexcept;

  Settings s_;
};

/// Profile 2: CRC-8H2F over the payload and the Data ID that belongs to the counter, which has 4
/// bits and goes from 0 to 15; it is in the low nibble of the byte behind the checksum. A sender's
/// first counter is 1.
class Profile2 {
 public:
  struct Settings {
    std::array<std::uint8_t, 16> data_ids{};  ///< by counter
    std::uint16_t crc_byte = 0;
    MostSteps most_steps = 1;
  };

  /// Precondition of all but fits(): fits() the payloads.
  explicit Profile2(const Settings& settings) noexcept : s_(settings) {}
  /// Whether a payload of so many bytes has both.
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept;
  void protect(std::span<std::uint8_t> payload, SendState& state) const noexcept;
  [[nodiscard]] Verdict check(std::span<const std::uint8_t> payload,
                              ReceiveState& state) const noexcept;

 private:
  [[nodiscard]] std::uint8_t crc_of(std::span<const std::uint8_t> payload,
                                    unsigned counter) const noexcept;

  Settings s_;
};

/// Profile 5: CRC-16 CCITT, low byte first, over the payload without it and then the Data ID, low
/// byte first; behind it a counter of 8 bits.
class Profile5 {
 public:
  struct Settings {
    std::uint16_t data_id = 0;
    std::uint16_t crc_byte = 0;  ///< of the low one
    MostSteps most_steps = 1;
  };

  /// Precondition of all but fits(): fits() the payloads.
  explicit Profile5(const Settings& settings) noexcept : s_(settings) {}
  /// Whether a payload of so many bytes has the three.
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept;
  void protect(std::span<std::uint8_t> payload, SendState& state) const noexcept;
  [[nodiscard]] Verdict check(std::span<const std::uint8_t> payload,
                              ReceiveState& state) const noexcept;

 private:
  [[nodiscard]] std::uint16_t crc_of(std::span<const std::uint8_t> payload) const noexcept;

  Settings s_;
};

/// What many messages have that follow no profile: CRC-8 SAE J1850 (start 0xff, inverted) over all
/// other bytes of the payload in one of them, and a counter of some bits in one of the others.
class CrcAndCounter {
 public:
  struct Settings {
    std::uint16_t crc_byte = 0;
    std::uint16_t counter_bit = 8;   ///< of its least significant bit
    std::uint8_t counter_bits = 4;   ///< 1 ... 8, within a byte
    std::uint8_t last_counter = 15;  ///< 0 follows on it
    MostSteps most_steps = 1;
  };

  /// Precondition of all but fits(): fits() the payloads.
  explicit CrcAndCounter(const Settings& settings) noexcept : s_(settings) {}
  /// Whether the settings are possible in a payload of so many bytes.
  [[nodiscard]] bool fits(std::size_t bytes) const noexcept;
  void protect(std::span<std::uint8_t> payload, SendState& state) const noexcept;
  [[nodiscard]] Verdict check(std::span<const std::uint8_t> payload,
                              ReceiveState& state) const noexcept;

 private:
  Settings s_;
};

}  // namespace hild::can
