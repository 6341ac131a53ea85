// SPDX-License-Identifier: Apache-2.0
#include "config/yaml_options.hpp"

#include <algorithm>

#include "config/near_names.hpp"

namespace hild::config {

const Node* YamlOptions::find(std::string_view key) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  return node_.find(key);
}

const Node& YamlOptions::required(std::string_view key, std::string_view expected) {
  if (const Node* node = find(key)) return *node;
  for (const std::string& written : node_.keys) {
    const bool known = std::find(asked_.begin(), asked_.end(), written) != asked_.end();
    if (known || !near(written, key)) continue;
    refuse(node_.find(written)->place, join(path_, written),
           fmt::format("found an unknown key, did you mean \"{}\"?", key));
  }
  refuse(node_.place, join(path_, key), fmt::format("found nothing, expected {}", expected));
}

const Node& YamlOptions::scalar(std::string_view key, std::string_view expected) {
  const Node& node = required(key, expected);
  if (node.kind != Node::Kind::scalar) mismatch(key, expected);
  return node;
}

YamlOptions* YamlOptions::child(std::string_view key) {
  const Node* node = find(key);
  if (node == nullptr) return nullptr;
  if (node->kind != Node::Kind::map) mismatch(key, "a map such as {key: value}");
  auto& child = children_[std::string(key)];
  if (!child) child = std::make_unique<YamlOptions>(*node, join(path_, key), file_);
  return child.get();
}

std::vector<YamlOptions*> YamlOptions::maps(std::string_view key) {
  const Node* node = find(key);
  if (node == nullptr) return {};
  if (node->kind != Node::Kind::list) mismatch(key, "a list of maps such as [{key: value}]");
  std::vector<YamlOptions*> all;
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    const std::string name = fmt::format("{}[{}]", key, i + 1);
    const Node& item = node->items[i];
    if (item.kind != Node::Kind::map) {
      refuse(item.place, join(path_, name),
             fmt::format("found {}, expected a map such as {{key: value}}", item.found()));
    }
    auto& child = children_[name];
    if (!child) child = std::make_unique<YamlOptions>(item, join(path_, name), file_);
    all.push_back(child.get());
  }
  return all;
}

YamlOptions& YamlOptions::section(std::string_view key) {
  static_cast<void>(required(key, "a map such as {key: value}"));
  return *child(key);
}

void YamlOptions::reject(std::string_view key, std::string_view problem) {
  const Node* node = find(key);
  refuse(node != nullptr ? node->place : node_.place, join(path_, key), problem);
}

void YamlOptions::reject_all(std::string_view problem, ExitCode code) const {
  refuse(node_.place, path_, problem, code);
}

void YamlOptions::mismatch(std::string_view key, std::string_view expected, std::string_view why) {
  const Node* node = find(key);
  const std::string reason = why.empty() ? "" : fmt::format(" ({})", why);
  reject(key, fmt::format("found {}, expected {}{}", node != nullptr ? node->found() : "nothing",
                          expected, reason));
}

void YamlOptions::no_such(std::string_view key, std::string_view expected,
                          const std::vector<std::string_view>& known) {
  const std::string_view found = required(key, expected).scalar;
  mismatch(key, expected, suggest(found, known));
}

void YamlOptions::names_only(std::string_view owner, const std::vector<std::string_view>& known) {
  for (const std::string& key : node_.keys) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    reject(key, fmt::format("found \"{}\", expected {} ({})", key, owner, suggest(key, known)));
  }
}

void YamlOptions::refuse_unknown() const {
  for (std::size_t i = 0; i < node_.keys.size(); ++i) {
    const std::string& key = node_.keys[i];
    if (std::find(asked_.begin(), asked_.end(), key) != asked_.end()) continue;
    const std::vector<std::string_view> known(asked_.begin(), asked_.end());
    refuse(node_.items[i].place, join(path_, key),
           fmt::format("found an unknown key, {}", suggest(key, known)));
  }
  for (const auto& [key, child] : children_) child->refuse_unknown();
}

}  // namespace hild::config
