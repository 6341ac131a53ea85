// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes the control server's description of a run.
#pragma once

#include "config/plan/assembly.hpp"
#include "control/server/run.hpp"

namespace hild::commands {

[[nodiscard]] server::Run served_run(const plan::Assembly& assembly, const io::FrameLayout& layout,
                                     const exec::FrameLoop& loop, exec::ExternalEvents& events,
                                     rt::Flag& stop, const rt::Flag& ended);

}  // namespace hild::commands
