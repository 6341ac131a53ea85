// SPDX-License-Identifier: Apache-2.0
#include "drivers/dbc/scanner.hpp"

#include <algorithm>
#include <cmath>

namespace hild::can {
namespace {

constexpr std::size_t most_shown = 40;
constexpr std::size_t longest_word = 255;

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// How many bytes the UTF-8 character at the start has; 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
  }
  // Longer than needed, a surrogate, beyond U+10FFFF.
  if (first == 0xe0 && byte(1) < 0xa0) return 0;
  if (first == 0xed && byte(1) >= 0xa0) return 0;
  if (first == 0xf0 && byte(1) < 0x90) return 0;
  if (first == 0xf4 && byte(1) >= 0x90) return 0;
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace

std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, std::min(text.size(), most_shown))) {
    if (c == '\n' || c == '\r') break;
    out += c >= ' ' && c <= '~' ? c : '?';
  }
  if (text.size() > most_shown && out.size() == most_shown) out += "...";
  return out;
}

std::string utf8_of(std::string_view quoted) {
  const bool latin = !is_utf8(quoted);
  std::string out;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    const char c = quoted[i];
    if (c == '\\' && i + 1 < quoted.size() && (quoted[i + 1] == '"' || quoted[i + 1] == '\\')) {
      out += quoted[++i];
    } else if (latin && static_cast<unsigned char>(c) >= 0x80) {
      const auto byte = static_cast<unsigned char>(c);
      out += static_cast<char>(0xc0U | byte >> 6U);
      out += static_cast<char>(0x80U | (byte & 0x3fU));
    } else {
      out += c;
    }
  }
  return out;
}

Scanner::Scanner(std::string_view text, std::string_view file_name)
    : text_(text), file_(file_name) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool Scanner::more() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
    if (text_[at_] == '\n') ++line_;
  }
  return at_ < text_.size();
}

bool Scanner::more_in_line() {
  while (at_ < text_.size() && is_space(text_[at_]) && text_[at_] != '\n') ++at_;
  return at_ < text_.size() && text_[at_] != '\n';
}

char Scanner::peek() { return more() ? text_[at_] : '\0'; }

bool Scanner::at_word() { return more() && is_letter(text_[at_]); }

bool Scanner::take(char c) {
  if (!more() || text_[at_] != c) return false;
  ++at_;
  return true;
}

void Scanner::expect(char c, std::string_view where) {
  if (!take(c)) expected(fmt::format("'{}' {}", c, where));
}

void Scanner::expected(std::string_view what) {
  if (!more()) {
    refuse(line_, "expected {}, found the end of the file: is it cut off?", what);
  } else {
    refuse(line_, "expected {}, found '{}'; mend the line, or export the file anew", what,
           shown(text_.substr(at_)));
  }
}

std::string_view Scanner::word_here() const {
  std::size_t end = at_;
  while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
  return text_.substr(at_, end - at_);
}

std::string_view Scanner::word(std::string_view what) {
  if (!at_word()) {
    expected(what);
    return {};
  }
  const std::string_view word = word_here();
  if (word.size() > longest_word) {
    refuse(line_, "the name '{}' has {} characters; expected at most {}", shown(word), word.size(),
           longest_word);
    return {};
  }
  at_ += word.size();
  return word;
}

double Scanner::number(std::string_view what) {
  more();
  // A plus is none of from_chars().
  const std::size_t plus = at_ + 1 < text_.size() && text_[at_] == '+' && text_[at_ + 1] != '-';
  double value = 0;
  const auto [end, problem] = std::from_chars(text_.data() + at_ + plus, end_of_text(), value);
  if (problem != std::errc{} || !std::isfinite(value)) {
    expected(what);
    return 0;
  }
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

std::int64_t Scanner::count(std::string_view what) {
  more();
  std::int64_t value = 0;
  auto [end, problem] = std::from_chars(text_.data() + at_, end_of_text(), value);
  if (problem == std::errc::result_out_of_range) {
    std::uint64_t wide = 0;
    const auto again = std::from_chars(text_.data() + at_, end_of_text(), wide);
    end = again.ptr;
    problem = again.ec;
    value = static_cast<std::int64_t>(wide);
  }
  if (end != end_of_text() && (*end == '.' || *end == 'e' || *end == 'E')) {
    constexpr double most = 0x1p62;
    return static_cast<std::int64_t>(std::clamp(number(what), -most, most));
  }
  if (problem != std::errc{}) {
    expected(what);
    return 0;
  }
  at_ = static_cast<std::size_t>(end - text_.data());
  return value;
}

std::string_view Scanner::quoted(std::string_view what) {
  if (!take('"')) {
    expected(what);
    return {};
  }
  const int begun = line_;
  const std::size_t first = at_;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '"') return text_.substr(first, at_++ - first);
    if (c == '\n') ++line_;
    if (c == '\\' && at_ + 1 < text_.size() && (text_[at_ + 1] == '"' || text_[at_ + 1] == '\\')) {
      ++at_;
    }
  }
  refuse(begun, "the text \"{} has no end; expected a '\"' (one in a text is written \\\")",
         shown(text_.substr(first)));
  return {};
}

void Scanner::skip_section(std::string_view section, int begun) {
  while (more()) {
    if (text_[at_] == '"') {
      quoted("a text");
    } else if (text_[at_++] == ';') {
      return;
    }
  }
  refuse(begun, "{} is without its end: expected a ';', found the end of the file", shown(section));
}

void Scanner::skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

bool Scanner::take_lone_word(std::string_view& word) {
  if (!at_word()) return false;
  const std::string_view next = word_here();
  std::size_t end = at_ + next.size();
  while (end < text_.size() && is_space(text_[end]) && text_[end] != '\n') ++end;
  if (end < text_.size() && text_[end] != '\n') return false;
  word = next;
  at_ += next.size();
  return true;
}

}  // namespace hild::can
