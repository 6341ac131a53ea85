// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/proto.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <protozero/pbf_writer.hpp>

namespace hild::framelog::proto {
namespace {

using protozero::pbf_writer;

bool named(Type type) { return type == Type::message || type == Type::enumeration; }

// The fields of google/protobuf/descriptor.proto.
void describe_field(const Field& field, const std::string& package, std::optional<int> oneof,
                    pbf_writer out) {
  out.add_string(1, field.name);
  out.add_int32(3, static_cast<std::int32_t>(field.number));
  out.add_enum(4, field.repeated ? 3 : 1);  // LABEL_REPEATED, LABEL_OPTIONAL
  out.add_enum(5, static_cast<std::int32_t>(field.type));
  if (named(field.type)) out.add_string(6, fmt::format(".{}.{}", package, field.of));
  if (!oneof) return;
  out.add_int32(9, *oneof);
  out.add_bool(17, true);  // proto3_optional
}

void describe_message(const Message& message, const std::string& package, pbf_writer out) {
  out.add_string(1, message.name);
  // A field that tells whether it is there is declared as the only one of a choice.
  std::vector<std::string> choices;
  for (const Field& field : message.fields) {
    std::optional<int> oneof;
    if (field.presence) {
      oneof = static_cast<int>(choices.size());
      choices.push_back(fmt::format("_{}", field.name));
    }
    describe_field(field, package, oneof, pbf_writer(out, 2));
  }
  for (const std::string& choice : choices) pbf_writer(out, 8).add_string(1, choice);
}

void describe_enumeration(const Enumeration& enumeration, pbf_writer out) {
  out.add_string(1, enumeration.name);
  for (std::size_t i = 0; i < enumeration.values.size(); ++i) {
    pbf_writer value(out, 2);
    value.add_string(1, enumeration.values[i]);
    value.add_int32(2, static_cast<std::int32_t>(i));
  }
}

/// What is left of a name where JSON has it in camel case, and case does not count.
std::string in_json(const std::string& name) {
  std::string left;
  for (const char c : name) {
    if (c != '_') left += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return left;
}

}  // namespace

std::string describe(const File& file) {
  std::string set;
  pbf_writer files(set);
  pbf_writer out(files, 1);
  out.add_string(1, fmt::format("{}/{}.proto", file.package, file.messages.front().name));
  out.add_string(2, file.package);
  for (const Message& m : file.messages) describe_message(m, file.package, pbf_writer(out, 4));
  for (const Enumeration& e : file.enumerations) describe_enumeration(e, pbf_writer(out, 5));
  out.add_string(12, "proto3");
  out.commit();
  return set;
}

std::vector<std::string> enumerators(std::string_view kind,
                                     std::span<const std::string_view> values) {
  std::vector<std::string> all;
  for (const std::string_view value : values) {
    std::string& name = all.emplace_back(fmt::format("{}_{}", kind, value));
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    });
  }
  return all;
}

std::string identifier(std::string_view name, std::vector<std::string>& taken) {
  std::string id;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (digit && id.empty()) id += '_';
    id += letter || digit ? c : '_';
  }
  if (id.empty()) id += '_';
  std::string free = id;
  const auto is_taken = [&] {
    return std::ranges::find(taken, in_json(free), &in_json) != taken.end();
  };
  for (int n = 2; is_taken(); ++n) {
    free = fmt::format("{}_{}", id, n);
  }
  return taken.emplace_back(std::move(free));
}

Template::Template(std::uint32_t number, Type type, const std::vector<Place>& places) {
  if (places.empty()) return;
  std::string inner;
  pbf_writer out(inner);
  for (const Place& place : places) {
    if (type == Type::fixed32) {
      out.add_fixed32(place.number, 0);
    } else {
      out.add_double(place.number, 0);
    }
    values_.push_back({inner.size() - (type == Type::fixed32 ? 4 : 8), place.from});
  }
  pbf_writer(bytes_).add_message(number, inner);
  head_ = bytes_.size() - inner.size();
  for (Value& value : values_) value.offset += head_;
}

}  // namespace hild::framelog::proto
