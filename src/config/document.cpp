// SPDX-License-Identifier: Apache-2.0
#include "config/document.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

#include "config/in_place.hpp"
#include "config/near_names.hpp"
#include "config/parse.hpp"

namespace hild::config {
namespace {

namespace fs = std::filesystem;

constexpr int max_files = 64;
constexpr std::string_view include_key = "include";
constexpr std::string_view nodes_key = "nodes";

/// `asked` is where the file was asked for; nowhere for the first one.
std::string read_file(const std::string& file, const Position* asked) {
  const auto give_up = [&](std::string_view why) {
    const std::string problem = fmt::format("cannot read {}: {}", file, why);
    if (asked != nullptr) refuse(*asked, include_key, problem);
    throw ConfigError{{problem}};
  };
  std::error_code ignored;
  const fs::file_type type = fs::status(file, ignored).type();
  if (type == fs::file_type::directory) give_up("it is a directory");
  // Whoever names a pipe on the command line writes to it; from one in a file nothing may ever
  // come.
  if (asked != nullptr && type != fs::file_type::regular && type != fs::file_type::not_found) {
    give_up("it is a pipe or a device, expected a file");
  }
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) give_up(std::strerror(errno));
  std::string text(max_text + 1, '\0');  // one more than allowed, so that too long is seen
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) give_up(std::strerror(errno));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  text.shrink_to_fit();  // it is kept
  return text;
}

/// One spelling for each file, as far as it can be told; reading it reports what is wrong with it.
fs::path canonical(const fs::path& file) {
  std::error_code error;
  fs::path path = fs::weakly_canonical(file, error);
  return error ? file : path;
}

void merge(Node& below, Node above) {
  if (below.kind != Node::Type::map || above.kind != Node::Type::map) {
    below = std::move(above);
    return;
  }
  below.place = above.place;
  for (std::size_t i = 0; i < above.keys.size(); ++i) {
    if (Node* old = below.find(above.keys[i])) {
      merge(*old, std::move(above.items[i]));
    } else {
      below.put(above.keys[i], std::move(above.items[i]));
    }
  }
}

std::vector<std::string> names_of_files(const Node& include) {
  const std::vector<Node> one{include};
  std::vector<std::string> names;
  for (const Node& item : include.kind == Node::Type::list ? include.items : one) {
    if (item.kind != Node::Type::scalar || item.scalar.empty()) {
      refuse(item.place, include_key,
             fmt::format("found {}, expected the name of a file", item.found()));
    }
    names.push_back(item.scalar);
  }
  return names;
}

/// Of a model's own file the configuration is made, not read: its lines are in no file.
bool is_model(const fs::path& name) {
  return name.extension() == ".fmu" || name.extension() == ".so";
}

/// Parses a text as a map of sections; `name` stands for the file in messages.
Node parse_sections(const std::string& text, const std::string& name) {
  Node root = parse(text, std::make_shared<const TextSource>(TextSource{
                              name, fs::path(name).parent_path(), is_model(name), text}));
  if (root.kind == Node::Type::map) return root;
  refuse(root.place, "",
         fmt::format("found {}, expected a map such as \"key: value\"", root.found()));
}

class IncludeReader {
 public:
  Node read(const std::string& file, const Position* asked) {
    Node root = parse_sections(read_file(file, asked), file);
    const Node* include = root.find(include_key);
    if (include == nullptr) return root;
    chain_.push_back(canonical(file));
    Node below{.kind = Node::Type::map, .place = root.place};
    for (const std::string& name : names_of_files(*include)) {
      const std::string path = (include->place.source->directory / name).string();
      refuse_endless(include->place, path);
      merge(below, read(path, &include->place));
    }
    chain_.pop_back();
    root.remove(include_key);
    merge(below, std::move(root));
    return below;
  }

 private:
  void refuse_endless(const Position& place, const std::string& path) {
    if (std::count(chain_.begin(), chain_.end(), canonical(path)) != 0) {
      refuse(place, include_key,
             fmt::format("found {}, which includes this file: expected no circle", path));
    }
    if (++files_ > max_files) {
      refuse(place, include_key, fmt::format("more than {} files included", max_files));
    }
  }

  std::vector<fs::path> chain_;  ///< files being read, each included by the one before
  int files_ = 0;
};

