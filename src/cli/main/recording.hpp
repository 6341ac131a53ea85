// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the recorders of a run, as its configuration asks for them.
#pragma once

#include <spdlog/logger.h>

#include <boost/json/array.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/doctor/finding.hpp"
#include "config/plan/assembly.hpp"
#include "exec/frame_loop.hpp"
#include "offline/replay/state_at.hpp"
#include "recording/framelog/roll.hpp"

namespace hild::commands {

/// The names of the devices that are called in a frame: "daq, meter".
[[nodiscard]] std::string devices_of(const plan::Assembly& assembly);

/// The fingerprints of the files that models came from, by the name of the model.
[[nodiscard]] mcap::Map model_files(const config::Config& config);

/// The recorders of the configuration, those that begin with the run begun. `clock` is that of the
/// run; failures during the run are reported to the logger, and `loop` is asked for keyframes. All
/// outlive the recorders. The files of a run that goes on `from` a recorded step (null: it does
/// not) are new ones, and branches of that recording. Throws an Error.
[[nodiscard]] std::vector<std::unique_ptr<framelog::Roll>> begin_recorders(
    const plan::Assembly& assembly, const io::FrameLayout& layout, rt::Clock& clock,
    exec::FrameLoop& loop, std::shared_ptr<spdlog::logger> logger,
    const replay::StateAt* from = nullptr);

/// The findings as `hild doctor --json` prints them and a recording keeps them.
[[nodiscard]] boost::json::array findings_json(const std::vector<doctor::Finding>& findings);

}  // namespace hild::commands
