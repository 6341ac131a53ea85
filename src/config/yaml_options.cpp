// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_options.hpp"

#include <algorithm>
#include <map>

#include "config/near_names.hpp"

namespace hild::config {
namespace {

/// Whether the map `name` is what stands under `key`, or one of a list there: "key[1]".
bool is_under(std::string_view name, std::string_view key) {
  return name.starts_with(key) && (name.size() == key.size() || name[key.size()] == '[');
}

}  // namespace

void Findings::add(const ConfigError& refused) {
  if (refused.follows) return;
  const auto same = [&](const ConfigError& e) { return e.error.message == refused.error.message; };
  if (std::ranges::none_of(errors_, same)) errors_.push_back(refused);
}

Error Findings::all() const {
  std::vector<ConfigError> sorted = errors_;
  std::map<const Source*, std::size_t> files;  // in the order in which they were met
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
  if (std::ranges::find(asked_, key) == asked_.end()) asked_.emplace_back(key);
  return node_.find(key);
}

const Node& YamlOptions::required(std::string_view key, std::string_view expected) {
  if (const Node* node = find(key)) return *node;
  for (const std::string& written : node_.keys) {
    const bool known = std::ranges::find(asked_, written) != asked_.end();
    if (known || !near(written, key)) continue;
    mistyped_.push_back(written);
    refuse(node_.find(written)->place, join(path_, written),
           fmt::format("found an unknown key, did you mean \"{}\"?", key));
  }
  refuse(node_.place, join(path_, key), fmt::format("found nothing, expected {}", expected));
}

const Node& YamlOptions::scalar(std::string_view key, std::string_view expected) {
  const Node& node = required(key, expected);
  if (node.kind != Node::Kind::scalar) wrong(key, expected);
  return node;
}

YamlOptions* YamlOptions::child(std::string_view key) {
  const Node* node = find(key);
  if (node == nullptr) return nullptr;
  if (node->kind != Node::Kind::map) wrong(key, "a map such as {key: value}");
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
  if (node->kind != Node::Kind::list) wrong(key, "a list of maps such as [{key: value}]");
  std::vector<YamlOptions*> all;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string name = fmt::format("{}[{}]", key, i + 1);
    const Node& item = node->items[i];
    if (item.kind != Node::Kind::map) {
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
  absent_.push_back({.kind = Node::Kind::map, .place = node_.place});
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
  if (node.place.source != nullptr && node.place.source->setting && !asked_.empty()) {
    return suggest(key, {asked_.begin(), asked_.end()});
  }
  const auto absent = absent_keys();
  if (!absent.empty() || asked_.empty()) return suggest(key, absent);
  return fmt::format("expected no more than \"{}\"", fmt::join(asked_, "\", \""));
}

void YamlOptions::refuse_unknown() {
  if (given_up_ || doubted_) return;
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    if (std::ranges::find(asked_, key) != asked_.end()) continue;
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
  std::ranges::copy_if(asked_, std::back_inserter(absent),
                       [&](const std::string& key) { return may_be_added(key); });
  return absent;
}

}  // namespace hild::config
