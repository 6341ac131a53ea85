// SPDX-License-Identifier: Apache-2.0
#include "rooms/source_text.hpp"

#include <algorithm>
#include <cctype>

namespace hild::rooms {
namespace {

constexpr auto npos = std::string_view::npos;

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The identifier or number that ends just before `at`.
std::string_view word_before(std::string_view source, std::size_t at) {
  std::size_t from = at;
  while (from > 0 && (is_word(source[from - 1]) || source[from - 1] == '\'')) --from;
  return source.substr(from, at - from);
}

std::size_t after(std::size_t found, std::size_t length, std::string_view source) {
  return found == npos ? source.size() : found + length;
}

/// One past the closing quote, or past the line where there is none.
std::size_t literal_end(std::string_view source, std::size_t at) {
  const char quote = source[at];
  for (std::size_t i = at + 1; i < source.size() && source[i] != '\n'; ++i) {
    if (source[i] == '\\') {
      ++i;
    } else if (source[i] == quote) {
      return i + 1;
    }
  }
  return std::min(source.find('\n', at), source.size());
}

std::size_t raw_string_end(std::string_view source, std::size_t at) {
  const std::size_t bracket = source.find('(', at);
  if (bracket == npos) return source.size();
  const std::string close = ")" + std::string(source.substr(at + 1, bracket - at - 1)) + "\"";
  return after(source.find(close, bracket), close.size(), source);
}

/// One past the comment or literal that begins at `at`; `at` where none does.
std::size_t blank_end(std::string_view source, std::size_t at) {
  const std::string_view rest = source.substr(at);
  if (rest.starts_with("//")) return after(source.find('\n', at), 0, source);
  if (rest.starts_with("/*")) return after(source.find("*/", at + 2), 2, source);
  const std::string_view before = word_before(source, at);
  if (rest.starts_with('"')) {
    return before.ends_with('R') ? raw_string_end(source, at) : literal_end(source, at);
  }
  if (rest.starts_with('\'')) {
    const bool separator =
        !before.empty() && std::isdigit(static_cast<unsigned char>(before.front())) != 0;
    return separator ? at : literal_end(source, at);
  }
  return at;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(" \t");
  return from == npos ? std::string_view() : text.substr(from);
}

/// Whether the line, literals blanked, is an #include.
bool is_include(std::string_view code) {
  code = trimmed(code);
  if (!code.starts_with('#')) return false;
  return trimmed(code.substr(1)).starts_with("include");
}

}  // namespace

std::string code_only(std::string_view source) {
  std::string code(source);
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = blank_end(source, at);
    if (end == at) {
      ++at;
      continue;
    }
    for (; at < end; ++at) {
      if (code[at] != '\n') code[at] = ' ';
    }
  }
  return code;
}

std::vector<Literal> literals_of(std::string_view source) {
  std::vector<Literal> literals;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t end = blank_end(source, at);
    if (end != at && source[at] != '/') {
      literals.push_back({at, std::string(source.substr(at, end - at))});
    }
    at = std::max(end, at + 1);
  }
  return literals;
}

std::vector<Include> includes_of(std::string_view source) {
  const std::string code = code_only(source);
  std::vector<Include> includes;
  int line = 1;
  for (std::size_t from = 0; from < code.size(); ++line) {
    const std::size_t end = std::min(code.find('\n', from), code.size());
    if (is_include(std::string_view(code).substr(from, end - from))) {
      const std::string_view text = source.substr(from, end - from);
      const std::size_t open = text.find_first_of("\"<");
      const std::size_t close = open == npos ? npos : text.find_first_of("\">", open + 1);
      if (close != npos) {
        includes.push_back(
            {line, std::string(text.substr(open + 1, close - open - 1)), text[open] == '"'});
      }
    }
    from = end + 1;
  }
  return includes;
}

}  // namespace hild::rooms
