// SPDX-License-Identifier: Apache-2.0
#include "cli/main/run_logs.hpp"

#include <spdlog/sinks/base_sink.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>

#include "cli/main/recording.hpp"
#include "cli/terminal/print.hpp"
#include "recording/record/journal.hpp"

namespace hild::commands {
namespace {

/// Writes log lines to standard error, alongside a line of progress, and in colours where those are
/// wanted.
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

// Of the run and of its recording; the journal's fields tell whose words they are.
std::shared_ptr<spdlog::logger> make_logger(const config::Config& config) {
  if (record::goes_to_journal(STDERR_FILENO)) {
    return std::make_shared<spdlog::logger>(
        "hild",
        record::journal_sink({{"HILD_CONFIG", config.file}, {"HILD_MODEL", config.model.type}}));
  }
  auto logger = std::make_shared<spdlog::logger>("hild", std::make_shared<TerminalSink>());
  logger->set_pattern("%H:%M:%S.%e %^%l%$ %v");
  return logger;
}

record::OverrunLogOptions overrun_options(const plan::Assembly& a) {
  const auto models = a.config.model.description.parts;
  return {.late_wake = a.config.settings.late_wake,
          .devices = devices_of(a),
          .evidence = a.config.evidence,
          .models = {models.begin(), models.end()}};
}

// Signals the user is likely to look at: the first output wired to a device, else the first.
std::vector<std::size_t> plotted(const plan::Assembly& a) {
  const auto& outputs = a.bus->outputs();
  const auto wired = std::ranges::find_if(outputs, [](const auto& o) { return o.device >= 0; });
  if (outputs.empty()) return {};
  return {wired == outputs.end() ? 0 : static_cast<std::size_t>(wired - outputs.begin())};
}

}  // namespace

RunLogs::RunLogs(const plan::Assembly& assembly)
    : logger(make_logger(assembly.config)),
      overruns(logger, overrun_options(assembly)),
      trace(plotted(assembly)) {}

}  // namespace hild::commands
