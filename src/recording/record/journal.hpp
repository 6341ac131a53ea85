// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes the log of a run to systemd's journal, with fields: `journalctl HILD_EVENT=overrun -o
/// verbose`.
#pragma once

#include <spdlog/sinks/base_sink.h>
#include <sys/uio.h>

#include <mutex>

#include "recording/record/log_fields.hpp"

namespace hild::record {

/// Whether what is written to `fd` goes to the journal, as for a service started by systemd.
[[nodiscard]] bool goes_to_journal(int fd);

/// Sends lines to the journal: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, the fields of the whole run,
/// those of the line. A line that the journal does not take is lost.
class JournalSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  using Send = int (*)(const iovec* fields, int count);

  explicit JournalSink(std::vector<LogField> of_run);
  JournalSink(std::vector<LogField> of_run, Send send) : of_run_(std::move(of_run)), send_(send) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& line) override;
  void flush_() override {}

 private:
  std::vector<LogField> of_run_;
  Send send_;
};

}  // namespace hild::record
