// SPDX-License-Identifier: Apache-2.0
/// \file
/// Shows on a terminal how far the reading of a log is, when it takes longer than a moment.
#pragma once

#include <unistd.h>

#include <chrono>

#include "cli/main/interrupted.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {

class LogProgress {
 public:
  explicit LogProgress(std::string what) : what_(std::move(what)) {}
  ~LogProgress() {
    if (shown_) cli::clear_progress();
  }
  LogProgress(const LogProgress&) = delete;
  LogProgress& operator=(const LogProgress&) = delete;

  /// Shows the progress, 0 ... 1; false once the user has interrupted.
  bool operator()(double part) {
    const auto now = std::chrono::steady_clock::now();
    if (terminal_ && now - last_ > std::chrono::milliseconds(500)) {
      last_ = now;
      shown_ = true;
      const std::string line = fmt::format("{} {:3.0f} %", what_, 100 * part);
      const auto room = static_cast<std::size_t>(cli::columns_of(STDERR_FILENO) - 1);
      cli::show_progress(STDERR_FILENO, std::string_view(line).substr(0, room));
    }
    return !Interrupted::raised();
  }

 private:
  std::string what_;
  Interrupted interrupted_;
  bool terminal_ = cli::cursor_moves(STDERR_FILENO);
  bool shown_ = false;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace hild::commands
