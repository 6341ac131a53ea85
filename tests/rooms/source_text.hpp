// SPDX-License-Identifier: Apache-2.0
/// \file
/// C++ text as far as the rules of rooms need it: code without comments and literals, and the
/// files it includes. Lines stay where they are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hild::rooms {

/// The source with every character of comments, string and character literals made a blank; line
/// ends stay, so that positions do. Raw strings and digit separators are understood.
[[nodiscard]] std::string code_only(std::string_view source);

struct Literal {
  std::size_t at;    ///< position in the source
  std::string text;  ///< as written, quotes included
};

/// Its string and character literals, those of #include lines among them.
[[nodiscard]] std::vector<Literal> literals_of(std::string_view source);

struct Include {
  int line;
  std::string path;
  bool quoted;  ///< "path", else <path>
};

/// Its #include lines; those within comments or raw strings are none.
[[nodiscard]] std::vector<Include> includes_of(std::string_view source);

}  // namespace hild::rooms
