// SPDX-License-Identifier: Apache-2.0
#include "config/write_yaml.hpp"

#include <yaml-cpp/yaml.h>

#include <algorithm>

namespace hild::config {
namespace {

/// Quoted where it would be taken for something else. The library leaves DEL as it is, which no
/// reader takes.
void write(const std::string& text, YAML::Emitter& out) {
  if (text.find('\x7f') != text.npos) out << YAML::DoubleQuoted << YAML::EscapeNonAscii;
  out << text;
}

void write(const Node& node, YAML::Emitter& out) {
  switch (node.kind) {
    case Node::Kind::empty:
      out << YAML::Null;
      return;
    case Node::Kind::scalar:
      write(node.scalar, out);
      return;
    case Node::Kind::list:
      out << YAML::Flow << YAML::BeginSeq;
      for (const Node& item : node.items) write(item, out);
      out << YAML::EndSeq;
      return;
    case Node::Kind::map:
      out << YAML::Flow << YAML::BeginMap;
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        out << YAML::Key;
        write(node.keys[i], out);
        out << YAML::Value;
        write(node.items[i], out);
      }
      out << YAML::EndMap;
  }
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

// Two levels as people write them, the rest in brackets.
std::string write_yaml(const Node& tree) {
  YAML::Emitter out;
  out << YAML::BeginMap;
  for (std::size_t i = 0; i < tree.items.size(); ++i) {
    const Node& section = tree.items[i];
    out << YAML::Key << tree.keys[i] << YAML::Value;
    if (section.kind != Node::Kind::map || section.items.empty()) {
      write(section, out);
      continue;
    }
    out << YAML::Block << YAML::BeginMap;
    for (std::size_t k = 0; k < section.items.size(); ++k) {
      out << YAML::Key << section.keys[k] << YAML::Value;
      write(section.items[k], out);
    }
    out << YAML::EndMap;
  }
  out << YAML::EndMap;
  return std::string(out.c_str(), out.size()) + "\n";
}

std::vector<SourceText> sources_of(const Node& tree) {
  std::vector<const Source*> seen;
  std::vector<SourceText> texts;
  gather(tree, seen, texts);
  return texts;
}

}  // namespace hild::config
