// SPDX-License-Identifier: Apache-2.0
#include "control/server/params.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "config/near_names.hpp"
#include "control/server/refused.hpp"
#include "hild/core/units.hpp"

namespace hild::server {
namespace {

using rpc::Code;

std::string bounds(std::string_view unit, io::Interval allowed) {
  const std::string tail = unit == "1" ? "" : fmt::format(" {}", unit);
  const bool low = std::isfinite(allowed.low);
  const bool high = std::isfinite(allowed.high);
  if (low && high) return fmt::format(", {}..{}{}", allowed.low, allowed.high, tail);
  if (low) return fmt::format(", at least {}{}", allowed.low, tail);
  if (high) return fmt::format(", at most {}{}", allowed.high, tail);
  return {};
}

std::string describe(std::string_view unit, io::Interval allowed) {
  if (unit == "1") return "a number" + bounds(unit, allowed);
  return fmt::format("a number in {}, or a text with a unit{}", unit, bounds(unit, allowed));
}

/// A whole number, also where it is written as a double; nothing else.
std::optional<std::int64_t> whole(const json::value& v) {
  if (const auto* i = v.if_int64()) return *i;
  const auto* const d = v.if_double();
  constexpr double exact = 9007199254740992.0;  // up to which a double holds every whole number
  if (d == nullptr || *d != std::trunc(*d) || std::abs(*d) > exact) return std::nullopt;
  return static_cast<std::int64_t>(*d);
}

}  // namespace

std::string found(const json::value& v) {
  constexpr std::size_t longest = 80;
  if (v.is_array()) return "a list";
  if (v.is_object()) return "an object";
  if (const double* d = v.if_double()) return fmt::format("{}", *d);
  std::string text = json::serialize(v);
  if (text.size() <= longest) return text;
  std::size_t cut = longest;  // never within a character of several bytes
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0U) == 0x80U) --cut;
  return text.substr(0, cut) + "...";
}

double quantity_of(const json::value& v, std::string_view called, std::string_view unit,
                   io::Interval allowed) {
  double value = NAN;
  std::string why;
  if (v.is_number()) {
    value = v.to_number<double>();
  } else if (const auto* text = v.if_string()) {
    const auto converted = quantity(std::string_view(*text), unit);
    if (converted) value = *converted;
    if (!converted) why = fmt::format(" ({})", converted.error().message);
  }
  if (std::isfinite(value) && value >= allowed.low && value <= allowed.high) return value;
  refuse(Code::invalid_params, "{}: found {}, expected {}{}", called, found(v),
         describe(unit, allowed), why);
}

const json::value* Params::find(std::string_view key) {
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
  return params_.if_contains(key);
}

const json::value& Params::required(std::string_view key, std::string_view expected) {
  if (const json::value* v = find(key)) return *v;
  // A misspelt one tells more than a missing one.
  for (const auto& member : params_) {
    const std::string_view written = member.key();
    const bool known = std::ranges::find(asked_, written) != asked_.end();
    if (known || !config::near(written, key)) continue;
    reject(written, fmt::format("unknown param, did you mean \"{}\"?", key));
  }
  reject(key, fmt::format("missing, expected {}", expected));
}

std::string Params::name_of(std::string_view key) const {
  return fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", key);
}

void Params::reject(std::string_view key, std::string_view problem) const {
  refuse(Code::invalid_params, "{}: {}", name_of(key), problem);
}

void Params::mismatch(std::string_view key, const json::value& v, std::string_view expected) const {
  reject(key, fmt::format("found {}, expected {}", found(v), expected));
}

double Params::number(std::string_view key, std::string_view unit, std::optional<double> fallback,
                      io::Interval allowed) {
  if (fallback && !has(key)) return *fallback;
  return quantity_of(required(key, describe(unit, allowed)), name_of(key), unit, allowed);
}

std::int64_t Params::integer(std::string_view key, std::int64_t low, std::int64_t high,
                             std::optional<std::int64_t> fallback) {
  if (fallback && !has(key)) return *fallback;
  const std::string expected = high == INT64_MAX ? fmt::format("a whole number, at least {}", low)
                                                 : fmt::format("a whole number, {}..{}", low, high);
  const json::value& v = required(key, expected);
  const auto n = whole(v);
  if (!n || *n < low || *n > high) mismatch(key, v, expected);
  return *n;
}

bool Params::boolean(std::string_view key, bool fallback) {
  const json::value* const v = find(key);
  if (v == nullptr) return fallback;
  if (!v->is_bool()) mismatch(key, *v, "true or false");
  return v->get_bool();
}

std::string Params::text(std::string_view key) {
  const json::value& v = required(key, "a text");
  if (!v.is_string()) mismatch(key, v, "a text");
  return std::string(v.get_string());
}

std::size_t Params::choice(std::string_view key, std::span<const exec::Word> words) {
  std::string expected;
  for (const exec::Word& word : words) {
    expected += fmt::format("{}\"{}\"", expected.empty() ? "one of " : ", ", word.name);
  }
  const json::value& v = required(key, expected);
  std::string_view text;
  if (const auto* written = v.if_string()) text = std::string_view(*written);
  const auto word = std::ranges::find(words, text, &exec::Word::name);
  if (word == words.end()) mismatch(key, v, expected);
  return static_cast<std::size_t>(word - words.begin());
}

std::vector<std::string> Params::texts(std::string_view key) {
  std::vector<std::string> all;
  for (const json::value& v : list(key)) {
    if (!v.is_string()) mismatch(key, v, "texts only");
    all.emplace_back(v.get_string());
  }
  return all;
}

std::vector<double> Params::numbers(std::string_view key, std::string_view unit) {
  std::vector<double> all;
  for (const json::value& v : list(key)) all.push_back(quantity_of(v, name_of(key), unit));
  return all;
}

Duration Params::duration(std::string_view key) {
  return from_seconds(number(key, "s", {}, {0, 1e9}));
}

const json::object& Params::object(std::string_view key) {
  const json::value& v = required(key, "an object");
  if (!v.is_object()) mismatch(key, v, "an object such as {\"name\": value}");
  return v.get_object();
}

const json::array& Params::list(std::string_view key) {
  const json::value& v = required(key, "a list");
  if (!v.is_array()) mismatch(key, v, "a list");
  return v.get_array();
}

void Params::refuse_unknown() const {
  for (const auto& member : params_) {
    const std::string_view key = member.key();
    if (std::ranges::find(asked_, key) != asked_.end()) continue;
    const std::vector<std::string_view> known(asked_.begin(), asked_.end());
    reject(found(json::value(key)), "unknown param, " + config::suggest(key, known));
  }
}

}  // namespace hild::server
