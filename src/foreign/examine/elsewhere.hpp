// SPDX-License-Identifier: Apache-2.0
/// \file
/// The parts of an examination of a model that is loaded in a process of its own: what that process
/// does, and how its result is read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "foreign/examine/examination.hpp"

namespace hild::examine {

/// Examines the plant in this process, which exists for nothing else. Where the model ends the
/// process, `result` shows how far it came.
void watch_here(model::Stepper& plant, const ExaminationOptions& options, Examination& result);

/// Notes how the examining process ended: its status (waitpid), or none where it had to be killed.
/// An exit code of `aborted` stands for SIGABRT; 0: there is no such code.
void note_end(Examination& seen, std::optional<int> status, int aborted = 0);

/// Reads an examination from memory that the model could write to: every word is forced into the
/// bounds it has in a genuine one.
[[nodiscard]] Examination within_bounds(std::span<const std::byte, sizeof(Examination)> left);

/// One of several models, examined by itself.
struct Examined {
  const Examination* seen;
  double steps;
};
/// Combines the examinations as if the models had been examined together.
[[nodiscard]] Examination together(std::span<const Examined> all);

}  // namespace hild::examine