// --set devices.daq.driver=sim: the other keys of the device stay those of its driver, as do those
// of its channels.
bool simulates(std::string_view key, const Node& before, const Node& now) {
  constexpr std::string_view first = "devices.", last = ".driver";
  return key.starts_with(first) && key.ends_with(last) && std::ranges::count(key, '.') == 2 &&
         now.scalar == "sim" && before.kind != Node::Type::empty && before.scalar != "sim";
}

void apply(Node& root, const Setting& setting) {
  const auto source = std::make_shared<const TextSource>(
      TextSource{"--set " + setting.key, std::filesystem::current_path(), true, setting.value});
  const Position place{source, 1};
  if (static_cast<std::size_t>(std::count(setting.key.begin(), setting.key.end(), '.')) >=
      max_depth) {
    refuse(place, "", fmt::format("nested deeper than {} levels", max_depth));
  }
  Node* node = &root;
  Node* parent = nullptr;
  std::string_view rest = setting.key;
  while (true) {
    const std::size_t dot = rest.find('.');
    const std::string_view key = rest.substr(0, dot);
    if (key.empty()) refuse(place, "", "found an empty key, expected one such as frame.period");
    if (node->find(key) == nullptr) node->put(key, Node{.place = place});
    parent = node;
    node = node->find(key);
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
    if (node->kind == Node::Type::empty) node->kind = Node::Type::map;
    if (node->kind != Node::Type::map) {
      refuse(place, "", fmt::format("found {} at \"{}\", expected a map", node->found(), key));
    }
  }
  Node before = std::exchange(*node, parse(setting.value, source));
  node->place = place;
  if (simulates(setting.key, before, *node)) parent->put(in_place_key, std::move(before));
}

const Node& nodes_of(const Node& root) {
  const Node& nodes = *root.find(nodes_key);
  if (nodes.kind == Node::Type::map && !nodes.keys.empty()) return nodes;
  refuse(
      nodes.place, nodes_key,
      fmt::format("found {}, expected a map of nodes by name, such as \"engine: {{model: ...}}\"",
                  nodes.found()));
}

// Of a system what is one node's: what it says itself goes before what all have in common.
void choose(Node& root, std::string_view chosen) {
  if (root.find(nodes_key) == nullptr) {
    if (chosen.empty()) return;
    refuse(
        root.place, "",
        fmt::format("found one node, and --node {} asks for one of several, of a section `nodes`",
                    chosen));
  }
  const Node& nodes = nodes_of(root);
  if (chosen.empty()) {
    refuse(nodes.place, nodes_key,
           fmt::format("found {} nodes, expected one of them: --node {}", nodes.keys.size(),
                       fmt::join(nodes.keys, ", --node ")));
  }
  const Node* const node = nodes.find(chosen);
  if (node == nullptr) {
    const std::vector<std::string_view> known(nodes.keys.begin(), nodes.keys.end());
    refuse(nodes.place, nodes_key,
           fmt::format("found no node \"{}\" (--node), {}", chosen, suggest(chosen, known)));
  }
  if (node->kind != Node::Type::map) {
    refuse(node->place, join(nodes_key, chosen),
           fmt::format("found {}, expected the sections of a node, such as \"model: ...\"",
                       node->found()));
  }
  Node own = *node;
  const Position place = root.place;
  root.remove(nodes_key);
  merge(root, std::move(own));
  root.place = place;
}

}  // namespace

std::vector<std::string> read_nodes(const std::string& file) {
  const Node root = IncludeReader().read(file, nullptr);
  if (root.find(nodes_key) == nullptr) return {};
  return nodes_of(root).keys;
}

Node read_document(const std::string& file, const std::vector<Setting>& settings,
                   std::string_view node) {
  Node root = IncludeReader().read(file, nullptr);
  choose(root, node);
  for (const Setting& setting : settings) apply(root, setting);
  return root;
}

Node read_text(const std::string& text, const std::string& name,
               const std::vector<Setting>& settings) {
  Node root = parse_sections(text, name);
  if (const Node* include = root.find(include_key)) {
    refuse(include->place, include_key, "a text in memory includes no files");
  }
  for (const Setting& setting : settings) apply(root, setting);
  return root;
}

}  // namespace hild::config
