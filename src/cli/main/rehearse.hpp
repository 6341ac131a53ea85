// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the clock of a run, and measures what a frame costs by it, on a thread scheduled like the
/// frame thread.
#pragma once

#include "config/plan/plan.hpp"
#include "hild/rt/thread.hpp"

namespace hild::commands {

[[nodiscard]] rt::ThreadOptions thread_options(const config::Frame& frame);

/// Makes the clock that a configuration asks for. If it gives no margin for sleep+spin, that is
/// measured and stored in `frame`.
[[nodiscard]] Result<std::unique_ptr<rt::Clock>> make_clock(config::Frame& frame);

/// Measures the costs. `bus_open` says whether device calls can be measured. Error: no thread could
/// be started, or a device failed while it was read.
[[nodiscard]] Result<plan::Measured> rehearse(const plan::Assembly& assembly, rt::Clock& clock,
                                              bool bus_open, rt::Warnings& warnings);

}  // namespace hild::commands
