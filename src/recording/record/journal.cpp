// SPDX-License-Identifier: Apache-2.0
#include "recording/record/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/syslog.h>
#include <systemd/sd-journal.h>

#include <cstdlib>

namespace hild::record {
namespace {

int priority_of(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::critical:
      return LOG_CRIT;
    case spdlog::level::err:
      return LOG_ERR;
    case spdlog::level::warn:
      return LOG_WARNING;
    case spdlog::level::info:
      return LOG_INFO;
    default:
      return LOG_DEBUG;
  }
}

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
      fmt::format("PRIORITY={}", priority_of(line.level)), "SYSLOG_IDENTIFIER=hild"};
  for (const auto& f : of_run_) texts.push_back(fmt::format("{}={}", f.name, f.value));
  for (const auto& f : LogFields::current()) texts.push_back(fmt::format("{}={}", f.name, f.value));
  std::vector<iovec> fields;
  fields.reserve(texts.size());
  for (std::string& text : texts) fields.push_back({text.data(), text.size()});
  static_cast<void>(send_(fields.data(), static_cast<int>(fields.size())));
}

}  // namespace hild::record
