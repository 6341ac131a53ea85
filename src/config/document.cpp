// SPDX-License-Identifier: Apache-2.0
#include "config/document.hpp"

#include <algorithm>

#include "config/include.hpp"
#include "config/parse.hpp"

namespace hild::config {
namespace {

void apply(Node& root, const Setting& setting) {
  const auto source = std::make_shared<const Source>(
      Source{"--set " + setting.key, std::filesystem::current_path(), true, setting.value});
  const Place place{source, 1};
  if (static_cast<std::size_t>(std::count(setting.key.begin(), setting.key.end(), '.')) >=
      max_depth) {
    refuse(place, "", fmt::format("nested deeper than {} levels", max_depth));
  }
  Node* node = &root;
  std::string_view rest = setting.key;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    if (key.empty()) refuse(place, "", "found an empty key, expected one such as frame.period");
    if (node->find(key) == nullptr) node->put(key, Node{.place = place});
    node = node->find(key);
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
    if (node->kind == Node::Kind::empty) node->kind = Node::Kind::map;
    if (node->kind != Node::Kind::map) {
      refuse(place, "", fmt::format("found {} at \"{}\", expected a map", node->found(), key));
    }
  }
  *node = parse(setting.value, source);
  node->place = place;
}

void apply_all(Node& root, const std::vector<Setting>& settings) {
  for (const Setting& setting : settings) apply(root, setting);
}

}  // namespace

Node read_document(const std::string& file, const std::vector<Setting>& settings) {
  Node root = read_with_includes(file);
  apply_all(root, settings);
  return root;
}

Node read_text(const std::string& text, const std::string& name,
               const std::vector<Setting>& settings) {
  Node root = parse_sections(text, name);
  if (const Node* include = root.find(include_key)) {
    refuse(include->place, include_key, "a text in memory includes no files");
  }
  apply_all(root, settings);
  return root;
}

}  // namespace hild::config
