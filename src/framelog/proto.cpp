// SPDX-License-Identifier: Apache-2.0
#include "framelog/proto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "framelog/wire.hpp"

namespace hild::framelog::proto {
namespace {

constexpr std::uint32_t most_fields = 1U << 16U;  ///< numbers a log may have

Wire wire_of(Type type) {
  switch (type) {
    case Type::float64:
    case Type::sfixed64:
      return Wire::fixed64;
    case Type::fixed32:
    case Type::sfixed32:
      return Wire::fixed32;
    default:
      return Wire::varint;
  }
}

bool known(std::uint64_t type) {
  for (const Type t : {Type::float64, Type::fixed32, Type::boolean, Type::enumeration,
                       Type::sfixed32, Type::sfixed64}) {
    if (static_cast<std::uint64_t>(t) == type) return true;
  }
  return false;
}

double value_of(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::float64:
      return std::bit_cast<double>(bits);
    case Type::sfixed64:
      return static_cast<double>(static_cast<std::int64_t>(bits));
    case Type::sfixed32:
      return static_cast<double>(static_cast<std::int32_t>(bits));
    default:
      return static_cast<double>(bits);
  }
}

std::string_view package_of(std::string_view name) { return name.substr(0, name.rfind('.')); }

// The fields of google/protobuf/descriptor.proto.
std::string describe_field(const Field& field, std::string_view enumeration) {
  std::string out;
  put_text(out, 1, field.name);
  put_number(out, 3, field.number);
  put_number(out, 4, 1);  // LABEL_OPTIONAL
  put_number(out, 5, static_cast<std::uint64_t>(field.type));
  if (field.type == Type::enumeration) put_text(out, 6, enumeration);
  return out;
}

std::string describe_enumeration(const Message& message) {
  std::string out;
  put_text(out, 1, message.enumeration);
  for (std::size_t i = 0; i < message.values.size(); ++i) {
    std::string value;
    put_text(value, 1, message.values[i]);
    put_number(value, 2, i);
    put_text(out, 2, value);
  }
  return out;
}

std::optional<Field> read_field(std::span<const std::byte> bytes) {
  WireReader from(bytes);
  Field field;
  std::uint64_t type = 0;
  while (from.next()) {
    if (from.field == 1 && from.wire == Wire::bytes) field.name = text_of(from.bytes);
    if (from.field == 3 && from.wire == Wire::varint && from.number < most_fields) {
      field.number = static_cast<std::uint32_t>(from.number);
    }
    if (from.field == 5 && from.wire == Wire::varint) type = from.number;
  }
  if (!from.good() || field.number == 0 || !known(type)) return std::nullopt;
  field.type = static_cast<Type>(type);
  return field;
}

std::optional<Message> read_message(std::span<const std::byte> bytes) {
  WireReader from(bytes);
  Message message;
  while (from.next()) {
    if (from.wire != Wire::bytes) continue;
    if (from.field == 1) message.name = text_of(from.bytes);
    if (from.field != 2) continue;
    auto field = read_field(from.bytes);
    if (!field) return std::nullopt;
    message.fields.push_back(std::move(*field));
  }
  if (!from.good()) return std::nullopt;
  return message;
}

}  // namespace

std::string identifier(std::string_view name, std::vector<std::string>& taken) {
  std::string id;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && id.empty()) id += '_';
    id += letter || digit ? c : '_';
  }
  if (id.empty()) id = "_";
  std::string free = id;
  for (int n = 2; std::ranges::find(taken, free) != taken.end(); ++n) {
    free = fmt::format("{}_{}", id, n);
  }
  return taken.emplace_back(std::move(free));
}

