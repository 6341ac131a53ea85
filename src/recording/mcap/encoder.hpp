// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes the fields of records, byte by byte.
#pragma once

#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "recording/mcap/format.hpp"

namespace hild::mcap {

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

}  // namespace hild::mcap
