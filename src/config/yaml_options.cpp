// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "config/near_names.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

/// Whether the map `name` is what stands under `key`, or one of a list there: "key[1]".
bool is_under(std::string_view name, std::string_view key) {
  return name.starts_with(key) && (name.size() == key.size() || name[key.size()] == '[');
}

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

void Findings::add(const ConfigError& refused) {
  if (refused.follows) return;
  const auto same = [&](const ConfigError& e) { return e.error.message == refused.error.message; };
  if (std::ranges::none_of(errors_, same)) errors_.push_back(refused);
}

Error Findings::all() const {
  std::vector<ConfigError> sorted = errors_;
  std::map<const TextSource*, std::size_t> files;  // in the order in which they were met
  for (const ConfigError& e : errors_) files.try_emplace(e.place.source.get(), files.size());
  std::ranges::stable_sort(sorted, {}, [&](const ConfigError& e) {
    return std::pair(files.at(e.place.source.get()), e.place.line);
  });
  Error all = sorted.front().error;
  const std::size_t told = std::min(sorted.size(), most_told);
  for (std::size_t i = 1; i < told; ++i) {
    all.message += "\n" + sorted[i].error.message;
    if (sorted[i].error.code != all.code) all.code = ExitCode::usage;
  }
  if (told < sorted.size()) {
    all.message += fmt::format("\nand {} more errors", sorted.size() - told);
  }
  return all;
}

const Node* YamlOptions::find(std::string_view key) {
  if (asked_.all.emplace(key).second) asked_.in_order.emplace_back(key);
  return node_.find(key);
}

const Node& YamlOptions::required(std::string_view key, std::string_view expected) {
  if (const Node* node = find(key)) return *node;
  for (const std::string& written : node_.keys) {
    if (asked_.all.contains(written) || !near(written, key)) continue;
    mistyped_.push_back(written);
    refuse(node_.find(written)->place, join(path_, written),
           fmt::format("found an unknown key, did you mean \"{}\"?", key));
  }
  refuse(node_.place, join(path_, key), fmt::format("found nothing, expected {}", expected));
}

const Node& YamlOptions::scalar(std::string_view key, std::string_view expected) {
  const Node& node = required(key, expected);
  if (node.kind != Node::Type::scalar) wrong(key, expected);
  return node;
}

bool YamlOptions::is_map(std::string_view key) {
  const Node* node = find(key);
  return node != nullptr && node->kind == Node::Type::map;
}

YamlOptions* YamlOptions::child(std::string_view key) {
  const Node* node = find(key);
  if (node == nullptr) return nullptr;
  if (node->kind != Node::Type::map) wrong(key, "a map such as {key: value}");
  return &below(std::string(key), *node);
}

YamlOptions& YamlOptions::below(const std::string& key, const Node& node) {
  auto& child = children_[key];
  if (!child) {
    child = std::make_unique<YamlOptions>(node, join(path_, key), file_, &findings_);
    const bool doubted =
        std::ranges::any_of(doubted_keys_, [&](const auto& of) { return is_under(key, of); });
    child->doubted_ = doubted_ || doubted;
  }
  return *child;
}

std::vector<YamlOptions*> YamlOptions::maps(std::string_view key) {
  const Node* node = find(key);
  if (node == nullptr) return {};
  if (node->kind != Node::Type::list) wrong(key, "a list of maps such as [{key: value}]");
  std::vector<YamlOptions*> all;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string name = fmt::format("{}[{}]", key, i + 1);
    const Node& item = node->items[i];
    if (item.kind != Node::Type::map) {
      refuse(item.place, join(path_, name),
             fmt::format("found {}, expected a map such as {{key: value}}", item.found()));
    }
    all.push_back(&below(name, item));
  }
  return all;
}

YamlOptions& YamlOptions::section(std::string_view key) {
  static_cast<void>(required(key, "a map such as {key: value}"));
  return *child(key);
}

