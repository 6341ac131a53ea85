// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reads the fields of records. The bytes may be anything, so every length is checked against what
/// is left. After the first field that does not fit, good() is false and everything read is empty
/// or 0.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

class Decoder {
 public:
  explicit Decoder(Bytes bytes) : rest_(bytes) {}

  [[nodiscard]] bool good() const noexcept { return good_; }
  [[nodiscard]] std::size_t left() const noexcept { return rest_.size(); }

  /// Reads fields one after the other: numbers, texts and maps. Returns good().
  template <class... Fields>
  bool take(Fields&... fields) {
    (take_one(fields), ...);
    return good_;
  }
  template <class Number>
  [[nodiscard]] Number number() {
    static_assert(std::is_unsigned_v<Number> || std::is_same_v<Number, Opcode>);
    Number n{};
    if (const Bytes part = bytes(sizeof n); good_) std::memcpy(&n, part.data(), sizeof n);
    return n;
  }
  /// The next `n` bytes; a view of what was given.
  [[nodiscard]] Bytes bytes(std::uint64_t n) {
    good_ = good_ && n <= rest_.size();
    if (!good_) return rest_ = {};
    const Bytes part = rest_.first(n);
    rest_ = rest_.subspan(n);
    return part;
  }
  [[nodiscard]] Bytes rest() { return bytes(rest_.size()); }
  /// A text whose length has eight bytes, or as many as `Length`.
  template <class Length = std::uint64_t>
  [[nodiscard]] std::string text() {
    const Bytes part = bytes(number<Length>());
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }

 private:
  template <class Field>
  void take_one(Field& field) {
    if constexpr (std::is_same_v<Field, std::string>) {
      field = text<std::uint32_t>();
    } else if constexpr (std::is_same_v<Field, Map>) {
      Decoder entries(bytes(number<std::uint32_t>()));
      while (entries.left() > 0) {
        auto& [key, value] = field.emplace_back();
        good_ = entries.take(key, value) && good_;
      }
      if (!good_) field.clear();
    } else {
      field = number<Field>();
    }
  }
  Bytes rest_;
  bool good_ = true;
};

}  // namespace hild::mcap
