// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes log lines to standard error, alongside a line of progress, and in colours where those are
/// wanted.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <mutex>

#include "cli/terminal/print.hpp"

namespace hild::commands {

class TerminalSink final : public spdlog::sinks::base_sink<std::mutex> {
 private:
  static std::string_view colour_of(spdlog::level::level_enum level) {
    if (level >= spdlog::level::err) return "\x1b[31m";
    return level == spdlog::level::warn ? "\x1b[33m" : "\x1b[32m";
  }

  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    const std::string_view text(line.data(), line.size());
    const std::size_t begin = message.color_range_start;
    const std::size_t end = message.color_range_end;
    if (!colour_ || begin >= end) return cli::tell_text(text);
    cli::tell("{}{}{}\x1b[m{}", text.substr(0, begin), colour_of(message.level),
              text.substr(begin, end - begin), text.substr(end));
  }
  void flush_() override {}

  bool colour_ = cli::may_colour(STDERR_FILENO);
};

}  // namespace hild::commands
