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

  template <class Number>
  void number(Number n) {
    static_assert(std::is_unsigned_v<Number>);
    char bytes[sizeof n];
    std::memcpy(bytes, &n, sizeof n);
    out_.append(bytes, sizeof n);
  }
  void text(std::string_view text) {
    number(length_of(text.size()));
    out_.append(text);
  }
  void map(const Map& map) {
    const std::size_t at = begin_sized();
    for (const auto& [key, value] : map) {
      text(key);
      text(value);
    }
    end_sized(at);
  }

  /// What is written between the two calls is preceded by its size in four bytes.
  [[nodiscard]] std::size_t begin_sized() {
    number(std::uint32_t{0});
    return out_.size();
  }
  void end_sized(std::size_t at) {
    const std::uint32_t size = length_of(out_.size() - at);
    std::memcpy(out_.data() + at - sizeof size, &size, sizeof size);
  }

  /// What is written between the two calls is the content of a record.
  [[nodiscard]] std::size_t begin_record(Opcode opcode) {
    out_.push_back(static_cast<char>(opcode));
    number(std::uint64_t{0});
    return out_.size();
  }
  void end_record(std::size_t at, std::uint64_t more = 0) {
    const std::uint64_t size = out_.size() - at + more;
    std::memcpy(out_.data() + at - sizeof size, &size, sizeof size);
  }

 private:
  static std::uint32_t length_of(std::size_t size) {
    if (size > UINT32_MAX) throw std::length_error("MCAP: a text of more than 4 GiB");
    return static_cast<std::uint32_t>(size);
  }
  std::string& out_;
};

}  // namespace hild::mcap
