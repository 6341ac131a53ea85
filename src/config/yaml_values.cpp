// SPDX-License-Identifier: Apache-2.0
/// \file
/// The values of YamlOptions: text into numbers, words and times.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "config/yaml_options.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// The bounds in words, with a comma before; empty when there are none.
std::string within(std::string_view unit, io::Interval allowed) {
  const std::string tail = unit == "1" ? "" : fmt::format(" {}", unit);
  const bool low = std::isfinite(allowed.low);
  const bool high = std::isfinite(allowed.high);
  if (low && high) return fmt::format(", {}{}..{}{}", allowed.low, tail, allowed.high, tail);
  if (low) return fmt::format(", at least {}{}", allowed.low, tail);
  if (high) return fmt::format(", at most {}{}", allowed.high, tail);
  return {};
}

std::string example(std::string_view unit) {
  return unit == "1" ? "" : fmt::format(", such as \"1 {}\"", unit);
}

Result<io::Interval> parse_interval(std::string_view text, std::string_view unit) {
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) return fail("there is no \"..\"");
  const auto low = quantity(text.substr(0, dots), unit);
  if (!low) return tl::make_unexpected(low.error());
  const auto high = quantity(text.substr(dots + 2), unit);
  if (!high) return tl::make_unexpected(high.error());
  if (!(*low < *high)) return fail("the first must be below the second");
  return io::Interval{*low, *high};
}

}  // namespace

std::string describe(std::string_view unit, io::Interval allowed) {
  const std::string kind = unit == "1" ? "a number" : fmt::format("a quantity in {}", unit);
  const std::string bounds = within(unit, allowed);
  return kind + (bounds.empty() ? example(unit) : bounds);
}

Result<Duration> exact_duration(std::string_view text) {
  constexpr double longest = 3.2e18;
  const auto ns = quantity(text, "ns");
  if (!ns) return tl::make_unexpected(ns.error());
  if (*ns < 0 || *ns > longest) return fail("out of range");
  const double whole = std::round(*ns);
  // 0.3 ms is 299 999.99999999997 ns in binary: as good as whole.
  if (std::abs(*ns - whole) > 4 * std::numeric_limits<double>::epsilon() * whole) {
    return fail("{} is not a whole number of nanoseconds", text);
  }
  return Duration{static_cast<std::int64_t>(whole)};
}

double YamlOptions::number(std::string_view key, std::string_view unit,
                           std::optional<double> fallback, io::Interval allowed) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(std::clamp(1.0, allowed.low, allowed.high)), [&] {
    const std::string expected = describe(unit, allowed);
    const auto value = quantity(scalar(key, expected).scalar, unit);
    if (!value) wrong(key, expected, value.error().message);
    if (*value < allowed.low || *value > allowed.high) wrong(key, expected);
    return *value;
  });
}

std::int64_t YamlOptions::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                  std::optional<std::int64_t> fallback) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(low), [&] {
    const std::string expected = fmt::format("a whole number, {}..{}", low, high);
    const std::string& text = scalar(key, expected).scalar;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (!whole || value < low || value > high) wrong(key, expected);
    return value;
  });
}

Duration YamlOptions::duration(std::string_view key, std::optional<Duration> fallback) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(Duration{1'000'000}), [&] {
    constexpr std::string_view expected = "a time of whole nanoseconds, such as \"10 ms\"";
    const auto value = exact_duration(scalar(key, expected).scalar);
    if (!value) wrong(key, expected, value.error().message);
    return *value;
  });
}

bool YamlOptions::boolean(std::string_view key, std::optional<bool> fallback) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(false), [&] {
    const std::string& text = scalar(key, "true or false").scalar;
    if (text != "true" && text != "false") wrong(key, "true or false");
    return text == "true";
  });
}

std::string_view YamlOptions::text(std::string_view key, std::optional<std::string_view> fallback) {
  if (absent(key, fallback)) return *fallback;
  const std::string& text = scalar(key, "a word").scalar;
  if (text.empty()) wrong(key, "a word");
  return text;
}

std::size_t YamlOptions::choice(std::string_view key, std::initializer_list<std::string_view> words,
                                std::optional<std::size_t> fallback) {
  return choice(key, std::span(words.begin(), words.size()), fallback);
}

std::size_t YamlOptions::choice(std::string_view key, std::span<const std::string_view> words,
                                std::optional<std::size_t> fallback) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(0), [&] {
    const auto expected = fmt::format("one of \"{}\"", fmt::join(words, "\", \""));
    const auto word = std::ranges::find(words, scalar(key, expected).scalar);
    if (word == words.end()) wrong(key, expected);
    return static_cast<std::size_t>(word - words.begin());
  });
}

io::Interval YamlOptions::interval(std::string_view key, std::string_view unit,
                                   std::optional<io::Interval> fallback) {
  if (absent(key, fallback)) return *fallback;
  return value_or(fallback.value_or(io::Interval{-1, 1}), [&] {
    const std::string tail = unit == "1" ? "" : fmt::format(" {}", unit);
    const std::string expected = fmt::format("an interval such as \"-1{0}..1{0}\"", tail);
    const auto value = parse_interval(scalar(key, expected).scalar, unit);
    if (!value) wrong(key, expected, value.error().message);
    return *value;
  });
}

std::vector<double> YamlOptions::numbers(std::string_view key, std::string_view unit) {
  const std::string expected = fmt::format("a list, each {}", describe(unit, {}));
  const Node& list = required(key, expected);
  if (list.kind != Node::Kind::list) wrong(key, expected);
  std::vector<double> values;
  for (const Node& item : list.items) {
    const auto value = item.kind == Node::Kind::scalar ? quantity(item.scalar, unit)
                                                       : fail("neither number nor quantity");
    if (!value) {
      refuse_key(key, fmt::format("found {} in the list, expected {} ({})", item.found(),
                                  describe(unit, {}), value.error().message));
    }
    values.push_back(*value);
  }
  return values;
}

std::vector<std::string_view> YamlOptions::words(std::string_view key) {
  constexpr std::string_view expected = "a list of words such as [one, another]";
  const Node& node = required(key, expected);
  if (node.kind == Node::Kind::scalar) return {text(key)};
  if (node.kind != Node::Kind::list) wrong(key, expected);
  std::vector<std::string_view> words;
  for (const Node& item : node.items) {
    if (item.kind != Node::Kind::scalar || item.scalar.empty()) {
      refuse_key(key, fmt::format("found {} in the list, expected a word", item.found()));
    }
    words.push_back(item.scalar);
  }
  return words;
}

std::string_view YamlOptions::path(std::string_view key) {
  const Node& node = scalar(key, "the path of a file");
  if (node.scalar.empty()) wrong(key, "the path of a file");
  return files_.emplace_back((node.place.source->directory / node.scalar).string());
}

}  // namespace hild::config
