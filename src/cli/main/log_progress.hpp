// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shows on a terminal how far a command is, when it takes longer than a moment, and whether the
/// user has interrupted it.
#pragma once

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string>
#include <utility>

#include "cli/terminal/print.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::commands {

/// SIGINT and SIGTERM as a flag, for commands that loop until the user has seen enough.
class Interrupted {
 public:
  Interrupted() {
    std::signal(SIGINT, handle);
    std::signal(SIGTERM, handle);
  }
  ~Interrupted() {
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
  }
  Interrupted(const Interrupted&) = delete;
  Interrupted& operator=(const Interrupted&) = delete;

  [[nodiscard]] static bool raised() noexcept { return flag().raised(); }

 private:
  static rt::Flag& flag() noexcept {
    static rt::Flag flag;
    return flag;
  }
  static void handle(int /*signal*/) noexcept { flag().raise(); }
};

/// A line of progress on standard error, where that is a terminal, twice a second at most.
class ProgressLine {
 public:
  ProgressLine() = default;
  ~ProgressLine() {
    if (shown_) cli::clear_progress();
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Shows what `line` returns, where it is time to.
  template <class Line>
  void show(Line line) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ <= std::chrono::milliseconds(500)) return;
    last_ = now;
    shown_ = true;
    const auto room = static_cast<std::size_t>(cli::columns_of(STDERR_FILENO) - 1);
    cli::show_progress(STDERR_FILENO, std::string(line()).substr(0, room));
  }
  /// Leaves the last line on the terminal.
  void end() {
    if (std::exchange(shown_, false)) cli::end_progress();
  }

 private:
  bool terminal_ = cli::cursor_moves(STDERR_FILENO);
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// How far the reading of a log is.
class LogProgress {
 public:
  explicit LogProgress(std::string what) : what_(std::move(what)) {}

  /// Shows the progress, 0 ... 1; false once the user has interrupted.
  bool operator()(double part) {
    line_.show([&] { return fmt::format("{} {:3.0f} %", what_, 100 * part); });
    return !Interrupted::raised();
  }

 private:
  std::string what_;
  Interrupted interrupted_;
  ProgressLine line_;
};

}  // namespace hild::commands
