// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/attributes.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

namespace hild::fmu {
namespace {

constexpr std::string_view space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(space);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

// All of the text, or nothing; a sign + before digits as XML has it.
template <class T>
std::optional<T> all_of(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value;
}

template <class T>
Result<double> whole_of(std::string_view text) {
  if (const auto value = all_of<T>(text)) return static_cast<double>(*value);
  return fail("found `{}`, expected a whole number from {} to {}", text,
              std::numeric_limits<T>::min(), std::numeric_limits<T>::max());
}

}  // namespace

Result<std::uint32_t> read_whole(const pugi::xml_node& node, const char* key) {
  constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();
  const auto attribute = node.attribute(key);
  if (!attribute) return fail("{}: found none, expected a whole number from 0 to {}", key, most);
  if (const auto value = all_of<std::uint32_t>(trimmed(attribute.as_string()))) return *value;
  return fail("{}: found `{}`, expected a whole number from 0 to {}", key, attribute.as_string(),
              most);
}

Result<double> read_number(std::string_view text, fmi::Type type) {
  text = trimmed(text);
  switch (type) {
    case fmi::Type::float64:
    case fmi::Type::float32:
      break;
    case fmi::Type::int8:
      return whole_of<std::int8_t>(text);
    case fmi::Type::uint8:
      return whole_of<std::uint8_t>(text);
    case fmi::Type::int16:
      return whole_of<std::int16_t>(text);
    case fmi::Type::uint16:
      return whole_of<std::uint16_t>(text);
    case fmi::Type::int32:
      return whole_of<std::int32_t>(text);
    case fmi::Type::uint32:
      return whole_of<std::uint32_t>(text);
    case fmi::Type::int64:
      return whole_of<std::int64_t>(text);
    case fmi::Type::uint64:
      return whole_of<std::uint64_t>(text);
    case fmi::Type::boolean:
      if (text == "true" || text == "1") return 1.0;
      if (text == "false" || text == "0") return 0.0;
      return fail("found `{}`, expected true or false", text);
  }
  if (const auto value = all_of<double>(text)) return *value;
  return fail("found `{}`, expected a number", text);
}

Result<std::vector<double>> read_numbers(std::string_view text, fmi::Type type) {
  std::vector<double> out;
  for (auto at = text.find_first_not_of(space); at != text.npos;
       at = text.find_first_not_of(space, at)) {
    const auto end = std::min(text.size(), text.find_first_of(space, at));
    const auto value = read_number(text.substr(at, end - at), type);
    if (!value) return tl::make_unexpected(value.error());
    out.push_back(*value);
    at = end;
  }
  return out;
}

Result<std::optional<std::size_t>> read_word(const pugi::xml_node& node, const char* key,
                                             std::span<const std::string_view> words) {
  const auto attribute = node.attribute(key);
  if (!attribute) return std::optional<std::size_t>{};
  const auto found = std::ranges::find(words, std::string_view(attribute.as_string()));
  if (found == words.end()) {
    return fail("{}: found `{}`, expected {}", key, attribute.as_string(), fmt::join(words, ", "));
  }
  return std::optional(static_cast<std::size_t>(found - words.begin()));
}

}  // namespace hild::fmu
