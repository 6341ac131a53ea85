// SPDX-License-Identifier: Apache-2.0
/// \file
/// The words, numbers and texts of a DBC file, one after the other, with their lines. The first
/// error is latched, and ends the text: who reads on finds nothing more, and no loop over what is
/// there has to look for errors. Load time only.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hild/core/result.hpp"

namespace hild::can {

class Scanner {
 public:
  /// The text must outlive the scanner and what it returns.
  Scanner(std::string_view text, std::string_view file_name);

  [[nodiscard]] int line() const { return line_; }
  [[nodiscard]] bool failed() const { return error_.has_value(); }
  /// Precondition: failed().
  [[nodiscard]] const Error& error() const { return *error_; }
  /// Latches an error of a line: what was found, expected and to be done.
  template <class... Args>
  void refuse(int line, fmt::format_string<Args...> text, Args&&... args) {
    if (!error_) {
      error_ = Error{fmt::format("{}:{}: ", file_, line) +
                     fmt::format(text, std::forward<Args>(args)...)};
    }
    at_ = text_.size();
  }

  /// Goes to what is not white space; false at the end.
  bool more();
  /// The same within the line: false at its end too.
  bool more_in_line();
  /// Whether the next is a word.
  [[nodiscard]] bool at_word();
  /// The next word, which is not taken; empty when there is none.
  [[nodiscard]] std::string_view word_ahead() { return at_word() ? word_here() : ""; }
  /// The next character, after white space; 0 at the end.
  [[nodiscard]] char peek();
  /// Whether the next is this character, which is then taken.
  bool take(char c);
  /// Takes this character, which is expected `where`.
  void expect(char c, std::string_view where);

  /// A word of at most 255 letters, digits and underscores, no digit first. What: the thing
  /// expected.
  std::string_view word(std::string_view what);
  /// A finite number.
  double number(std::string_view what);
  /// An integer that the type holds.
  template <class Integer>
  Integer integer(std::string_view what) {
    more();
    Integer value{};
    const auto [end, problem] = std::from_chars(text_.data() + at_, end_of_text(), value);
    if (problem != std::errc{}) {
      expected(what);
      return {};
    }
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  /// A number that is a count: an integer, of which one of 64 bits without a sign wraps around, or
  /// one that is written with a point.
  std::int64_t count(std::string_view what);
  /// What is between two quotes, as it stands there; may have several lines.
  std::string_view quoted(std::string_view what);

  /// Goes behind the next `;` that is in no text. Section: its name, for the error if there is
  /// none.
  void skip_section(std::string_view section, int begun);
  /// Goes to the end of the line.
  void skip_line();
  /// Whether nothing but white space follows the next word in its line; that word is then taken.
  bool take_lone_word(std::string_view& word);

  /// An error here: `what` was expected.
  void expected(std::string_view what);

 private:
  [[nodiscard]] const char* end_of_text() const { return text_.data() + text_.size(); }
  [[nodiscard]] std::string_view word_here() const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::optional<Error> error_;
};

/// Some bytes for an error: one line of few printable characters.
[[nodiscard]] std::string shown(std::string_view text);

/// A quoted text as UTF-8, without the backslashes that escape.
[[nodiscard]] std::string utf8_of(std::string_view quoted);

}  // namespace hild::can
