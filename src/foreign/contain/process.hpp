// SPDX-License-Identifier: Apache-2.0
/// \file
/// The process a contained model runs in: started at load time, ended with the model, and ended by
/// the kernel when this process ends. A crash, an exit, a hang or a leak in it affects no other
/// process.
#pragma once

#include <memory>
#include <string>

#include "foreign/contain/source.hpp"
#include "hild/core/result.hpp"

namespace hild::contain {

struct ProcessOptions {
  Duration answer_within{};  ///< for all answers of a step, and for each call between steps
  int priority = 0;          ///< SCHED_FIFO, that of the thread that asks; 0: ordinary
  int cpu = -1;              ///< likewise; -1: any
};

/// Makes a stepper of the model in a process of its own. Error: no process,
/// or the model could not be made in it.
[[nodiscard]] Result<std::unique_ptr<model::Stepper>> contained(
    const std::shared_ptr<const ModelSource>& source, const Way& way,
    const ProcessOptions& options);
/// Makes its equations alone. Each call may take all of `answer_within`.
[[nodiscard]] Result<std::unique_ptr<model::System>> contained_system(
    const std::shared_ptr<const ModelSource>& source, const ProcessOptions& options);

/// How the processes of models ended that did so by themselves, "...; ..."; empty: none did. Any
/// thread.
[[nodiscard]] std::string endings();

}  // namespace hild::contain
