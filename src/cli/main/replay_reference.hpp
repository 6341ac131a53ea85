// SPDX-License-Identifier: Apache-2.0
/// \file
/// Implements `hild replay --reference`.
#pragma once

#include <functional>

#include "cli/main/commands.hpp"
#include "config/plan/assembly.hpp"
#include "offline/reference/formula.hpp"
#include "offline/replay/source.hpp"

namespace hild::commands {

struct ReferenceArguments {
  reference::Tolerance tolerance;
  bool as_json = false;
};

/// Compares the run with an adaptive solution under its recorded inputs, and prints the shares of
/// its error.
[[nodiscard]] ExitCode replay_reference(const plan::Assembly& assembly, replay::StepSource& source,
                                        const ReferenceArguments& arguments,
                                        const std::function<bool(double)>& go_on);

}  // namespace hild::commands
