// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal/print.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <mutex>

namespace hild::cli {
namespace {

/// Of standard output: why what was asked for could not be written; 0 as long as it could.
int print_error = 0;

/// 0, or why not all of it was written. Without stdio, which keeps what it could not write and
/// tells of it late.
int write_all(int fd, std::string_view text, bool wait) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN && wait) {  // somebody else made the terminal non-blocking
      pollfd room{.fd = fd, .events = POLLOUT, .revents = 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

/// The line of progress that is to be written over, and who writes to a terminal meanwhile.
struct ProgressLine {
  std::mutex mutex;
  int terminal = -1;  ///< that has it; -1: there is none

  void erase() noexcept {
    if (terminal >= 0) write_all(terminal, "\r\x1b[K", false);
    terminal = -1;
  }
};
ProgressLine progress;

/// Who writes to a file waits for no terminal.
int write_beside_progress(int fd, std::string_view text, bool wait) noexcept {
  if (::isatty(fd) != 1) return write_all(fd, text, wait);
  const std::lock_guard alone(progress.mutex);
  progress.erase();
  return write_all(fd, text, wait);
}

bool is_dumb() noexcept {
  const char* term = std::getenv("TERM");
  return term != nullptr && std::string_view(term) == "dumb";
}

}  // namespace

void begin_standard_files() noexcept {
  std::signal(SIGPIPE, SIG_IGN);
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // The lowest number that is free: this one. For reading, so that words into it are an error.
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
      [[maybe_unused]] const int same = ::open("/dev/null", O_RDONLY);
    }
  }
}

bool print_text(std::string_view text) noexcept {
  if (print_error == 0) print_error = write_beside_progress(STDOUT_FILENO, text, true);
  return print_error == 0;
}

void show_text(std::string_view text) noexcept {
  static_cast<void>(write_beside_progress(STDOUT_FILENO, text, false));
}

void tell_text(std::string_view text) noexcept {
  static_cast<void>(write_beside_progress(STDERR_FILENO, text, false));
}

bool cursor_moves(int fd) noexcept { return ::isatty(fd) == 1 && !is_dumb(); }

bool may_colour(int fd) noexcept {
  const char* none = std::getenv("NO_COLOR");
  return cursor_moves(fd) && (none == nullptr || *none == '\0');
}

int columns_of(int fd) noexcept {
  constexpr int usual = 80;
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : usual;
}

void show_progress(int fd, std::string_view line) noexcept {
  const std::lock_guard alone(progress.mutex);
  progress.erase();
  write_all(fd, line, false);
  progress.terminal = fd;
}

void end_progress() noexcept {
  const std::lock_guard alone(progress.mutex);
  if (progress.terminal >= 0) write_all(progress.terminal, "\n", false);
  progress.terminal = -1;
}

void clear_progress() noexcept {
  const std::lock_guard alone(progress.mutex);
  progress.erase();
}

bool reader_left() noexcept { return print_error == EPIPE; }

int exit_code(std::string_view program, int code, int failed) noexcept {
  if (print_error == 0 || reader_left()) return code;
  for (const std::string_view words :
       {program, std::string_view(": cannot write to standard output: "),
        std::string_view(std::strerror(print_error)), std::string_view("\n")}) {
    tell_text(words);
  }
  return code == 0 ? failed : code;
}

}  // namespace hild::cli
