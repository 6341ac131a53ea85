// SPDX-License-Identifier: Apache-2.0
/// \file
/// The logs of a run while it goes on: the receivers of its frame records, and what else is logged.
#pragma once

#include <memory>
#include <optional>

#include "recording/framelog/frame_log.hpp"
#include "recording/record/clamp_log.hpp"
#include "recording/record/loss_log.hpp"
#include "recording/record/overrun_attribution.hpp"
#include "recording/record/overrun_log.hpp"
#include "recording/record/recorder.hpp"
#include "recording/record/standstill_log.hpp"
#include "recording/record/times.hpp"
#include "recording/record/trace.hpp"

namespace hild::commands {

struct RunLogs {
  RunLogs(std::shared_ptr<spdlog::logger> to, const record::OverrunLogOptions& overrun_options,
          std::vector<std::size_t> plotted)
      : logger(std::move(to)), overruns(logger, overrun_options), trace(std::move(plotted)) {}

  std::shared_ptr<spdlog::logger> logger;
  record::OverrunLog overruns;
  record::Trace trace;
  std::optional<record::Times> times;
  record::OverrunAttribution attribution;
  std::unique_ptr<framelog::FrameLog> frames;  ///< when the run is recorded
  rt::Flag recording_broken;                   ///< the recording was given up
  std::unique_ptr<record::Recorder> recorder;
  std::optional<record::ClampLog> clamps;
  std::optional<record::LossLog> losses;
  std::optional<record::StandstillLog> standstills;
};

}  // namespace hild::commands
