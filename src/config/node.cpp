// SPDX-License-Identifier: Apache-2.0
#include "config/node.hpp"

#include <algorithm>

namespace hild::config {

std::string Position::text() const {
  return source->setting ? source->name : fmt::format("{}:{}", source->name, line);
}

namespace {

// The number of a key; that of keys where it is not there. Keys only follow those of the index.
std::size_t place_of(std::string_view key, const Node& map) {
  constexpr std::size_t few = 32;
  const auto& keys = map.keys;
  std::size_t indexed = map.index ? map.index->size() : 0;
  if (keys.size() > 2 * indexed + few) {
    auto index = std::make_shared<std::unordered_map<std::string, std::size_t>>();
    for (std::size_t i = 0; i < keys.size(); ++i) index->emplace(keys[i], i);
    map.index = std::move(index);
    indexed = keys.size();
  }
  if (indexed > 0) {
    const auto found = map.index->find(std::string(key));
    if (found != map.index->end()) return found->second;
  }
  const auto rest = keys.begin() + static_cast<std::ptrdiff_t>(indexed);
  return static_cast<std::size_t>(std::find(rest, keys.end(), key) - keys.begin());
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const std::size_t at = place_of(key, *this);
  return at == keys.size() ? nullptr : &items[at];
}

Node* Node::find(std::string_view key) {
  return const_cast<Node*>(static_cast<const Node&>(*this).find(key));
}

void Node::put(std::string_view key, Node value) {
  if (Node* old = find(key)) {
    *old = std::move(value);
    return;
  }
  keys.emplace_back(key);
  items.push_back(std::move(value));
}

void Node::remove(std::string_view key) {
  const auto it = std::find(keys.begin(), keys.end(), key);
  if (it == keys.end()) return;
  items.erase(items.begin() + (it - keys.begin()));
  keys.erase(it);
  index.reset();
}

std::size_t Node::size() const {
  std::size_t n = 1;
  for (const Node& item : items) n += item.size();
  return n;
}

std::string Node::found() const {
  constexpr std::size_t most_shown = 80;
  switch (kind) {
    case Type::empty:
      return "nothing";
    case Type::list:
      return "a list";
    case Type::map:
      return "a map";
    case Type::scalar:
      break;
  }
  if (scalar.size() <= most_shown) return fmt::format("\"{}\"", scalar);
  std::size_t cut = most_shown;  // never within a character of several bytes
  while (cut > 0 && (static_cast<unsigned char>(scalar[cut]) & 0xC0U) == 0x80U) --cut;
  return fmt::format("\"{}...\"", std::string_view(scalar).substr(0, cut));
}

void refuse(const Position& place, std::string_view path, std::string_view problem, ExitCode code) {
  throw ConfigError{
      {fmt::format("{}: {}{}{}", place.text(), path, path.empty() ? "" : ": ", problem), code},
      place};
}

std::string join(std::string_view path, std::string_view key) {
  return fmt::format("{}{}{}", path, path.empty() ? "" : ".", key);
}

}  // namespace hild::config
