// SPDX-License-Identifier: Apache-2.0
/// \file
/// The wire format of Protocol Buffers, written and read.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace hild::framelog::proto {

enum class Wire : std::uint8_t { varint = 0, fixed64 = 1, bytes = 2, fixed32 = 5 };

inline void put_varint(std::string& out, std::uint64_t n) {
  for (; n >= 0x80; n >>= 7U) out.push_back(static_cast<char>((n & 0x7FU) | 0x80U));
  out.push_back(static_cast<char>(n));
}
inline void put_tag(std::string& out, std::uint32_t field, Wire wire) {
  put_varint(out, (std::uint64_t{field} << 3U) | static_cast<std::uint64_t>(wire));
}
inline void put_number(std::string& out, std::uint32_t field, std::uint64_t n) {
  put_tag(out, field, Wire::varint);
  put_varint(out, n);
}
inline void put_text(std::string& out, std::uint32_t field, std::string_view text) {
  put_tag(out, field, Wire::bytes);
  put_varint(out, text.size());
  out += text;
}

/// One field after the other, of any bytes at all.
class WireReader {
 public:
  explicit WireReader(std::span<const std::byte> message) noexcept
      : at_(message.data()), end_(message.data() + message.size()) {}

  /// The next field; false at the end, or where the bytes are none.
  [[nodiscard]] bool next() noexcept {
    if (at_ == end_) return false;
    const std::uint64_t tag = varint();
    if (!good_ || (tag >> 3U) == 0 || (tag >> 3U) > 0x1FFFFFFF) return refuse();
    field = static_cast<std::uint32_t>(tag >> 3U);
    wire = static_cast<Wire>(tag & 7U);
    switch (wire) {
      case Wire::varint:
        number = varint();
        return good_;
      case Wire::fixed64:
        return fixed<std::uint64_t>();
      case Wire::fixed32:
        return fixed<std::uint32_t>();
      case Wire::bytes: {
        const std::uint64_t n = varint();
        if (!good_ || n > static_cast<std::uint64_t>(end_ - at_)) return refuse();
        bytes = {at_, static_cast<std::size_t>(n)};
        at_ += n;
        return true;
      }
    }
    return refuse();
  }
  [[nodiscard]] bool good() const noexcept { return good_; }

  // Of the field read last: a number, or bytes.
  std::uint32_t field = 0;
  Wire wire = Wire::varint;
  std::uint64_t number = 0;
  std::span<const std::byte> bytes{};

 private:
  bool refuse() noexcept {
    good_ = false;
    at_ = end_;
    return false;
  }
  template <class Number>
  bool fixed() noexcept {
    Number n = 0;
    if (static_cast<std::size_t>(end_ - at_) < sizeof n) return refuse();
    std::memcpy(&n, at_, sizeof n);
    number = n;
    at_ += sizeof n;
    return true;
  }
  std::uint64_t varint() noexcept {
    std::uint64_t n = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
      const auto part = static_cast<std::uint64_t>(*at_++);
      n |= (part & 0x7FU) << shift;
      if (part < 0x80U) return n;
    }
    refuse();
    return 0;
  }

  const std::byte* at_;
  const std::byte* end_;
  bool good_ = true;
};

[[nodiscard]] inline std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace hild::framelog::proto