YamlOptions& YamlOptions::map(std::string_view key) {
  if (YamlOptions* there = child(key)) return *there;
  absent_.push_back({.kind = Node::Type::map, .place = node_.place});
  return below(std::string(key), absent_.back());
}

void YamlOptions::give_up(std::string_view key) {
  findings_.mark_broken(join(path_, key));
  for (auto& [name, child] : children_) {
    if (is_under(name, key)) child->give_up();
  }
}

void YamlOptions::give_up() {
  damaged_ = given_up_ = true;
  for (auto& [name, child] : children_) child->give_up();
}

void YamlOptions::doubt(std::string_view key) {
  static_cast<void>(find(key));
  doubted_keys_.emplace_back(key);
  for (auto& [name, child] : children_) {
    if (is_under(name, key)) child->doubt();
  }
}

void YamlOptions::doubt() {
  doubted_ = true;
  for (auto& [name, child] : children_) child->doubt();
}

bool YamlOptions::damaged() const {
  return damaged_ ||
         std::ranges::any_of(children_, [](const auto& entry) { return entry.second->damaged(); });
}

void YamlOptions::refuse_once() const {
  // The sections are apart from each other.
  if (doubted_ || (path_.empty() ? damaged_ : damaged())) follow();
}

void YamlOptions::reject(std::string_view key, std::string_view problem) {
  refuse_once();
  refuse_key(key, problem);
}

void YamlOptions::refuse_key(std::string_view key, std::string_view problem) {
  const Node* node = find(key);
  refuse(node != nullptr ? node->place : node_.place, join(path_, key), problem);
}

void YamlOptions::reject_all(std::string_view problem, ExitCode code) const {
  refuse_once();
  refuse(node_.place, path_, problem, code);
}

void YamlOptions::mismatch(std::string_view key, std::string_view expected, std::string_view why) {
  refuse_once();
  wrong(key, expected, why);
}

void YamlOptions::wrong(std::string_view key, std::string_view expected, std::string_view why) {
  const Node* node = find(key);
  const std::string reason = why.empty() ? "" : fmt::format(" ({})", why);
  refuse_key(key, fmt::format("found {}, expected {}{}",
                              node != nullptr ? node->found() : "nothing", expected, reason));
}

void YamlOptions::no_such(std::string_view key, std::string_view expected,
                          const std::vector<std::string_view>& known) {
  const std::string_view found = required(key, expected).scalar;
  if (doubted_) follow();
  wrong(key, expected, suggest(found, known));
}

void YamlOptions::names_only(std::string_view owner, const std::vector<std::string_view>& known) {
  if (doubted_) return;
  std::vector<std::string_view> free;  // to suggest what is there already helps nobody
  std::ranges::copy_if(known, std::back_inserter(free),
                       [&](std::string_view name) { return node_.find(name) == nullptr; });
  for (const std::string& key : node_.keys) {
    if (std::ranges::find(known, key) != known.end()) continue;
    if (std::ranges::find(mistyped_, key) != mistyped_.end()) continue;
    mistyped_.push_back(key);
    attempt([&] {
      refuse_key(key, fmt::format("found \"{}\", expected {} ({})", key, owner,
                                  suggest(key, free.empty() ? known : free)));
    });
  }
}

std::string YamlOptions::hint_for(const Node& node, std::string_view key) const {
  // A setting replaces what is there: it may have meant that too.
  if (node.place.source != nullptr && node.place.source->setting && !asked_.in_order.empty()) {
    return suggest(key, {asked_.in_order.begin(), asked_.in_order.end()});
  }
  const auto absent = absent_keys();
  if (!absent.empty() || asked_.in_order.empty()) return suggest(key, absent);
  return fmt::format("expected no more than \"{}\"", fmt::join(asked_.in_order, "\", \""));
}

void YamlOptions::refuse_unknown() {
  if (given_up_ || doubted_) return;
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    if (asked_.all.contains(key)) continue;
    if (std::ranges::find(mistyped_, key) != mistyped_.end()) continue;
    attempt([&] {
      refuse(node_.items[i].place, join(path_, key),
             fmt::format("found an unknown key, {}", hint_for(node_.items[i], key)));
    });
  }
  for (const auto& [key, child] : children_) child->refuse_unknown();
}

