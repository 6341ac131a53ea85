// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clock of a run, and what a frame costs by it, measured on a thread scheduled like the frame
/// thread.
#pragma once

#include "config/plan/plan.hpp"
#include "hild/rt/thread.hpp"

namespace hild::commands {

[[nodiscard]] rt::ThreadOptions thread_options(const config::Frame& frame);

/// The clock a configuration asks for. A margin of sleep+spin that is not written is measured, and
/// noted in `frame`.
[[nodiscard]] Result<std::unique_ptr<rt::Clock>> make_clock(config::Frame& frame);

/// Error: no thread could be started, or a device failed while it was read. `bus_open` tells
/// whether device calls can be measured.
[[nodiscard]] Result<plan::Measured> rehearse(const plan::Assembly& assembly, rt::Clock& clock,
                                              bool bus_open, rt::Warnings& warnings);

}  // namespace hild::commands
