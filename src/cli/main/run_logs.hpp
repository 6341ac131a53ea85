// SPDX-License-Identifier: Apache-2.0
/// \file
/// The logs of a run while it goes on: the receivers of its frame records, and what else is logged.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "config/plan/assembly.hpp"
#include "recording/framelog/roll.hpp"
#include "recording/record/accuracy_log.hpp"
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
  explicit RunLogs(const plan::Assembly& assembly);

  std::shared_ptr<spdlog::logger> logger;
  record::OverrunLog overruns;
  record::Trace trace;
  std::optional<record::Times> times;
  record::OverrunAttribution attribution;
  std::vector<std::unique_ptr<framelog::Roll>> recorders;  ///< those that are configured
  rt::Flag recording_broken;                               ///< the recording was given up
  std::unique_ptr<record::Recorder> recorder;
  std::optional<record::ClampLog> clamps;
  std::optional<record::AccuracyLog> accuracy;
  std::optional<record::LossLog> losses;
  std::optional<record::StandstillLog> standstills;
};

}  // namespace hild::commands
