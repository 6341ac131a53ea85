// SPDX-License-Identifier: Apache-2.0
/// \file
/// The part of Protocol Buffers that a log needs: descriptors, by which other programs can decode
/// its messages, and messages of numbers that all have a fixed place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <protozero/data_view.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hild::framelog::proto {

/// The types of fields, with the numbers of google.protobuf.FieldDescriptorProto.Type.
enum class Type : std::uint8_t {
  float64 = 1,
  fixed32 = 7,
  boolean = 8,
  text = 9,
  message = 11,
  bytes = 12,
  uint32 = 13,
  enumeration = 14,
  sfixed64 = 16,
};

struct Field {
  std::string name;  ///< an identifier; no two alike
  std::uint32_t number = 0;
  Type type = Type::float64;
  std::string of{};  ///< the name of the message or enumeration
  bool repeated = false;
  bool presence = false;  ///< its absence differs from 0
};

struct Message {
  std::string name;
  std::vector<Field> fields;
};

struct Enumeration {
  std::string name;
  std::vector<std::string> values;  ///< numbered from 0; unlike any other name of the package
};

/// The names of the enumerators of `kind` with these values: CAUSE_LATE_WAKE.
[[nodiscard]] std::vector<std::string> enumerators(std::string_view kind,
                                                   std::span<const std::string_view> values);

/// A file of declarations.
struct File {
  std::string package;
  std::vector<Message> messages;
  std::vector<Enumeration> enumerations{};
};

/// A google.protobuf.FileDescriptorSet of the file, named after its first message.
[[nodiscard]] std::string describe(const File& file);

/// Makes the name an identifier that is not in `taken`, and adds it there. Names that differ only
/// in case and underscores count as the same: other programs take them for one in JSON, and refuse
/// both.
[[nodiscard]] std::string identifier(std::string_view name, std::vector<std::string>& taken);

[[nodiscard]] inline protozero::data_view view_of(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

/// A prepared field that is a message of numbers of fixed size, all of them present: writing and
/// reading it only puts the values into their places.
class Template {
 public:
  struct Place {
    std::uint32_t number;  ///< of the field in the message
    std::size_t from;      ///< which of the values
  };
  /// Field `number` of the surrounding message. Without places nothing is ever written.
  Template(std::uint32_t number, Type type, const std::vector<Place>& places);

  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  /// Appends the field with these values, which must have the size of the type.
  template <class Value>
  void append(std::string& to, const Value* values) const {
    const std::size_t at = to.size();
    to += bytes_;
    for (const auto& [offset, from] : values_) {
      std::memcpy(to.data() + at + offset, values + from, sizeof(Value));
    }
  }
  /// Takes the values of such a message. False where it is laid out in another way: then some may
  /// have been taken.
  template <class Value>
  [[nodiscard]] bool take(std::string_view message, Value* values) const noexcept {
    if (empty() || message.size() + head_ != bytes_.size()) return false;
    const char* const here = bytes_.data() + head_;
    std::size_t at = 0;
    for (const auto& [offset, from] : values_) {
      for (; at < offset - head_; ++at) {
        if (message[at] != here[at]) return false;
      }
      std::memcpy(values + from, message.data() + at, sizeof(Value));
      at += sizeof(Value);
    }
    return true;
  }

 private:
  struct Value {
    std::size_t offset, from;
  };
  std::string bytes_;
  std::size_t head_ = 0;  ///< bytes before the message itself
  std::vector<Value> values_;
};

}  // namespace hild::framelog::proto