std::string describe(const Message& message) {
  const std::string_view package = package_of(message.name);
  std::string body;
  put_text(body, 1, std::string_view(message.name).substr(package.size() + 1));
  for (const Field& field : message.fields) {
    put_text(body, 2,
             describe_field(field, fmt::format(".{}.{}", message.name, message.enumeration)));
  }
  if (!message.values.empty()) put_text(body, 4, describe_enumeration(message));
  std::string file;
  put_text(file, 1, message.name + ".proto");
  put_text(file, 2, package);
  put_text(file, 4, body);
  put_text(file, 12, "proto3");
  std::string set;
  put_text(set, 1, file);
  return set;
}

std::optional<Message> read_description(std::span<const std::byte> set, std::string_view name) {
  WireReader files(set);
  while (files.next()) {
    if (files.field != 1 || files.wire != Wire::bytes) continue;
    std::string_view package;
    WireReader file(files.bytes);
    while (file.next()) {
      if (file.field == 2 && file.wire == Wire::bytes) package = text_of(file.bytes);
      if (file.field != 4 || file.wire != Wire::bytes) continue;
      auto message = read_message(file.bytes);
      if (!message) return std::nullopt;
      if (!package.empty()) message->name = fmt::format("{}.{}", package, message->name);
      if (message->name == name) return message;
    }
  }
  return std::nullopt;
}

Template::Template(const Message& message) {
  for (const Field& field : message.fields) {
    const Wire wire = wire_of(field.type);
    put_tag(bytes_, field.number, wire);
    offsets_.push_back(bytes_.size());
    bytes_.append(wire == Wire::fixed64 ? 8 : wire == Wire::fixed32 ? 4 : 1, '\0');
  }
}

void Template::copy(std::byte* place) const noexcept {
  std::memcpy(place, bytes_.data(), bytes_.size());
}

Decoder::Decoder(const Message& message) {
  for (const Field& field : message.fields) {
    if (field.number >= most_fields) continue;
    if (field.number >= field_of_.size()) field_of_.resize(field.number + 1, -1);
    field_of_[field.number] = static_cast<std::int32_t>(types_.size());
    types_.push_back(field.type);
  }
  if (types_.size() != message.fields.size()) return;
  const Template usual(message);
  usual_ = usual.empty_message();
  std::size_t tag = 0;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    const std::size_t value = usual.offset(i);
    places_.push_back({types_[i], tag, value});
    const Wire wire = wire_of(types_[i]);
    tag = value + (wire == Wire::fixed64 ? 8 : wire == Wire::fixed32 ? 4 : 1);
  }
}

// Nearly all messages: no field has to be looked for.
bool Decoder::decode_usual(std::span<const std::byte> bytes, std::span<double> values) const {
  if (bytes.size() != usual_.size() || places_.size() > values.size()) return false;
  const auto* const from = reinterpret_cast<const char*>(bytes.data());
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const Place& place = places_[i];
    for (std::size_t k = place.tag; k < place.value; ++k) {
      if (from[k] != usual_[k]) return false;
    }
    if (place.type == Type::float64) {
      std::memcpy(&values[i], from + place.value, sizeof(double));
      continue;
    }
    const Wire wire = wire_of(place.type);
    const std::size_t size = wire == Wire::fixed64 ? 8 : wire == Wire::fixed32 ? 4 : 1;
    std::uint64_t bits = 0;
    std::memcpy(&bits, from + place.value, size);
    if (wire == Wire::varint && bits >= 0x80) return false;
    values[i] = value_of(place.type, bits);
  }
  return true;
}

bool Decoder::decode(std::span<const std::byte> bytes, std::span<double> values) const {
  if (!usual_.empty() && decode_usual(bytes, values)) return true;
  std::ranges::fill(values, 0.0);
  WireReader from(bytes);
  while (from.next()) {
    const std::int32_t i = from.field < field_of_.size() ? field_of_[from.field] : -1;
    if (i < 0) continue;
    const Type type = types_[static_cast<std::size_t>(i)];
    if (from.wire != wire_of(type)) return false;
    values[static_cast<std::size_t>(i)] = value_of(type, from.number);
  }
  return from.good();
}

}  // namespace hild::framelog::proto
