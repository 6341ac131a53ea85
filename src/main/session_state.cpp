// SPDX-License-Identifier: Apache-2.0
/// What a run tells of its own state, while it goes on and when it has ended.
#include <fmt/format.h>

#include "contain/process.hpp"
#include "main/session.hpp"
#include "report/outcome.hpp"

namespace hild::commands {

void Session::tell_state_to(server::Run& run) {
  run.armed = [this] { return assembly_.bus->armed(); };
  run.recording = [this]() -> std::optional<server::Run::Recording> {
    if (!frame_log_) return {};
    server::Run::Recording recording{frame_log_->file(), frame_log_->blocks(),
                                     frame_log_->blocks_max(), frame_log_->lost(),
                                     frame_log_->error()};
    if (recording.error.empty() && recording_broken_.raised()) {
      recording.error = "a part of what records was given up, the log says why";
    }
    return recording;
  };
  run.guard = [this] {
    if (guard_lost_) return server::Guarding::lost;
    if (!assembly_.bus->drives()) return server::Guarding::none;
    return assembly_.config.safety.guard ? server::Guarding::watching : server::Guarding::off;
  };
  run.ending = [this] { return ending(); };
  run.model_ending = contain::endings;
  run.tell = [logger = logger_](const std::string& words, bool bad) {
    logger->log(bad ? spdlog::level::err : spdlog::level::info, "{}", words);
  };
}

// But for what is recorded, which may still be on its way to the disk.
report::Run Session::reported() {
  report::Run run{.config = assembly_.config,
                  .statistics = loop_->statistics(),
                  .outcome = outcome_,
                  .clamped_outputs = assembly_.bus->clamped(),
                  .cut_outputs = assembly_.bus->cut_outputs(),
                  .warnings = warnings_};
  run.corrections = &attribution_.corrections();
  run.model_ending = contain::endings();
  if (assembly_.bus->failed() >= 0) run.device_failure = assembly_.bus->failure().message;
  return run;
}

// The same as the report and the exit code will say.
server::Ending Session::ending() {
  const report::Report report = report::make_report(reported());
  server::Ending e{.outcome = report.end,
                   .words = report.verdict.what,
                   .next = report.verdict.next,
                   .exit_code = report.exit_code,
                   .safe = report.outputs_safe};
  if (reload_ && e.exit_code == 0) {
    e.words += " It begins again with its configuration read anew.";
  }
  return e;
}

}  // namespace hild::commands
