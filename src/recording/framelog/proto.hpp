// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a log needs of Protocol Buffers: descriptors, so that other programs decode its messages,
/// and messages of numbers that all have a fixed place.
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

/// With the numbers of google.protobuf.FieldDescriptorProto.Type.
enum class Type : std::uint8_t {
  float64 = 1,
  fixed32 = 7,
  boolean = 8,
  message = 11,
  uint32 = 13,
  enumeration = 14,
  sfixed64 = 16,
};

struct Field {
  std::string name;  ///< an identifier; no two alike
  std::uint32_t number = 0;
  Type type = Type::float64;
  std::string of{};  ///< a message or an enumeration: which
  bool repeated = false;
  bool presence = false;  ///< that it is absent is no 0
};

struct Message {
  std::string name;
  std::vector<Field> fields;
};

struct Enumeration {
  std::string name;
  std::vector<std::string> values;  ///< from 0; unlike any other name of the package
};

/// Enumerators of that kind: CAUSE_LATE_WAKE.
[[nodiscard]] std::vector<std::string> enumerators(std::string_view kind,
                                                   std::span<const std::string_view> values);

/// A file of declarations.
struct File {
  std::string package;
  std::vector<Message> messages;
  std::vector<Enumeration> enumerations{};
};

/// A google.protobuf.FileDescriptorSet of that file, named after its first message.
[[nodiscard]] std::string describe(const File& file);

/// The name as an identifier that `taken` has not yet; adds it there. Two that differ in case and
/// underscores alone are one: other programs take them for one in JSON, and refuse both.
[[nodiscard]] std::string identifier(std::string_view name, std::vector<std::string>& taken);

[[nodiscard]] inline protozero::data_view view_of(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

/// A field that is a message of numbers of fixed size, all of them there: only their values are to
/// be put into their places.
class Template {
 public:
  struct Place {
    std::uint32_t number;  ///< of the field in the message
    std::size_t from;      ///< which of the values
  };
  /// As field `number` of the message around it. Without places nothing is ever written.
  Template(std::uint32_t number, Type type, const std::vector<Place>& places);

  [[nodiscard]] bool empty() const noexcept { return bytes_.empty(); }
  /// Appends it with these values, of the type's size.
  template <class Value>
  void append(std::string& to, const Value* values) const {
    const std::size_t at = to.size();
    to += bytes_;
    for (const auto& [offset, from] : values_) {
      std::memcpy(to.data() + at + offset, values + from, sizeof(Value));
    }
  }

 private:
  struct Value {
    std::size_t offset, from;
  };
  std::string bytes_;
  std::vector<Value> values_;
};

}  // namespace hild::framelog::proto
