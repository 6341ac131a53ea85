// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild replay --join`: the recordings of several nodes again, and what each has received held
/// against what the others sent.
#pragma once

#include "cli/main/replay_run.hpp"

namespace hild::commands {

[[nodiscard]] ExitCode replay_together(const ReplayArguments& a);

}  // namespace hild::commands
