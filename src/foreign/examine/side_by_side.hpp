// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether instances of one foreign code may be called on several threads at once, which nothing
/// tells: it is tried. Not for the real-time side; call while the process has one thread.
#pragma once

#include <span>
#include <string>
#include <vector>

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
  std::vector<int> cpus{};            ///< to put them on, before others that may be used
  int steps = 2000;                   ///< that are to run while one of another instance does
  Duration patience{20'000'000'000};  ///< of each, before the code hangs: see WorkPatience
};

struct SideBySide {
  int met = 0;        ///< steps of each two that did run at the same time, of any two at least
  std::string fault;  ///< what the code did wrong, to go on after names; empty: nothing
};

/// In a process of its own, runs each instance alone, twice, then all at the same time, each on a
/// thread and a CPU, as far as there are, their steps beginning together: until as many steps as
/// `options` asks for were taken by each two at the same time, or for three seconds. Outputs,
/// states, event functions and whether the code tells of an error are to be the same to the bit; if
/// they are not, or the code ends its process or does not return, that is its fault. Inputs have
/// their start values. Error: it could not be tried on this machine. The instances of the caller
/// are left as they were.
[[nodiscard]] Result<SideBySide> run_side_by_side(std::span<const Instance> instances,
                                                  const SideBySideOptions& options = {});

}  // namespace hild::examine
