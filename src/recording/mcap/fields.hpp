// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fields of records as bytes, one after the other.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

/// Writes them.
class Encoder {
 public:
  /// Appends to `out`, which outlives it.
  explicit Encoder(std::string& out) : out_(out) {}

  /// Appends fields one after the other: numbers, texts, and lists of pairs of either.
  template <class... Fields>
  void add(const Fields&... fields) {
    (add_one(fields), ...);
  }
  /// Appends a record with these fields.
  template <class... Fields>
  void record(Opcode opcode, const Fields&... fields) {
    begin_record(opcode, 0, fields...);
  }
  /// Appends a record's first fields; the other `more` bytes of it are the caller's to append.
  template <class... Fields>
  void begin_record(Opcode opcode, std::uint64_t more, const Fields&... fields) {
    add(opcode, std::uint64_t{0});
    const std::size_t at = out_.size();
    add(fields...);
    set_size(at, std::uint64_t{out_.size() - at + more});
  }

 private:
  template <class Field>
  void add_one(const Field& field) {
    if constexpr (std::is_unsigned_v<Field> || std::is_same_v<Field, Opcode>) {
      out_.append(reinterpret_cast<const char*>(&field), sizeof field);
    } else if constexpr (std::is_convertible_v<Field, std::string_view>) {
      const std::string_view text = field;
      add_one(length_of(text.size()));
      out_.append(text);
    } else {
      add_one(std::uint32_t{0});
      const std::size_t at = out_.size();
      for (const auto& [first, second] : field) add(first, second);
      set_size(at, length_of(out_.size() - at));
    }
  }
  template <class Size>
  void set_size(std::size_t behind, Size size) {
    std::memcpy(out_.data() + behind - sizeof size, &size, sizeof size);
  }
  static std::uint32_t length_of(std::size_t size) {
    if (size > UINT32_MAX) throw std::length_error("MCAP: a text of more than 4 GiB");
    return static_cast<std::uint32_t>(size);
  }
  std::string& out_;
};

/// Reads them. The bytes may be anything, so every length is checked against what is left. After
/// the first field that does not fit, good() is false and everything read is empty or 0.
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
