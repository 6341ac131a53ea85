// SPDX-License-Identifier: Apache-2.0
/// \file
/// As much of Protocol Buffers as a log needs: messages of numbers that all have a fixed place, and
/// their descriptors, so that other programs decode them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framelog/format.hpp"

namespace hild::framelog::proto {

/// With the numbers of google.protobuf.FieldDescriptorProto.Type.
enum class Type : std::uint8_t {
  float64 = 1,
  fixed32 = 7,
  boolean = 8,
  enumeration = 14,
  sfixed32 = 15,
  sfixed64 = 16,
};

struct Field {
  std::string name;  ///< an identifier; no two alike
  std::uint32_t number = 0;
  Type type = Type::float64;
  SignalName signal{};  ///< what it holds: its own name and unit, where it has any
};

struct Message {
  std::string name;  ///< hild.Timing
  std::vector<Field> fields;
  std::string enumeration{};          ///< the type of the fields that are one: Cause
  std::vector<std::string> values{};  ///< its names, from 0
};

/// The name as an identifier that `taken` has not yet; adds it there.
[[nodiscard]] std::string identifier(std::string_view name, std::vector<std::string>& taken);

/// A google.protobuf.FileDescriptorSet of one file with the message.
[[nodiscard]] std::string describe(const Message& message);

/// The message of that name (package included) from such a set; units and labels are not in it.
/// Nothing where the bytes are none, or hold types that are not above.
[[nodiscard]] std::optional<Message> read_description(std::span<const std::byte> set,
                                                      std::string_view name);

/// A message with every field in it: only the values have to be put into their places.
class Template {
 public:
  explicit Template(const Message& message);
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_.size(); }
  /// Copies the empty message; the values of field i then go to place + offset(i).
  void copy(std::byte* place) const noexcept;
  [[nodiscard]] std::size_t offset(std::size_t field) const noexcept { return offsets_[field]; }
  [[nodiscard]] const std::vector<std::size_t>& offsets() const noexcept { return offsets_; }
  [[nodiscard]] const std::string& empty_message() const noexcept { return bytes_; }

 private:
  std::string bytes_;
  std::vector<std::size_t> offsets_;
};

/// Takes the values of messages apart.
class Decoder {
 public:
  explicit Decoder(const Message& message);
  /// The value of each field as a number, 0 for those that are absent. False: not this message.
  [[nodiscard]] bool decode(std::span<const std::byte> bytes, std::span<double> values) const;

 private:
  /// Of a message as a Template makes it: every field in order.
  struct Place {
    Type type;
    std::size_t tag, value;
  };
  bool decode_usual(std::span<const std::byte> bytes, std::span<double> values) const;

  std::vector<Type> types_;
  std::vector<std::int32_t> field_of_;  ///< by number; -1: none
  std::string usual_;                   ///< such a message, empty
  std::vector<Place> places_;
};

}  // namespace hild::framelog::proto
