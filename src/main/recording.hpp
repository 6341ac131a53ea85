// SPDX-License-Identifier: Apache-2.0
/// \file
/// The frame log of a run, as its configuration asks for it.
#pragma once

#include <spdlog/logger.h>

#include <memory>

#include "framelog/frame_log.hpp"
#include "plan/assembly.hpp"

namespace hild::commands {

/// Begins the file of config.record; nullptr when nothing is to be recorded. `clock` is that of
/// the run; failures during the run are told to the logger.
[[nodiscard]] Result<std::unique_ptr<framelog::FrameLog>> begin_recording(
    const plan::Assembly& assembly, const io::FrameLayout& layout, rt::Clock& clock,
    std::shared_ptr<spdlog::logger> logger);

}  // namespace hild::commands
