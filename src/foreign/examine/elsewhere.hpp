// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of an examination, for one whose model is loaded in a process of its own: what that
/// process does, and what is made of what it left.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "foreign/examine/examination.hpp"

namespace hild::examine {

/// Watches the plant in this process, which is there for nothing else. Where the model ends the
/// process, `result` tells how far it came.
void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result);

/// How the process that watched ended: its status (waitpid), or none where it had to be killed. An
/// exit code of `aborted` stands for SIGABRT; 0: no such code.
void note_end(Examination& seen, std::optional<int> status, int aborted = 0);

/// An examination that was left in memory that the model could write to: every word within the
/// bounds that it has when it was not.
[[nodiscard]] Examination within_bounds(std::span<const std::byte, sizeof(Examination)> left);

/// Of several models, each examined by itself; `calls` are the steps each takes in a frame.
struct Examined {
  const Examination* seen;
  double steps;
};
/// As if they had been examined together.
[[nodiscard]] Examination together(std::span<const Examined> all);

}  // namespace hild::examine
