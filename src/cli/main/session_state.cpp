// SPDX-License-Identifier: Apache-2.0
/// What a run tells of its own state, while it goes on and when it has ended.
#include <fmt/format.h>

#include "cli/main/session.hpp"
#include "cli/report/outcome.hpp"
#include "foreign/contain/process.hpp"

namespace hild::commands {

void Session::tell_state_to(server::Run& run) {
  run.armed = [this] { return assembly_.bus->armed(); };
  run.recording = [this]() -> std::optional<server::Run::Recording> {
    if (!logs_.frames) return {};
    server::Run::Recording recording{logs_.frames->file(), logs_.frames->blocks(),
                                     logs_.frames->blocks_max(), logs_.frames->lost(),
                                     logs_.frames->error()};
    if (recording.error.empty() && logs_.recording_broken.raised()) {
      recording.error = "a part of what records was given up, the log says why";
    }
    return recording;
  };
  run.guard = [this] {
    if (guard_keeper_.lost()) return server::Guarding::lost;
    if (!assembly_.bus->drives()) return server::Guarding::none;
    return assembly_.config.safety.guard ? server::Guarding::watching : server::Guarding::off;
  };
  run.ending = [this] { return ending(); };
  run.model_ending = contain::endings;
  run.tell = [logger = logs_.logger](const std::string& words, bool bad) {
    logger->log(bad ? spdlog::level::err : spdlog::level::info, "{}", words);
  };
}

// But for what is recorded, which may still be on its way to the disk.
report::Run Session::reported() {
  report::Run run{.config = assembly_.config,
                  .statistics = frames_.loop->statistics(),
                  .outcome = frames_.outcome,
                  .clamped_outputs = assembly_.bus->clamped(),
                  .cut_outputs = assembly_.bus->cut_outputs(),
                  .warnings = warnings_};
  run.corrections = &logs_.attribution.corrections();
  run.model_ending = contain::endings();
  if (assembly_.bus->failed() >= 0) run.device_failure = assembly_.bus->failure().message;
  if (run.outcome.end == exec::End::input_lost) {
    run.device_failure = record::why_lost(losable_inputs()[run.outcome.index], run.outcome.age);
  }
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
  if (service_.reload && e.exit_code == 0) {
    e.words += " It begins again with its configuration read anew.";
  }
  return e;
}

}  // namespace hild::commands
