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

/// Whether a file is a terminal whose cursor can be moved, so that a line can be written over: not
/// under TERM=dumb.
[[nodiscard]] bool cursor_moves(int fd) noexcept;
/// Whether words for a file may be coloured: only of a terminal, without NO_COLOR and TERM=dumb.
[[nodiscard]] bool may_colour(int fd) noexcept;
/// Columns of the terminal that a file is; 80 where that is unknown.
[[nodiscard]] int columns_of(int fd) noexcept;

/// A line on the terminal `fd`, in the place of the one before; the terminal is wide enough for it.
/// Words of the functions above, from any thread, take its place rather than stand behind it.
void show_progress(int fd, std::string_view line) noexcept;
/// Leaves the last line where it stands.
void end_progress() noexcept;
/// Takes it away.
void clear_progress() noexcept;

/// Whether the reader of standard output left while it was written to: that is its good right, and
/// no failure (`hild methods | head`).
[[nodiscard]] bool reader_left() noexcept;

/// What a program that ends with `code` exits with: `failed` in the place of 0 where its answer
/// could not be written, which it says. `program` is its name.
[[nodiscard]] int exit_code(std::string_view program, int code, int failed) noexcept;

}  // namespace hild::cli
