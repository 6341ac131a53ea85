// SPDX-License-Identifier: Apache-2.0
/// \file
/// The style of output, by what the terminal can show.
#pragma once

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

}  // namespace hild::report
