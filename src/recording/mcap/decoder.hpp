// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the fields of records. The bytes may be anything, so every length is checked against what
/// is left. After the first field that does not fit, good() is false and everything read is empty
/// or 0.
#pragma once

#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

class Decoder {
 public:
  explicit Decoder(std::span<const std::byte> bytes) : rest_(bytes) {}

  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

  template <class Number>
  [[nodiscard]] Number number() {
    static_assert(std::is_unsigned_v<Number>);
    Number n = 0;
    if (const auto part = bytes(sizeof n); good_) std::memcpy(&n, part.data(), sizeof n);
    return n;
  }
  /// The next `n` bytes; a view of what was given.
  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t n) {
    if (n > rest_.size()) {
      good_ = false;
      rest_ = {};
      return {};
    }
    const auto part = rest_.first(n);
    rest_ = rest_.subspan(n);
    return part;
  }
  [[nodiscard]] std::span<const std::byte> rest() { return bytes(rest_.size()); }
  [[nodiscard]] std::string text() { return text_of(bytes(number<std::uint32_t>())); }
  /// A text whose length has eight bytes.
  [[nodiscard]] std::string long_text() { return text_of(bytes(number<std::uint64_t>())); }
  [[nodiscard]] Map map() {
    Decoder entries(bytes(number<std::uint32_t>()));
    Map map;
    while (entries.good() && entries.left() > 0) {
      std::string key = entries.text();
      map.emplace_back(std::move(key), entries.text());
    }
    if (!entries.good()) {
      good_ = false;
      return {};
    }
    return map;
  }

 private:
  static std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  std::span<const std::byte> rest_;
  bool good_ = true;
};

}  // namespace hild::mcap
