// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/attributes.hpp"

#include <array>
#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <charconv>
#include <limits>

namespace hild::fmu {
namespace {

constexpr std::string_view space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  return boost::algorithm::trim_copy_if(text, boost::algorithm::is_any_of(space));
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

// What stands between white space.
std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    words.push_back(text.substr(0, text.find_first_of(space)));
    text.remove_prefix(words.back().size());
  }
  return words;
}

template <class T>
constexpr WholeRange whole = {std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};

}  // namespace

Result<std::uint32_t> read_whole(const pugi::xml_node& node, const char* key) {
  const auto attribute = node.attribute(key);
  if (const auto value = all_of<std::uint32_t>(trimmed(attribute.as_string()))) return *value;
  return fail("{}: found {}, expected a whole number from 0 to {}", key,
              attribute ? fmt::format("`{}`", attribute.as_string()) : "none",
              std::numeric_limits<std::uint32_t>::max());
}

WholeRange whole_range(fmi::Type type) noexcept {
  static constexpr std::array ranges{
      whole<std::int8_t>,  whole<std::uint8_t>,  whole<std::int16_t>, whole<std::uint16_t>,
      whole<std::int32_t>, whole<std::uint32_t>, whole<std::int64_t>, whole<std::uint64_t>};
  return ranges[static_cast<std::size_t>(type) - static_cast<std::size_t>(fmi::Type::int8)];
}

Result<double> read_number(std::string_view text, fmi::Type type) {
  text = trimmed(text);
  if (type == fmi::Type::float64 || type == fmi::Type::float32) {
    if (const auto value = all_of<double>(text)) return *value;
    return fail("found `{}`, expected a number", text);
  }
  if (type == fmi::Type::boolean) {
    if (text == "true" || text == "1") return 1.0;
    if (text == "false" || text == "0") return 0.0;
    return fail("found `{}`, expected true or false", text);
  }
  const auto [low, high] = whole_range(type);
  if (low == 0) {
    if (const auto n = all_of<std::uint64_t>(text); n && *n <= high) return static_cast<double>(*n);
  } else if (const auto n = all_of<std::int64_t>(text);
             n && *n >= low && *n <= static_cast<std::int64_t>(high)) {
    return static_cast<double>(*n);
  }
  return fail("found `{}`, expected a whole number from {} to {}", text, low, high);
}

Result<std::vector<double>> read_numbers(std::string_view text, fmi::Type type) {
  std::vector<double> out;
  for (const std::string_view word : words_of(text)) {
    const auto value = read_number(word, type);
    if (!value) return tl::make_unexpected(value.error());
    out.push_back(*value);
  }
  return out;
}

std::optional<std::vector<std::uint32_t>> read_wholes(std::string_view text) {
  std::vector<std::uint32_t> out;
  for (const std::string_view word : words_of(text)) {
    const auto number = all_of<std::uint32_t>(word);
    if (!number) return {};
    out.push_back(*number);
  }
  return out;
}

}  // namespace hild::fmu
