// SPDX-License-Identifier: Apache-2.0
#include "config/parse.hpp"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <map>
#include <sstream>

namespace hild::config {
namespace {

/// Builds the tree from the events of the YAML parser. It works on events because yaml-cpp's own
/// tree silently drops duplicate keys.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::shared_ptr<const TextSource> source) : source_(std::move(source)) {}

  [[nodiscard]] Node take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_) refuse(at(mark), "", "found a second document (---), expected one");
    documents_ = true;
    root_.place = at(mark);
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    add(Node{.kind = Node::Type::empty, .place = at(mark)}, anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_tag(at(mark), tag);
    add(Node{.kind = Node::Type::scalar, .place = at(mark), .scalar = value}, anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) refuse(at(mark), path(), "found an alias of what it is part of");
    Node copy = it->second;
    nodes_ += copy.size() - 1;
    add(std::move(copy), 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    open(Node::Type::list, at(mark), tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    open(Node::Type::map, at(mark), tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  /// A list or map whose end has not been reached; a map may wait for the value of a key.
  struct Open {
    Node node{};
    YAML::anchor_t anchor = 0;
    std::string key{};
    Position key_place{};
    bool has_key = false;
  };

  [[nodiscard]] Position at(const YAML::Mark& mark) const { return {source_, mark.line + 1}; }
  [[nodiscard]] std::string path() const {
    std::string path;
    for (const Open& open : open_) {
      if (open.has_key) path = join(path, open.key);
    }
    return path;
  }

  /// "?" and "!" mark plain and quoted text that carries no tag.
  void refuse_tag(const Position& place, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    refuse(place, path(), fmt::format("found the tag {}, expected none", tag));
  }
  void open(Node::Type kind, const Position& place, const std::string& tag, YAML::anchor_t anchor) {
    refuse_tag(place, tag);
    if (open_.size() >= max_depth) {
      refuse(place, "", fmt::format("nested deeper than {} levels", max_depth));
    }
    open_.push_back({.node = {.kind = kind, .place = place}, .anchor = anchor});
  }
  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(std::move(done.node), done.anchor);
  }
  void add(Node node, YAML::anchor_t anchor) {
    if (++nodes_ > max_nodes) {
      refuse(node.place, "", fmt::format("more than {} values, aliases written out", max_nodes));
    }
    if (anchor != 0) anchors_[anchor] = node;
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Node::Type::map && !parent.has_key) {
      return take_key(parent, std::move(node));
    }
    if (parent.has_key) {
      node.place = parent.key_place;
      parent.node.keys.push_back(std::move(parent.key));
      parent.has_key = false;
    }
    parent.node.items.push_back(std::move(node));
  }
  void take_key(Open& map, Node key) {
    if (key.kind != Node::Type::scalar || key.scalar.empty()) {
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

  std::shared_ptr<const TextSource> source_;
  std::vector<Open> open_;
  std::map<YAML::anchor_t, Node> anchors_;
  std::size_t nodes_ = 0;
  bool documents_ = false;
  Node root_;
};

void check_text(const std::string& text, const std::shared_ptr<const TextSource>& source) {
  if (text.size() > max_text) {
    refuse({source, 1}, "", fmt::format("longer than {} bytes, the most that is read", max_text));
  }
  const std::size_t bad = first_bad_byte(text);
  if (bad == text.size()) return;
  const auto lines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
  refuse({source, static_cast<int>(lines) + 1}, "",
         fmt::format("found byte 0x{:02x}, expected UTF-8 text",
                     static_cast<unsigned char>(text[bad])));
}

/// Where a tab indents the line that the parser stumbled over, or the one before: its own words for
/// that are many, and none has a tab in it. 0: no tab is to blame.
int line_of_tab(const std::string& text, int stumbled) {
  std::istringstream lines(text);
  std::string line;
  int last = 0;  // that is indented by a tab, no more than blank lines between
  for (int n = 1; n <= stumbled && std::getline(lines, line); ++n) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string::npos) continue;
    const bool tab = line.substr(0, begin).find('\t') != std::string::npos;
    if (n == stumbled) return tab ? n : last;
    last = tab ? n : 0;
  }
  return last;
}

}  // namespace

std::size_t first_bad_byte(std::string_view text) noexcept {
  namespace utf = boost::locale::utf;
  const char* const end = text.data() + text.size();
  for (const char* at = text.data(); at != end;) {
    const char* const begin = at;
    const utf::code_point code = utf::utf_traits<char>::decode(at, end);
    const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
    if (control || code == 0x7F || !utf::is_valid_codepoint(code)) {
      return static_cast<std::size_t>(begin - text.data());
    }
  }
  return text.size();
}

Node parse(const std::string& text, const std::shared_ptr<const TextSource>& source) {
  check_text(text, source);
  TreeBuilder builder(source);
  try {
    // Without the last line's end: yaml-cpp misses that a quote is never closed when there is one.
    std::istringstream stream(text.substr(0, text.find_last_not_of(" \r\n") + 1));
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    const bool nowhere = error.mark.is_null();
    if (const int tab = nowhere ? 0 : line_of_tab(text, error.mark.line + 1); tab > 0) {
      refuse({source, tab}, "",
             "found a tab before the first word, expected spaces: YAML takes "
             "no tabs there");
    }
    const std::string column = nowhere ? "" : fmt::format(" at column {}", error.mark.column + 1);
    refuse({source, nowhere ? 1 : error.mark.line + 1}, "",
           fmt::format("not valid YAML{}: {}", column, error.msg));
  }
  Node root = builder.take();
  if (!root.place.source) root.place.source = source;
  return root;
}

}  // namespace hild::config
