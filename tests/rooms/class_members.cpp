// SPDX-License-Identifier: Apache-2.0
#include "rooms/class_members.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace hild::rooms {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::size_t after_blanks(std::string_view code, std::size_t at) {
  while (at < code.size() && std::isspace(static_cast<unsigned char>(code[at])) != 0) ++at;
  return at;
}

std::string_view word_at(std::string_view code, std::size_t at) {
  std::size_t end = at;
  while (end < code.size() && is_word(code[end])) ++end;
  return code.substr(at, end - at);
}

bool declares_no_member(std::string_view statement) {
  constexpr std::array<std::string_view, 7> starts{"using", "friend", "static",  "typedef",
                                                   "enum",  "struct", "template"};
  for (;;) {
    const std::string_view word = word_at(statement, after_blanks(statement, 0));
    const std::size_t after = after_blanks(statement, after_blanks(statement, 0) + word.size());
    const bool label = !word.empty() && statement.substr(after).starts_with(":") &&
                       !statement.substr(after).starts_with("::");
    if (!label) return std::ranges::find(starts, word) != starts.end();
    statement.remove_prefix(after + 1);
  }
}

// Names with a final `_` that are declared by a statement, in which braces are empty.
int members_in(std::string_view statement) {
  if (declares_no_member(statement)) return 0;
  int members = 0;
  int within = 0;  // parentheses
  for (std::size_t at = 0; at < statement.size();) {
    const char c = statement[at];
    if (c == '(') ++within;
    if (c == ')') --within;
    const std::string_view word = word_at(statement, at);
    if (word.empty()) {
      ++at;
      continue;
    }
    at += word.size();
    const std::size_t next = after_blanks(statement, at);
    const char follows = next < statement.size() ? statement[next] : ';';
    if (within == 0 && word.ends_with('_') && std::string_view(";,={[").find(follows) != npos) {
      ++members;
    }
  }
  return members;
}

// Of the class whose brace is at `open`.
int members_of_body(std::string_view code, std::size_t open) {
  int members = 0;
  std::string statement;
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    const char c = code[at];
    if (c == '{') ++depth;
    if (c == '}') --depth;
    if (depth == 0) break;
    if (at == open) continue;
    if (depth > 1 || c == '{') {
      if (c == '{' && depth == 2) statement += c;
      continue;
    }
    statement += c;
    if (c == ';') {
      members += members_in(statement);
      statement.clear();
    }
    // The end of a function, not of an initializer of one.
    if (c == '}' && statement.find('(') != npos) {
      const std::size_t next = after_blanks(code, at + 1);
      const bool goes_on = next < code.size() && std::string_view(",{;").find(code[next]) != npos;
      if (!goes_on) statement.clear();
    }
  }
  return members;
}

}  // namespace

std::vector<ClassMembers> members_of_classes(std::string_view code) {
  std::vector<ClassMembers> classes;
  constexpr std::string_view word = "class ";
  for (auto at = code.find(word); at != npos; at = code.find(word, at + 1)) {
    if (at > 0 && is_word(code[at - 1])) continue;
    if (code.substr(0, at).ends_with("enum ")) continue;
    const std::size_t start = after_blanks(code, at + word.size());
    std::string_view name = word_at(code, start);
    std::size_t next = after_blanks(code, start + name.size());
    while (code.substr(next).starts_with("::")) {  // one of another class
      name = word_at(code, next + 2);
      next = after_blanks(code, next + 2 + name.size());
    }
    if (word_at(code, next) == "final") next = after_blanks(code, next + 5);
    const std::string_view rest = code.substr(next);
    const bool begins = rest.starts_with("{") || (rest.starts_with(":") && !rest.starts_with("::"));
    if (name.empty() || !begins) continue;
    const std::size_t open = code.find('{', next);
    if (open == npos) continue;
    classes.push_back({std::string(name),
                       static_cast<int>(1 + std::ranges::count(code.substr(0, at), '\n')),
                       members_of_body(code, open)});
  }
  return classes;
}

}  // namespace hild::rooms
