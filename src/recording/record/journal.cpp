// SPDX-License-Identifier: Apache-2.0
#include "recording/record/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syslog.h>
#include <systemd/sd-journal.h>

#include <array>
#include <cstdlib>

namespace hild::record {
namespace {

// By the levels of spdlog: trace, debug, info, warn, err, critical, off.
constexpr std::array<int, spdlog::level::n_levels> priorities{
    LOG_DEBUG, LOG_DEBUG, LOG_INFO, LOG_WARNING, LOG_ERR, LOG_CRIT, LOG_DEBUG};

}  // namespace

bool goes_to_journal(int fd) {
  const char* const stream = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (stream == nullptr || fstat(fd, &status) != 0) return false;
  return fmt::format("{}:{}", status.st_dev, status.st_ino) == stream;
}

JournalSink::JournalSink(std::vector<LogField> of_run)
    : JournalSink(std::move(of_run),
                  [](const iovec* fields, int count) { return sd_journal_sendv(fields, count); }) {}

void JournalSink::sink_it_(const spdlog::details::log_msg& line) {
  std::vector<std::string> texts{
      fmt::format("MESSAGE={}", fmt::string_view(line.payload.data(), line.payload.size())),
      fmt::format("PRIORITY={}", priorities[line.level]), "SYSLOG_IDENTIFIER=hild"};
  for (const auto& f : of_run_) texts.push_back(fmt::format("{}={}", f.name, f.value));
  for (const auto& f : LogFields::current()) texts.push_back(fmt::format("{}={}", f.name, f.value));
  std::vector<iovec> fields;
  fields.reserve(texts.size());
  for (std::string& text : texts) fields.push_back({text.data(), text.size()});
  static_cast<void>(send_(fields.data(), static_cast<int>(fields.size())));
}

}  // namespace hild::record
