// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether instances of one foreign code may be called on several threads at once, which nothing
/// tells: it is tried. Not for the real-time side; call while the process has one thread.
#pragma once

#include <span>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/model/stepper.hpp"

namespace hild::examine {

/// An instance, and the length of its steps.
struct Instance {
  model::Stepper& stepper;
  Duration step;
};

struct SideBySideOptions {
  int steps = 2000;                   ///< that are to run while one of another instance does
  Duration patience{20'000'000'000};  ///< before the code is said to hang: see WorkPatience
};

/// In a process of its own, runs each instance alone, twice, then all at the same time, each on a
/// thread, their steps beginning together: until as many steps as `options` asks for were taken at
/// the same time as one of another instance, or for three seconds. Outputs, states and event
/// functions are to be the same to the bit. Inputs have their start values. Error: they are not,
/// the code ended its process or did not return, or two never ran at the same time, in words that
/// go on after the names of the instances; else how many steps did run at the same time. The
/// instances of the caller are left as they were.
[[nodiscard]] Result<int> run_side_by_side(std::span<const Instance> instances,
                                           const SideBySideOptions& options = {});

}  // namespace hild::examine
