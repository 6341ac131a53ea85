// SPDX-License-Identifier: Apache-2.0
/// \file
/// Formats text in columns, in the style that a terminal can show. Widths count characters, not
/// bytes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace hild::report {

struct Style {
  bool utf8 = false;  ///< else plain ASCII
  bool colour = false;
  int width = 80;  ///< columns
};

/// What is known of the terminal or file that text goes to; null pointers stand for variables that
/// are not set.
struct Terminal {
  bool tty = false;
  int columns = 0;                 ///< 0: unknown
  const char* no_color = nullptr;  ///< NO_COLOR
  const char* locale = nullptr;    ///< the first set of LC_ALL, LC_CTYPE, LANG
};

/// The style for it. Colours only on a terminal and without NO_COLOR; 64 to 120 columns, 80 when
/// unknown.
[[nodiscard]] Style style_for(const Terminal& terminal);
/// The style for an open file, from the environment.
[[nodiscard]] Style style_for(int fd);

[[nodiscard]] int columns(std::string_view text) noexcept;

/// The text in at most `width` columns; a longer one ends in an ellipsis.
[[nodiscard]] std::string cut(std::string_view text, int width, const Style& style);
/// Exactly `width` columns, the text at the left or at the right.
[[nodiscard]] std::string left(std::string_view text, int width, const Style& style);
[[nodiscard]] std::string right(std::string_view text, int width, const Style& style);
/// The text broken at spaces into lines of at most `width` columns, each but the first after
/// `indent` spaces. No newline at the end.
[[nodiscard]] std::string wrapped(std::string_view text, int width, int indent);

/// The word in the place of an enumerator.
template <class Enum>
[[nodiscard]] constexpr std::string_view word_of(
    Enum value, std::initializer_list<std::string_view> words) noexcept {
  return words.begin()[static_cast<std::size_t>(value)];
}

/// 12345 as "12 345"; four digits stay together.
[[nodiscard]] std::string grouped(std::int64_t n);

enum class Colour { bold, faint, red, green, yellow, cyan };
[[nodiscard]] std::string painted(std::string_view text, Colour colour, const Style& style);

/// The first line of a report.
[[nodiscard]] std::string title_line(std::string_view text, const Style& style);
/// The line above a table's columns.
[[nodiscard]] std::string columns_line(std::string_view text, const Style& style);
/// A heading after an empty line.
[[nodiscard]] std::string heading(std::string_view text, const Style& style);
/// A part of a report: its heading, then its body; nothing where the body is empty.
[[nodiscard]] std::string part(std::string_view title, const std::string& body, const Style& style);

/// A bar of `share` (0 ... 1) of `width` columns, not padded; never empty for a share above 0.
[[nodiscard]] std::string bar(double share, int width, const Style& style);
/// A bar on a ground of exactly `width` columns, with a mark at the share `mark` where it is given
/// (0 ... 1).
[[nodiscard]] std::string gauge(double share, int width, const Style& style, double mark = -1);

}  // namespace hild::report