bool YamlOptions::may_be_added(const std::string& key) const {
  if (node_.find(key) != nullptr) return false;
  return std::ranges::none_of(exclusive_, [&](const auto& group) {
    return std::ranges::find(group, key) != group.end() &&
           std::ranges::any_of(group,
                               [&](const auto& other) { return node_.find(other) != nullptr; });
  });
}

// What is there already, or stands against what is, would be refused in its turn.
std::vector<std::string_view> YamlOptions::absent_keys() const {
  std::vector<std::string_view> absent;
  std::ranges::copy_if(asked_.in_order, std::back_inserter(absent),
                       [&](const std::string& key) { return may_be_added(key); });
  return absent;
}

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
  return value_or(key, fallback, std::clamp(1.0, allowed.low, allowed.high), [&] {
    const std::string expected = describe(unit, allowed);
    const auto value = quantity(scalar(key, expected).scalar, unit);
    if (!value) wrong(key, expected, value.error().message);
    if (*value < allowed.low || *value > allowed.high) wrong(key, expected);
    return *value;
  });
}

std::int64_t YamlOptions::integer(std::string_view key, std::int64_t low, std::int64_t high,
                                  std::optional<std::int64_t> fallback) {
  return value_or(key, fallback, low, [&] {
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
  return value_or(key, fallback, Duration{1'000'000}, [&] {
    constexpr std::string_view expected = "a time of whole nanoseconds, such as \"10 ms\"";
    const auto value = exact_duration(scalar(key, expected).scalar);
    if (!value) wrong(key, expected, value.error().message);
    return *value;
  });
}

bool YamlOptions::boolean(std::string_view key, std::optional<bool> fallback) {
  return value_or(key, fallback, false, [&] {
    const std::string& text = scalar(key, "true or false").scalar;
    if (text != "true" && text != "false") wrong(key, "true or false");
    return text == "true";
  });
}

std::string_view YamlOptions::text(std::string_view key, std::optional<std::string_view> fallback) {
  if (fallback && !has(key)) return *fallback;
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
  return value_or(key, fallback, std::size_t{0}, [&] {
    const auto expected = fmt::format("one of \"{}\"", fmt::join(words, "\", \""));
    const auto word = std::ranges::find(words, scalar(key, expected).scalar);
    if (word == words.end()) wrong(key, expected);
    return static_cast<std::size_t>(word - words.begin());
  });
}

io::Interval YamlOptions::interval(std::string_view key, std::string_view unit,
                                   std::optional<io::Interval> fallback) {
  return value_or(key, fallback, io::Interval{-1, 1}, [&] {
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
  if (list.kind != Node::Type::list) wrong(key, expected);
  std::vector<double> values;
  for (const Node& item : list.items) {
    const auto value = item.kind == Node::Type::scalar ? quantity(item.scalar, unit)
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
  if (node.kind == Node::Type::scalar) return {text(key)};
  if (node.kind != Node::Type::list) wrong(key, expected);
  std::vector<std::string_view> words;
  for (const Node& item : node.items) {
    if (item.kind != Node::Type::scalar || item.scalar.empty()) {
      refuse_key(key, fmt::format("found {} in the list, expected a word", item.found()));
    }
    words.push_back(item.scalar);
  }
  return words;
}

std::string_view YamlOptions::path(std::string_view key) {
  const Node& node = scalar(key, "the path of a file");
  if (node.scalar.empty()) wrong(key, "the path of a file");
  return files_[&node] = (node.place.source->directory / node.scalar).string();
}

std::map<const Node*, std::string> YamlOptions::files() const {
  std::map<const Node*, std::string> all = files_;
  for (const auto& [key, child] : children_) all.merge(child->files());
  return all;
}

}  // namespace hild::config
