// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the frame log of a run, as its configuration asks for it.
#pragma once

#include <spdlog/logger.h>

#include <boost/json/array.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/doctor/finding.hpp"
#include "config/plan/assembly.hpp"
#include "recording/framelog/frame_log.hpp"

namespace hild::commands {

/// The names of the devices that are called in a frame: "daq, meter".
[[nodiscard]] std::string devices_of(const plan::Assembly& assembly);

/// The fingerprints of the files that models came from, by the name of the model.
[[nodiscard]] mcap::Map model_files(const config::Config& config);

/// Begins the file of config.record; nullptr when nothing is to be recorded. `clock` is that of the
/// run; failures during the run are reported to the logger. Throws an Error.
[[nodiscard]] std::unique_ptr<framelog::FrameLog> begin_recording(
    const plan::Assembly& assembly, const io::FrameLayout& layout, rt::Clock& clock,
    std::shared_ptr<spdlog::logger> logger);

/// The findings as `hild doctor --json` prints them and a recording keeps them.
[[nodiscard]] boost::json::array findings_json(const std::vector<doctor::Finding>& findings);

}  // namespace hild::commands
