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

using Files = std::map<const Node*, std::string>;

// Two levels as people write them, the rest in brackets.
void write(const Node& node, const Files& files, int level, YAML::Emitter& out) {
  if (const auto file = files.find(&node); file != files.end()) {
    return write(std::filesystem::absolute(file->second).lexically_normal().string(), out);
  }
  switch (node.kind) {
    case Node::Type::empty:
      out << YAML::Null;
      return;
    case Node::Type::scalar:
      return write(node.scalar, out);
    case Node::Type::list:
      out << YAML::Flow << YAML::BeginSeq;
      for (const Node& item : node.items) write(item, files, 2, out);
      out << YAML::EndSeq;
      return;
    case Node::Type::map:
      out << (level < 2 && !node.items.empty() ? YAML::Block : YAML::Flow) << YAML::BeginMap;
      for (std::size_t i = 0; i < node.items.size(); ++i) {
        out << YAML::Key;
        write(node.keys[i], out);
        out << YAML::Value;
        write(node.items[i], files, level + 1, out);
      }
      out << YAML::EndMap;
  }
}

void gather(const Node& node, std::vector<const TextSource*>& seen,
            std::vector<SourceText>& texts) {
  const TextSource* const source = node.place.source.get();
  if (source != nullptr && std::ranges::find(seen, source) == seen.end()) {
    seen.push_back(source);
    texts.push_back({source->name, source->text});
  }
  for (const Node& item : node.items) gather(item, seen, texts);
}

}  // namespace

std::string write_yaml(const Node& tree, const Files& files) {
  YAML::Emitter out;
  write(tree, files, 0, out);
  return std::string(out.c_str(), out.size()) + "\n";
}

std::vector<SourceText> sources_of(const Node& tree) {
  std::vector<const TextSource*> seen;
  std::vector<SourceText> texts;
  gather(tree, seen, texts);
  return texts;
}

}  // namespace hild::config
