// SPDX-License-Identifier: Apache-2.0
/// \file
/// Opens the devices of an assembly and measures it on a thread scheduled like the frame thread.
#pragma once

#include "hild/rt/thread.hpp"
#include "plan/plan.hpp"

namespace hild::commands {

[[nodiscard]] rt::ThreadOptions thread_options(const config::Frame& frame);

/// Error: no thread could be started. `bus_open` tells whether device calls can be measured.
[[nodiscard]] Result<plan::Measured> rehearse(const plan::Assembly& assembly, bool bus_open,
                                              rt::Warnings& warnings);

}  // namespace hild::commands
