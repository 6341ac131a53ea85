// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages as they are received and sent, made of what a DBC file and the configuration say.
/// Payloads are taken apart and put together elsewhere (can_receiver.hpp, can_sender.hpp).
#pragma once

#include <linux/can.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "drivers/can/codec.hpp"
#include "drivers/can/protection.hpp"
#include "hild/core/time.hpp"

namespace hild::can {

/// Counter and checksum of a message, or none of both. Real-time safe.
class Protection {
 public:
  using Any = std::variant<std::monostate, Profile1, Profile2, Profile5, CrcAndCounter>;

  Protection() noexcept = default;
  /// `bits`: those that it fills in; `crc_byte`: where a checksum is, or one of its bytes.
  Protection(const Any& any, const Bits& bits, std::size_t crc_byte) noexcept
      : any_(any), bits_(bits), crc_byte_(crc_byte) {}

  [[nodiscard]] bool none() const noexcept { return any_.index() == 0; }
  [[nodiscard]] const Bits& bits() const noexcept { return bits_; }

  void protect(std::span<std::uint8_t> payload, SendState& state) const noexcept {
    if (const auto* p = std::get_if<Profile1>(&any_)) return p->protect(payload, state);
    if (const auto* p = std::get_if<Profile2>(&any_)) return p->protect(payload, state);
    if (const auto* p = std::get_if<Profile5>(&any_)) return p->protect(payload, state);
    if (const auto* p = std::get_if<CrcAndCounter>(&any_)) return p->protect(payload, state);
  }
  /// Makes the checksum of a protected payload wrong.
  void spoil(std::span<std::uint8_t> payload) const noexcept {
    if (!none() && crc_byte_ < payload.size()) payload[crc_byte_] ^= 0xff;
  }
  [[nodiscard]] Verdict check(std::span<const std::uint8_t> payload,
                              ReceiveState& state) const noexcept {
    if (const auto* p = std::get_if<Profile1>(&any_)) return p->check(payload, state);
    if (const auto* p = std::get_if<Profile2>(&any_)) return p->check(payload, state);
    if (const auto* p = std::get_if<Profile5>(&any_)) return p->check(payload, state);
    if (const auto* p = std::get_if<CrcAndCounter>(&any_)) return p->check(payload, state);
    return Verdict::ok;
  }

 private:
  Any any_;
  Bits bits_;
  std::size_t crc_byte_ = 0;
};

/// A frame as the kernel has it, classic or FD, and behind it the bytes that a Field may touch.
class Frame {
 public:
  static constexpr std::size_t header = offsetof(canfd_frame, data);
  static_assert(header == offsetof(can_frame, data));

  [[nodiscard]] canid_t id() const noexcept {
    canid_t id = 0;
    std::memcpy(&id, bytes_.data(), sizeof id);
    return id;
  }
  /// How many bytes its payload is said to have; of what was received it may be anything.
  [[nodiscard]] std::size_t length() const noexcept { return bytes_[offsetof(canfd_frame, len)]; }
  /// Of a frame to send.
  void set_head(canid_t id, std::size_t length, std::uint8_t flags) noexcept {
    std::memcpy(bytes_.data(), &id, sizeof id);
    bytes_[offsetof(canfd_frame, len)] = static_cast<std::uint8_t>(length);
    bytes_[offsetof(canfd_frame, flags)] = flags;
  }

  /// The payload and eight bytes more.
  ///@{
  [[nodiscard]] std::span<std::uint8_t> payload() noexcept {
    return std::span(bytes_).subspan(header);
  }
  [[nodiscard]] std::span<const std::uint8_t> payload() const noexcept {
    return std::span(bytes_).subspan(header);
  }
  ///@}
  /// All that goes to the kernel and comes from there.
  [[nodiscard]] std::span<std::uint8_t> whole() noexcept {
    return std::span(bytes_).first(CANFD_MTU);
  }

 private:
  alignas(8) std::array<std::uint8_t, header + buffer_bytes> bytes_{};
};

/// A message that is received.
struct Incoming {
  /// A signal that is an input.
  struct Part {
    Field field;
    Presence presence;
    std::size_t input = 0;
  };
  canid_t id = 0;    ///< with the flag of those of 29 bits
  canid_t mask = 0;  ///< of the bits by which its frames are known
  std::size_t length = 0;
  Protection protection{};
  std::vector<Part> parts{};
};

/// When a message is sent.
enum class Sending : std::uint8_t {
  each,               ///< at each write
  change,             ///< where a write changes it
  cyclic,             ///< by its cycle
  cyclic_and_change,  ///< both
  trigger,            ///< where its trigger rises, which all others may have besides
};

/// A message that is sent.
struct Outgoing {
  /// A signal: an output, or a constant.
  struct Part {
    Field field;
    Presence presence;
    std::size_t depth = 0;  ///< switches above it
    double value = 0;       ///< of a constant
    std::optional<std::size_t> output{};
  };
  canid_t id = 0;
  std::size_t length = 0;  ///< as the DBC file has it: what `protection` is over
  std::size_t padded = 0;  ///< as it is sent: CAN FD knows some lengths only
  bool fd = false;
  Sending sending = Sending::each;
  Duration cycle{};
  Duration offset{};                     ///< of the first one, from the start of the run
  bool silent = false;                   ///< not sent to make outputs safe when the run is dead
  Duration safe_for{};                   ///< of cyclic ones: how long once outputs are safe
  std::optional<std::size_t> trigger{};  ///< an output: when it rises, the message is sent
  Protection protection{};
  std::vector<Part> parts{};  ///< of all its signals but those that `protection` fills in

  [[nodiscard]] bool cyclic() const noexcept {
    return sending == Sending::cyclic || sending == Sending::cyclic_and_change;
  }
};

}  // namespace hild::can
