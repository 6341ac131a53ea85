// SPDX-License-Identifier: Apache-2.0
/// \file
/// The one way in which the programs write to their standard files. Nothing here throws, whatever
/// becomes of the files: a full disk, a closed file, a reader that leaves. Not for the real-time
/// side: it writes at once and may block. The answer of a program is of one thread.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace hild::cli {

/// Before anything else in main(): a reader that leaves is an error of a write, not a signal; and
/// a standard file that is closed does not become the number of the next file opened.
void begin_standard_files() noexcept;

/// Standard output, what was asked for. That it could not be written is kept for exit_code();
/// what follows is dropped then, so that no half of an answer looks like a whole one. False once
/// nobody takes it: reason to end what only prints.
bool print_text(std::string_view text) noexcept;

template <class... Args>
bool print(fmt::format_string<Args...> format, Args&&... args) {
  return print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// Standard output, words by the way such as progress: lost where nobody takes them.
void show_text(std::string_view text) noexcept;

/// Standard error, words for a person: lost where nobody takes them.
void tell_text(std::string_view text) noexcept;

template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell_text(fmt::format(format, std::forward<Args>(args)...));
}

/// Whether the reader of standard output left while it was written to: that is its good right, and
/// no failure (`hild methods | head`).
[[nodiscard]] bool reader_left() noexcept;

/// What a program that ends with `code` exits with: `failed` in the place of 0 where its answer
/// could not be written, which it says. `program` is its name.
[[nodiscard]] int exit_code(std::string_view program, int code, int failed) noexcept;

}  // namespace hild::cli
