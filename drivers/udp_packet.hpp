// SPDX-License-Identifier: Apache-2.0
/// \file
/// The layout of a packet: which value stands where, no byte used twice, none beyond the end.
/// What comes from the network is taken apart here, and nowhere else.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "drivers/udp_field.hpp"
#include "hild/core/name.hpp"
#include "hild/core/result.hpp"

namespace hild::udp {

/// The longest that a datagram can be (of IPv4: 65535 less the headers of IP and UDP).
inline constexpr std::size_t longest_packet = 65'507;

class Packet {
 public:
  explicit Packet(std::size_t length = 0) : length_(length) {}

  // Load time.

  /// Each takes its place. Error: the bytes are not within the packet, or used already; with the
  /// words for both.
  [[nodiscard]] Result<void> place_sequence(const Field& field);
  [[nodiscard]] Result<void> place_time(const Field& field);
  /// One more value, after those before it.
  [[nodiscard]] Result<void> place_value(const Field& field);

  // Real-time safe.

  [[nodiscard]] std::size_t length() const noexcept { return length_; }
  /// How many values it carries.
  [[nodiscard]] std::size_t values() const noexcept { return values_.size(); }

  /// Takes a packet apart into `values`, as many as there are. False, and what is in `values` means
  /// nothing, where it is not of this length or one is not finite.
  [[nodiscard]] bool read(std::span<const std::byte> packet,
                          std::span<double> values) const noexcept;
  /// Puts values into a packet of this length; what lies between them stays as it is.
  void write(std::span<const double> values, std::span<std::byte> packet) const noexcept;

  /// Where the packet has none, or is not of this length: no number. The time is in the seconds of
  /// whoever wrote it, and may be anything.
  [[nodiscard]] std::optional<std::uint64_t> sequence(
      std::span<const std::byte> packet) const noexcept;
  [[nodiscard]] std::optional<double> time(std::span<const std::byte> packet) const noexcept;
  /// Those that the packet has.
  void stamp(std::uint64_t sequence, double time, std::span<std::byte> packet) const noexcept;

  [[nodiscard]] const std::optional<Field>& sequence_field() const noexcept { return sequence_; }

 private:
  struct Place {
    std::size_t first, end;  // bits, the lowest of a byte first
    Name words;
  };
  [[nodiscard]] Result<void> place(const Field& field, std::string_view what);

  std::size_t length_;
  std::vector<Place> places_;
  std::vector<Field> values_;
  std::optional<Field> sequence_;
  std::optional<Field> time_;
};

/// "bytes 8..11 (f32)", "byte 3 (u8)", "byte 3 bit 5".
[[nodiscard]] Name where(const Field& field);

}  // namespace hild::udp
