// SPDX-License-Identifier: Apache-2.0
/// \file
/// The only way in which the programs write to their standard files. Nothing here throws, whatever
/// happens to the files: a full disk, a closed file, a reader that leaves. Not for the real-time
/// side: it writes at once and may block. Only one thread may print the answer of a program.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace hild::cli {

/// Prepares the standard files; to be called before anything else in main(). A reader that leaves
/// then causes an error of a write, not a signal; and a standard file that is closed does not
/// become the number of the next file opened.
void begin_standard_files() noexcept;

/// Writes the answer of the program to standard output. A failure is remembered for exit_code(),
/// and what follows is dropped, so that half an answer never looks like a whole one. False once
/// nobody takes it: a reason to end a program that only prints.
bool print_text(std::string_view text) noexcept;

template <class... Args>
bool print(fmt::format_string<Args...> format, Args&&... args) {
  return print_text(fmt::format(format, std::forward<Args>(args)...));
}

/// Writes incidental text such as progress to standard output; lost where nobody takes it.
void show_text(std::string_view text) noexcept;

/// Writes text for a person to standard error; lost where nobody takes it.
void tell_text(std::string_view text) noexcept;

template <class... Args>
void tell(fmt::format_string<Args...> format, Args&&... args) {
  tell_text(fmt::format(format, std::forward<Args>(args)...));
}

/// Whether a file is a terminal whose cursor can be moved, so that a line can be overwritten: not
/// under TERM=dumb.
[[nodiscard]] bool cursor_moves(int fd) noexcept;
/// Whether text for a file may be coloured: only on a terminal, without NO_COLOR and TERM=dumb.
[[nodiscard]] bool may_colour(int fd) noexcept;
/// The columns of a terminal; 80 where the number is unknown.
[[nodiscard]] int columns_of(int fd) noexcept;

/// Shows a line of progress on the terminal `fd`, replacing the one before. Precondition: it fits.
/// Text of the functions above, from any thread, replaces it rather than following it.
void show_progress(int fd, std::string_view line) noexcept;
/// Ends progress, and leaves its last line on the terminal.
void end_progress() noexcept;
/// Ends progress, and removes its last line.
void clear_progress() noexcept;

/// Whether the reader of standard output left while it was written to, which is no failure (`hild
/// methods | head`).
[[nodiscard]] bool reader_left() noexcept;

/// The exit code of a program that ends with `code`: `failed` in the place of 0 where its answer
/// could not be written, which is then reported. `program` is its name.
[[nodiscard]] int exit_code(std::string_view program, int code, int failed) noexcept;

}  // namespace hild::cli
