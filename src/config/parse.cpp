// SPDX-License-Identifier: Apache-2.0
#include "config/parse.hpp"

#include <algorithm>
#include <sstream>

#include "config/tree_builder.hpp"
#include "config/utf8.hpp"

namespace hild::config {
namespace {

void check_text(const std::string& text, const std::shared_ptr<const Source>& source) {
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

Node parse(const std::string& text, const std::shared_ptr<const Source>& source) {
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
