// SPDX-License-Identifier: Apache-2.0
/// \file
/// Writes the log of a run to systemd's journal, with fields: `journalctl HILD_EVENT=overrun -o
/// verbose`.
#pragma once

#include <spdlog/common.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>

#include "recording/record/log_lines.hpp"

namespace hild::record {

/// Whether what is written to `fd` goes to the journal, as for a service started by systemd.
[[nodiscard]] bool goes_to_journal(int fd);

/// As sd_journal_sendv().
using SendToJournal = int (*)(const iovec* fields, int count);

/// Sends lines to the journal: MESSAGE, PRIORITY, SYSLOG_IDENTIFIER, the fields of the whole run,
/// those of the line. A line that the journal does not take is lost.
[[nodiscard]] spdlog::sink_ptr journal_sink(std::vector<LogField> of_run,
                                            SendToJournal send = sd_journal_sendv);

}  // namespace hild::record
