// SPDX-License-Identifier: Apache-2.0
#include "config/write_yaml.hpp"

#include <algorithm>

namespace hild::config {
namespace {

/// Reads back as itself without quotes: nothing that YAML knows a meaning of.
bool plain(std::string_view text) {
  constexpr std::string_view safe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+ %-";
  if (text.empty() || text.find_first_not_of(safe) != text.npos) return false;
  const bool edges = text.front() != ' ' && text.back() != ' ' && text.front() != '-' &&
                     text.front() != '%' && text.front() != '.';
  return edges && text != "null" && text != "Null" && text != "NULL";
}

std::string in_yaml(std::string_view text) {
  if (plain(text)) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

void write_items(const Node& node, std::string& out);

void write(const Node& node, std::string& out) {
  switch (node.kind) {
    case Node::Kind::empty:
      out += '~';
      return;
    case Node::Kind::scalar:
      out += in_yaml(node.scalar);
      return;
    default:
      write_items(node, out);
  }
}

void write_items(const Node& node, std::string& out) {
  const bool map = node.kind == Node::Kind::map;
  out += map ? '{' : '[';
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    if (i > 0) out += ", ";
    if (map) out += in_yaml(node.keys[i]) + ": ";
    write(node.items[i], out);
  }
  out += map ? '}' : ']';
}

void gather(const Node& node, std::vector<const Source*>& seen, std::vector<SourceText>& texts) {
  const Source* const source = node.place.source.get();
  if (source != nullptr && std::ranges::find(seen, source) == seen.end()) {
    seen.push_back(source);
    texts.push_back({source->name, source->text});
  }
  for (const Node& item : node.items) gather(item, seen, texts);
}

}  // namespace

// A line a section; two levels as people write them, the rest in brackets.
std::string write_yaml(const Node& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    const Node& section = tree.items[i];
    out += in_yaml(tree.keys[i]) + ":";
    if (section.kind != Node::Kind::map || section.items.empty()) {
      out += ' ';
      write(section, out);
      out += '\n';
      continue;
    }
    out += '\n';
    for (std::size_t k = 0; k < section.items.size(); ++k) {
      out += "  " + in_yaml(section.keys[k]) + ": ";
      write(section.items[k], out);
      out += '\n';
    }
  }
  return out;
}

std::vector<SourceText> sources_of(const Node& tree) {
  std::vector<const Source*> seen;
  std::vector<SourceText> texts;
  gather(tree, seen, texts);
  return texts;
}

}  // namespace hild::config
