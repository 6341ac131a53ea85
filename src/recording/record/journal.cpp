// SPDX-License-Identifier: Apache-2.0
#include "recording/record/journal.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/stat.h>
#include <sys/syslog.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace hild::record {
namespace {

// By the levels of spdlog: trace, debug, info, warn, err, critical, off.
constexpr std::array<int, spdlog::level::n_levels> priorities{
    LOG_DEBUG, LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERR, LOG_CRIT, LOG_DEBUG};

class JournalSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  JournalSink(std::vector<LogField> of_run, SendToJournal send)
      : of_run_(std::move(of_run)), send_(send) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& line) override {
    std::vector<std::string> texts{
        fmt::format("MESSAGE={}", fmt::string_view(line.payload.data(), line.payload.size())),
        fmt::format("PRIORITY={}", priorities[static_cast<std::size_t>(line.level)]),
        "SYSLOG_IDENTIFIER=hild"};
    for (const auto& f : of_run_) texts.push_back(fmt::format("{}={}", f.name, f.value));
    for (const auto& f : LogFields::current())
      texts.push_back(fmt::format("{}={}", f.name, f.value));
    std::vector<iovec> fields;
    fields.reserve(texts.size());
    for (std::string& text : texts) fields.push_back({text.data(), text.size()});
    static_cast<void>(send_(fields.data(), static_cast<int>(fields.size())));
  }
  void flush_() override {}

 private:
  std::vector<LogField> of_run_;
  SendToJournal send_;
};

}  // namespace

bool goes_to_journal(int fd) {
  const char* const stream = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (stream == nullptr || fstat(fd, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

spdlog::sink_ptr journal_sink(std::vector<LogField> of_run, SendToJournal send) {
  return std::make_shared<JournalSink>(std::move(of_run), send);
}

}  // namespace hild::record
