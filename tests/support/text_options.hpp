// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a driver may read, from a list of keys and texts, maps written as dotted keys:
///   TextOptions entry{{"channel", "0"}, {"source.constant", "1 V"}};
/// Refuses as the configuration does, by an exception that names the key. Quantities are in the
/// very unit that is asked for, times in s, ms, us or ns.
#pragma once

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include "hild/io/options.hpp"

namespace hild::test {

struct Rejected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class TextOptions : public io::Options {
 public:
  using Texts = std::map<std::string, std::string, std::less<>>;

  TextOptions() = default;
  TextOptions(std::initializer_list<Texts::value_type> texts)  // NOLINT: options as written
      : texts_(texts) {}
  explicit TextOptions(Texts texts) : texts_(std::move(texts)) {}

  bool has(std::string_view key) override {
    asked_.emplace(key);
    const auto inside = texts_.lower_bound(prefix(key));
    return texts_.contains(key) ||
           (inside != texts_.end() && inside->first.starts_with(prefix(key)));
  }
  double number(std::string_view key, std::string_view unit, std::optional<double> fallback,
                io::Interval allowed) override {
    if (fallback && !has(key)) return *fallback;
    const double value = convert(key, text(key, {}), unit);
    if (!(value >= allowed.low && value <= allowed.high)) reject(key, "not in the allowed range");
    return value;
  }
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback) override {
    if (fallback && !has(key)) return *fallback;
    const auto written = text(key, {});
    std::int64_t value = 0;
    const auto end = written.data() + written.size();
    const auto read = std::from_chars(written.data(), end, value);
    if (read.ec != std::errc{} || read.ptr != end) reject(key, "not a whole number");
    if (value < low || value > high) reject(key, "not in the allowed range");
    return value;
  }
  Duration duration(std::string_view key, std::optional<Duration> fallback) override {
    if (fallback && !has(key)) return *fallback;
    const auto [value, unit] = split(key, text(key, {}));
    for (const auto& [word, length] :
         {std::pair{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1.0}}) {
      if (unit == word && value >= 0) return from_seconds(value * length / 1e9);
    }
    reject(key, "not a time such as 10 ms");
  }
  bool boolean(std::string_view key, std::optional<bool> fallback) override {
    if (fallback && !has(key)) return *fallback;
    return choice(key, {"false", "true"}, {}) == 1;
  }
  std::string_view text(std::string_view key, std::optional<std::string_view> fallback) override {
    if (fallback && !has(key)) return *fallback;
    asked_.emplace(key);
    const auto at = texts_.find(key);
    if (at == texts_.end()) reject(key, "found nothing, expected a value");
    return at->second;
  }
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                     std::optional<std::size_t> fallback) override {
    if (fallback && !has(key)) return *fallback;
    const auto at = std::find(words.begin(), words.end(), text(key, {}));
    if (at == words.end()) reject(key, "not one of the words");
    return static_cast<std::size_t>(at - words.begin());
  }
  io::Interval interval(std::string_view key, std::string_view unit,
                        std::optional<io::Interval> fallback) override {
    if (fallback && !has(key)) return *fallback;
    const auto written = text(key, {});
    const auto dots = written.find("..");
    if (dots == written.npos) reject(key, "not an interval");
    return {convert(key, written.substr(0, dots), unit),
            convert(key, written.substr(dots + 2), unit)};
  }
  std::vector<double> numbers(std::string_view key, std::string_view) override {
    reject(key, "lists are not faked");
  }
  TextOptions* child(std::string_view key) override {
    if (!has(key)) return nullptr;
    if (texts_.contains(key)) reject(key, "found a text, expected a map");
    Texts inside;
    for (const auto& [name, text] : texts_) {
      if (name.starts_with(prefix(key))) inside.emplace(name.substr(key.size() + 1), text);
    }
    auto& child = children_[std::string(key)];
    if (!child) child = inner(std::move(inside));
    return child.get();
  }
  std::string_view path(std::string_view key) override { return text(key, {}); }
  [[noreturn]] void reject(std::string_view key, std::string_view problem) final {
    throw Rejected(fmt::format("{}: {}", key, problem));
  }

  /// Keys written but never asked for, in maps too: what the configuration calls unknown.
  [[nodiscard]] std::set<std::string> unknown() const {
    std::set<std::string> names;
    for (const auto& [name, text] : texts_) {
      if (const auto key = name.substr(0, name.find('.')); !asked_.contains(key)) names.insert(key);
    }
    for (const auto& [key, child] : children_) names.merge(child->unknown());
    return names;
  }

 protected:
  /// The number of a quantity that is written in `unit`.
  virtual double convert(std::string_view key, std::string_view written, std::string_view unit) {
    const auto [value, found] = split(key, written);
    if (found != (unit == "1" ? "" : unit)) reject(key, fmt::format("not a quantity in {}", unit));
    return value;
  }
  /// Of the same kind, for a map.
  [[nodiscard]] virtual std::unique_ptr<TextOptions> inner(Texts inside) const {
    return std::make_unique<TextOptions>(std::move(inside));
  }

 private:
  static std::string prefix(std::string_view key) { return std::string(key) + "."; }

  std::pair<double, std::string_view> split(std::string_view key, std::string_view written) {
    double value = 0;
    const char* const end = written.data() + written.size();
    const auto read = std::from_chars(written.data(), end, value);
    if (read.ec != std::errc{}) reject(key, "not a number");
    std::string_view unit(read.ptr, static_cast<std::size_t>(end - read.ptr));
    while (unit.starts_with(' ')) unit.remove_prefix(1);
    return {value, unit};
  }

  Texts texts_;
  std::set<std::string, std::less<>> asked_;
  std::map<std::string, std::unique_ptr<TextOptions>, std::less<>> children_;
};

}  // namespace hild::test
