// SPDX-License-Identifier: Apache-2.0
/// \file
/// Builds the tree from the events of the YAML parser. It works on events because yaml-cpp's own
/// tree silently drops duplicate keys.
#pragma once

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "config/node.hpp"

namespace hild::config {

class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

  [[nodiscard]] Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not been reached; a map may wait for the value of a key.
  struct Open {
    Node node{};
    YAML::anchor_t anchor = 0;
    std::string key{};
    Place key_place{};
    bool has_key = false;
  };

  [[nodiscard]] Place at(const YAML::Mark& mark) const { return {source_, mark.line + 1}; }
  [[nodiscard]] std::string path() const;
  void refuse_tag(const Place& place, const std::string& tag) const;
  void open(Node::Kind kind, const Place& place, const std::string& tag, YAML::anchor_t anchor);
  void close();
  void add(Node node, YAML::anchor_t anchor);
  void take_key(Open& map, Node key);

  std::shared_ptr<const Source> source_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t nodes_ = 0;
  bool documents_ = false;
  Node root_;
};

}  // namespace hild::config
