// SPDX-License-Identifier: Apache-2.0
#include "config/tree_builder.hpp"

#include "config/parse.hpp"

namespace hild::config {

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (documents_) refuse(at(mark), "", "found a second document (---), expected one");
  documents_ = true;
  root_.place = at(mark);
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  add(Node{.kind = Node::Kind::empty, .place = at(mark)}, anchor);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  refuse_tag(at(mark), tag);
  add(Node{.kind = Node::Kind::scalar, .place = at(mark), .scalar = value}, anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const auto it = anchors_.find(anchor);
  if (it == anchors_.end()) refuse(at(mark), path(), "found an alias of what it is part of");
  Node copy = it->second;
  nodes_ += copy.size() - 1;
  add(std::move(copy), 0);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag,
                                  YAML::anchor_t anchor, YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::list, at(mark), tag, anchor);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value /*style*/) {
  open(Node::Kind::map, at(mark), tag, anchor);
}

std::string TreeBuilder::path() const {
  std::string path;
  for (const Open& open : open_) {
    if (open.has_key) path = join(path, open.key);
  }
  return path;
}

/// "?" and "!" mark plain and quoted text that carries no tag.
void TreeBuilder::refuse_tag(const Place& place, const std::string& tag) const {
  if (tag.empty() || tag == "?" || tag == "!") return;
  refuse(place, path(), fmt::format("found the tag {}, expected none", tag));
}

void TreeBuilder::open(Node::Kind kind, const Place& place, const std::string& tag,
                       YAML::anchor_t anchor) {
  refuse_tag(place, tag);
  if (open_.size() >= max_depth) {
    refuse(place, "", fmt::format("nested deeper than {} levels", max_depth));
  }
  open_.push_back({.node = {.kind = kind, .place = place}, .anchor = anchor});
}

void TreeBuilder::close() {
  Open done = std::move(open_.back());
  open_.pop_back();
  add(std::move(done.node), done.anchor);
}

void TreeBuilder::add(Node node, YAML::anchor_t anchor) {
  if (++nodes_ > max_nodes) {
    refuse(node.place, "", fmt::format("more than {} values, aliases written out", max_nodes));
  }
  if (anchor != 0) anchors_[anchor] = node;
  if (open_.empty()) {
    root_ = std::move(node);
    return;
  }
  Open& parent = open_.back();
  if (parent.node.kind == Node::Kind::map && !parent.has_key) {
    take_key(parent, std::move(node));
    return;
  }
  if (parent.has_key) {
    node.place = parent.key_place;
    parent.node.keys.push_back(std::move(parent.key));
    parent.has_key = false;
  }
  parent.node.items.push_back(std::move(node));
}

void TreeBuilder::take_key(Open& map, Node key) {
  if (key.kind != Node::Kind::scalar || key.scalar.empty()) {
    refuse(key.place, path(), fmt::format("found {} as a key, expected a name", key.found()));
  }
  if (const Node* first = map.node.find(key.scalar)) {
    refuse(key.place, join(path(), key.scalar),
           fmt::format("found twice, expected once (first at {})", first->place.text()));
  }
  map.key = std::move(key.scalar);
  map.key_place = std::move(key.place);
  map.has_key = true;
}

}  // namespace hild::config
