// SPDX-License-Identifier: Apache-2.0
#include "config/parts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

#include "config/near_names.hpp"

namespace hild::config {
namespace {

constexpr std::string_view part_key = "part";
constexpr std::string_view of_key = "of";

/// A model that says of itself which of both it is.
struct Chosen {
  std::string name;
  bool real = false;
  Position place{};  ///< of the word
};

using Chosens = std::vector<Chosen>;

const Node* section_under(const Node& node, std::string_view key) {
  const Node* const found = node.find(key);
  return found != nullptr && found->kind == Node::Type::map ? found : nullptr;
}

Node* section_under(Node& node, std::string_view key) {
  return const_cast<Node*>(section_under(static_cast<const Node&>(node), key));
}

// "motor" of "motor.speed"
std::string_view model_in(std::string_view signal) { return signal.substr(0, signal.find('.')); }

// What the connection has under `from` or `to`; empty where it is none, which is told later.
std::string_view end_of(const Node& connection, std::string_view key) {
  if (connection.kind != Node::Type::map) return {};
  const Node* const end = connection.find(key);
  return end != nullptr && end->kind == Node::Type::scalar ? std::string_view(end->scalar)
                                                           : std::string_view();
}

const Chosen* part_named(const Chosens& all, std::string_view name) {
  const auto it = std::ranges::find(all, name, &Chosen::name);
  return it == all.end() ? nullptr : &*it;
}

// Takes the words out of the models.
Chosens read_parts(Node& models) {
  Chosens all;
  for (std::size_t i = 0; i < models.keys.size(); ++i) {
    Node& model = models.items[i];
    const Node* const word = model.kind == Node::Type::map ? model.find(part_key) : nullptr;
    if (word == nullptr) continue;
    const bool real = word->scalar == "real";
    if (word->kind != Node::Type::scalar || (!real && word->scalar != "simulated")) {
      refuse(word->place, fmt::format("models.{}.{}", models.keys[i], part_key),
             fmt::format("found {}, expected `simulated` or `real`", word->found()));
    }
    all.push_back({models.keys[i], real, word->place});
    model.remove(part_key);
  }
  return all;
}

const std::vector<Node>& connections_of(const Node& root) {
  static const std::vector<Node> none;
  const Node* const all = root.find("connections");
  return all != nullptr && all->kind == Node::Type::list ? all->items : none;
}

/// One of the wired_sections with entries that may be `of` a model, and the end of a connection
/// that such an entry has the name of, with the end that is the model's.
struct WiredSection {
  std::string_view key;
  std::string_view own;  ///< empty: of devices, which no connection names
  std::string_view other;
  std::string_view verb;  ///< what the entry's device does in the model's place
};
constexpr std::array wired_sections{WiredSection{"devices", "", "", ""},
                                    WiredSection{"inputs", "to", "from", "brings"},
                                    WiredSection{"outputs", "from", "to", "takes"}};

bool stands_for(const WiredSection& section, const Node& root, std::string_view signal,
                std::string_view model) {
  return std::ranges::any_of(connections_of(root), [&](const Node& connection) {
    return end_of(connection, section.own) == signal &&
           model_in(end_of(connection, section.other)) == model;
  });
}

// The model that an entry is of; null where it is of none.
const Chosen* owner_of(const Node& root, const WiredSection& section, std::string_view name,
                       const Node& entry, const Chosens& all) {
  const Node* const of = entry.kind == Node::Type::map ? entry.find(of_key) : nullptr;
  if (of == nullptr) return nullptr;
  const std::string path = join(join(section.key, name), of_key);
  const Chosen* const owner =
      of->kind == Node::Type::scalar ? part_named(all, of->scalar) : nullptr;
  if (owner == nullptr) {
    std::vector<std::string_view> known;
    known.reserve(all.size());
    for (const Chosen& one : all) known.emplace_back(one.name);
    refuse(of->place, path,
           fmt::format("found {}, expected a model that says `part: simulated` or `part: real`{}",
                       of->found(),
                       known.empty() ? ", which none does"
                                     : fmt::format(" ({})", suggest(of->scalar, known))));
  }
  if (!section.own.empty() && !stands_for(section, root, name, owner->name)) {
    refuse(of->place, path,
           fmt::format("found {0}, and no connection {1} {0} {2} {3}; expected one whose place "
                       "this entry takes",
                       owner->name, section.own == "to" ? "from" : "to",
                       section.own == "to" ? "to" : "from", name));
  }
  return owner;
}

// Before anything else is said of a part: an `of` that is misspelt leaves a connection without a
// signal, too.
void check_entries(const Node& root, const WiredSection& section, const Chosens& all) {
  const Node* const entries = section_under(root, section.key);
  if (entries == nullptr) return;
  for (std::size_t i = 0; i < entries->keys.size(); ++i) {
    static_cast<void>(owner_of(root, section, entries->keys[i], entries->items[i], all));
  }
}

// Leaves of a section what goes with the parts as they are chosen.
void choose_entries(Node& root, const WiredSection& section, const Chosens& all) {
  Node* const entries = section_under(root, section.key);
  if (entries == nullptr) return;
  std::vector<std::string> gone;
  for (std::size_t i = 0; i < entries->keys.size(); ++i) {
    const std::string& name = entries->keys[i];
    Node& entry = entries->items[i];
    const Chosen* const owner = owner_of(root, section, name, entry, all);
    const Chosen* const model = section.own.empty() ? nullptr : part_named(all, model_in(name));
    if ((owner != nullptr && !owner->real) || (model != nullptr && model->real)) {
      gone.push_back(name);
    } else if (owner != nullptr) {
      entry.remove(of_key);
    }
  }
  for (const std::string& name : gone) entries->remove(name);
}

// What a real part would feed, or be fed by, must be wired: an input would keep its start value.
void refuse_loose_end(const Node& root, const WiredSection& section, std::size_t number,
                      const Node& connection, const Chosens& all) {
  const Chosen* const part = part_named(all, model_in(end_of(connection, section.other)));
  if (part == nullptr || !part->real) return;
  const std::string_view signal = end_of(connection, section.own);
  const Chosen* const peer = part_named(all, model_in(signal));
  if (peer != nullptr && peer->real) return;  // both are out there
  const Node* const entries = section_under(root, section.key);
  const Node* const entry = entries != nullptr ? entries->find(signal) : nullptr;
  if (entry != nullptr && entry->kind == Node::Type::map && entry->find(of_key) != nullptr) return;
  refuse(
      part->place, fmt::format("models.{}.{}", part->name, part_key),
      fmt::format("found `real`, and nothing {} {} in the place of connections[{}] ({}); "
                  "expected an entry of that name in {}, with a device and `of: {}`",
                  section.verb, signal, number, connection.place.text(), section.key, part->name));
}

void choose_connections(Node& root, const Chosens& all) {
  Node* const list = root.find("connections");
  if (list == nullptr || list->kind != Node::Type::list) return;
  std::erase_if(list->items, [&](const Node& connection) {
    return std::ranges::any_of(std::array{end_of(connection, "from"), end_of(connection, "to")},
                               [&](std::string_view end) {
                                 const Chosen* const part = part_named(all, model_in(end));
                                 return part != nullptr && part->real;
                               });
  });
  if (list->items.empty()) root.remove("connections");
}

}  // namespace

Node choose_parts(Node document) {
  Node* const models = section_under(document, "models");
  if (models == nullptr) return document;
  const Chosens all = read_parts(*models);
  for (const WiredSection& section : wired_sections) check_entries(document, section, all);
  const std::vector<Node>& connections = connections_of(document);
  for (std::size_t i = 0; i < connections.size(); ++i) {
    for (const WiredSection& section : wired_sections) {
      if (section.own.empty()) continue;
      refuse_loose_end(document, section, i, connections[i], all);
    }
  }
  for (const WiredSection& section : wired_sections) choose_entries(document, section, all);
  choose_connections(document, all);
  for (const Chosen& one : all) {
    if (!one.real) continue;
    models->remove(one.name);
    if (models->keys.empty()) {
      refuse(one.place, fmt::format("models.{}.{}", one.name, part_key),
             "found `real` for all models, expected one at least that is simulated");
    }
  }
  return document;
}

}  // namespace hild::config
